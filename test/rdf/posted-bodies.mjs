// Bodies that grow in one dimension: by name, the body of a size.
const sp = 'http://smartplatforms.org/terms#';
const prefixes = `@prefix sp: <${sp}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n`;
const list = (n, item, separator = ' ') => Array.from({ length: n }, (_, i) => item(i)).join(separator);
const turtle = (text) => ({ format: 'turtle', text: prefixes + text });
const allergy = (text) => turtle(`[] a sp:Allergy ; rdfs:seeAlso _:n0 ${text}`);
const xml = (attributes, content) => ({
  format: 'rdfxml',
  text: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:sp="${sp}" ${attributes}>${content}</rdf:RDF>`,
});
const jsonld = (more) => ({ format: 'jsonld', text: JSON.stringify({ '@type': `${sp}Allergy`, ...more }) });
const label = 'http://www.w3.org/2000/01/rdf-schema#label';

/** What grows inside one text: the engine's patterns and numbers do that work, which nothing counts; see bench. */
export const texts = {
  'bytes of a literal': (n) => turtle(`[] a sp:Allergy ; rdfs:label "${'é\\n<'.repeat(n)}" .`),
  'length of a predicate': (n) => turtle(`[] a sp:Allergy ; <urn:${'é'.repeat(n)}×> "x" .`),
  'length of a number': (n) => turtle(`[] a sp:Allergy ; sp:frequency ${'9'.repeat(n)} .`),
};

export const bodies = {
  'values of a property': (n) => turtle(`[] a sp:Allergy ; rdfs:label ${list(n, (i) => `"${i}"`, ',')} .`),
  'nodes as values': (n) => allergy(`, ${list(n, (i) => `[ a sp:Code ; rdfs:label "${i}" ]`, ',')} .`),
  properties: (n) => turtle(`[] a sp:Allergy ; ${list(n, (i) => `sp:p${i} "x"`, ';')} .`),
  'a chain of nodes': (n) => allergy(`. ${list(n, (i) => `_:n${i} a sp:Code ; rdfs:seeAlso _:n${i + 1} .`)}`),
  'equal nodes': (n) => allergy(`, ${list(n, () => '[ a sp:Code ]', ',')} .`),
  'one node referred to': (n) =>
    allergy(`. ${list(n, (i) => `_:n${i} a sp:Code ; rdfs:seeAlso _:n${i + 1} , _:x ; sp:code _:x .`)}`),
  'types of one node that many refer to': (n) =>
    allergy(
      `; sp:drugAllergen ${list(n, (i) => `[ a sp:CodedValue ; sp:code _:x ; rdfs:label "${i}" ]`, ',')} . _:x a ${list(n, (i) => `sp:T${i}`, ',')} .`,
    ),
  languages: (n) => turtle(`[] a sp:Allergy ; rdfs:label ${list(n, (i) => `"x"@en-x${i}`, ',')} .`),
  datatypes: (n) => turtle(`[] a sp:Allergy ; rdfs:label ${list(n, (i) => `"x"^^sp:t${i}`, ',')} .`),
  prefixes: (n) =>
    turtle(`${list(n, (i) => `@prefix p${i}: <urn:p${i}:> .`, '\n')}
      [] a sp:Allergy ; ${list(n, (i) => `p${i}:x "x"`, ';')} .`),
  'namespaces and elements': (n) =>
    xml(
      list(n, (i) => `xmlns:p${i}="urn:p${i}:"`),
      `<sp:Allergy>${list(n, (i) => `<rdfs:label>${i}</rdfs:label>`, '')}</sp:Allergy>`,
    ),
  'namespaces in an XML literal': (n) =>
    xml(
      list(n, (i) => `xmlns:p${i}="urn:p${i}:"`),
      `<sp:Allergy><rdfs:label rdf:parseType="Literal"><b ${list(n, (i) => `p${i}:x=""`)}>${'<i/>'.repeat(n)}</b></rdfs:label></sp:Allergy>`,
    ),
  attributes: (n) => xml('', `<sp:Allergy ${list(n, (i) => `sp:p${i}="${i}"`)}/>`),
  'length of a list': (n) => allergy(`. _:n0 rdfs:seeAlso ( ${list(n, (i) => `"${i}"`)} ) .`),
  'one long prefix': (n) =>
    turtle(
      `@prefix p: <urn:${'x'.repeat(n * 20)}> . [] a sp:Allergy ; ${list(n, (i) => `p:${i} "x"`, ';')} .`,
    ),
  'JSON-LD values': (n) => jsonld({ [label]: Array.from({ length: n }, (_, i) => String(i)) }),
  'JSON-LD contexts': (n) =>
    jsonld({
      '@context': Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, `urn:t${i}`])),
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, 'x'])),
    }),
};
