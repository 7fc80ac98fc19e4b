// Invented patients of about 700 quads: 58 statements of 12 quads and the record itself.

export const BASE = 'http://localhost:7000';

const STATEMENTS = 58;
const SP = 'http://smartplatforms.org/terms#';
const DCTERMS = 'http://purl.org/dc/terms/';
const RXNORM = 'http://purl.bioontology.org/ontology/RXNORM/';
const A = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

/** The graphs of one patient: names, and contents in absolute N-Triples with blank inner nodes. */
export function patient(number) {
  const record = `${BASE}/records/${1000000 + number}`;
  const graphs = [{ name: record, text: `<${record}> ${A} <${SP}MedicalRecord> .\n` }];
  for (let index = 0; index < STATEMENTS; index++) {
    const drug = (number * 7 + index * 13) % 900;
    const name = `${record}/medications/${(number * 31 + index * 7919).toString(36)}-${index}`;
    const code = `<${RXNORM}${200000 + drug}>`;
    const date = `20${10 + (index % 14)}-0${1 + (number % 9)}-1${index % 10}`;
    const lines = [
      `<${name}> ${A} <${SP}Medication> .`,
      `<${name}> <${SP}belongsTo> <${record}> .`,
      `<${name}> <${SP}drugName> _:name .`,
      `<${name}> <${SP}startDate> "${date}" .`,
      `<${name}> <${SP}instructions> "Take ${1 + (index % 3)} tablets every ${4 + (number % 20)} hours" .`,
      `_:name ${A} <${SP}CodedValue> .`,
      `_:name <${DCTERMS}title> "Invented drug ${drug}, ${10 + (drug % 90)} MG oral tablet" .`,
      `_:name <${SP}code> ${code} .`,
      `${code} ${A} <${SP}Code> .`,
      `${code} <${DCTERMS}title> "Invented drug ${drug}, ${10 + (drug % 90)} MG oral tablet" .`,
      `${code} <${DCTERMS}identifier> "${200000 + drug}" .`,
      `${code} <${SP}system> "${RXNORM}" .`,
    ];
    graphs.push({ name, text: lines.join('\n') + '\n' });
  }
  return graphs;
}
