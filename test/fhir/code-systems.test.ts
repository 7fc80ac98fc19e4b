import { describe, expect, it } from 'vitest';
import { Graph } from '../../src/model/ontology/graph.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import { base } from '../records/support.js';
import { fhirPlace, linesOf, resources, type Resource } from './support.js';

const { allergy, condition, request, taken } = resources;
// With one name: a second one is told.
const patient = { ...resources.patient, name: resources.patient.name.slice(1) };

const SNOMED = 'http://snomed.info/sct';
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const NDFRT = 'http://hl7.org/fhir/ndfrt';
const UNII = 'http://fdasis.nlm.nih.gov';
const dander = { system: SNOMED, code: '264287008', display: 'Animal dander' };
const mite = { system: SNOMED, code: '260147004' };
const peanut = { system: SNOMED, code: '762952008' };
const penicillin = { system: RXNORM, code: '7980' };
const penicillins = { system: NDFRT, code: 'N0000175503' };
const benzylpenicillin = { system: UNII, code: 'Q42T66VG0C' };

interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display?: string;
}
const coded = (...coding: readonly Coding[]) => ({ coding });

/** Loads resources of one patient. @returns what each statement says of a property, as title, classes and IRI of its code */
async function loaded(...all: readonly Resource[]) {
  const { load, primary } = await fhirPlace();
  const { report } = await load([patient, ...all]);
  const said = (path: string, property: string): string | undefined => {
    const name = `${base}/records/p1/${path}`;
    const graph = new Graph(primary.graph(name) ?? []);
    const [node] = graph.objects(name, property);
    const code = node && graph.value(node, sp.code);
    if (!node || code === undefined) return undefined;
    const classes = graph.iris(code, rdf.type).map((iri) => iri.replace(/^.*[/#]/u, ''));
    expect(code).toBe(`${graph.value(code, sp.system)}${graph.value(code, dcterms.identifier)}`);
    return `${graph.value(node, dcterms.title)}: ${classes.sort().join(' ')} ${code}`;
  };
  return { report, said, lines: linesOf(report) };
}

describe('the substance of an allergy', () => {
  it('is carried under its SNOMED CT code where it has no other, with the title that it came with', async () => {
    const { said, lines } = await loaded(
      { ...allergy, id: 'named', code: coded(dander) },
      { ...allergy, id: 'told', code: { ...coded(mite), text: 'Dust' } },
      {
        ...allergy,
        id: 'finding',
        code: coded({
          system: 'urn:oid:2.16.840.1.113883.6.96',
          code: '91935009',
          display: 'Peanut allergy',
        }),
      },
    );
    expect(lines).toEqual([]);
    const snomed = 'Code SNOMED http://purl.bioontology.org/ontology/SNOMEDCT/';
    expect(said('allergies/named', sp.otherAllergen)).toBe(`Animal dander: ${snomed}264287008`);
    expect(said('allergies/told', sp.otherAllergen)).toBe(`Dust: ${snomed}260147004`);
    expect(said('allergies/finding', sp.otherAllergen)).toBe(`Peanut allergy: ${snomed}91935009`);
  });

  const rxnorm = `Code RxNorm_Ingredient http://purl.bioontology.org/ontology/RXNORM/7980`;
  const unii = 'Code UNII http://fda.gov/UNII/Q42T66VG0C';
  const ndfrt = 'Code NDFRT http://purl.bioontology.org/ontology/NDFRT/N0000175503';

  it.each<[string, readonly Coding[], string, string]>([
    ['RxNorm before SNOMED CT', [dander, penicillin], sp.drugAllergen, rxnorm],
    ['UNII before SNOMED CT', [dander, benzylpenicillin], sp.otherAllergen, unii],
    ['NDF-RT before SNOMED CT', [dander, penicillins], sp.drugClassAllergen, ndfrt],
    ['RxNorm before SNOMED CT that has a UNII', [peanut, penicillin], sp.drugAllergen, rxnorm],
    ['RxNorm before UNII and NDF-RT', [penicillins, benzylpenicillin, penicillin], sp.drugAllergen, rxnorm],
    ['UNII before NDF-RT', [penicillins, benzylpenicillin], sp.otherAllergen, unii],
    [
      'the UNII of SNOMED CT, where codes.ttl has one',
      [peanut],
      sp.otherAllergen,
      'Code UNII http://fda.gov/UNII/QE1QX6B99R',
    ],
  ])('has one code, of several that came: %s', async (_, codings, property, expected) => {
    const { said, lines } = await loaded({ ...allergy, code: { ...coded(...codings), text: 'It' } });
    expect(lines).toEqual([]);
    expect(said('allergies/a1', property)).toBe(`It: ${expected}`);
    const properties = [sp.drugAllergen, sp.drugClassAllergen, sp.otherAllergen];
    expect(properties.filter((each) => said('allergies/a1', each) !== undefined)).toEqual([property]);
  });

  it('stands under the same property where it is a drug, and the category says so', async () => {
    const drug = coded({ system: SNOMED, code: '764146007', display: 'Penicillin' });
    const { said } = await loaded({ ...allergy, category: ['medication'], code: drug });
    expect(said('allergies/a1', sp.otherAllergen)).toMatch(/^Penicillin: .*764146007$/u);
    expect(said('allergies/a1', sp.category)).toMatch(/^Drug allergy: /u);
  });

  it('says that it is not confirmed, whatever its code is of', async () => {
    const verificationStatus = { coding: [{ code: 'unconfirmed' }] };
    for (const [coding, property] of [
      [penicillin, sp.drugAllergen],
      [dander, sp.otherAllergen],
    ] as const) {
      const { said } = await loaded({
        ...allergy,
        code: { ...coded(coding), text: 'It' },
        verificationStatus,
      });
      expect(said('allergies/a1', property)).toMatch(/^It \(unconfirmed\): /u);
    }
  });

  it.each([
    ['716220001', 'No known animal allergy'],
    ['428197003', 'No known insect allergy'],
    ['716184000', undefined],
    ['1003774007', undefined],
    ['999000001', 'No known allergy to pollen'],
  ])('is none where none is known: %s, %s', async (code, display) => {
    const { said, lines } = await loaded({
      ...allergy,
      code: coded({ system: SNOMED, code, ...(display !== undefined && { display }) }),
    });
    expect(said('allergies/a1', sp.otherAllergen)).toBeUndefined();
    expect(lines.join()).toContain('1 of 1 AllergyIntolerance: it says that no allergy is known');
  });

  it('is none of a kind of allergies that are ruled out', async () => {
    const { report, said } = await loaded(resources.noAllergy);
    expect(report.statements).toMatchObject({ AllergyExclusion: 1 });
    expect(report.statements).not.toHaveProperty('Allergy');
    expect(said('allergies/a2', sp.allergyExclusionName)).toMatch(/^No known allergies: /u);
  });
});

describe('what has no code of the system that its list is read by', () => {
  const ICD = ['http://hl7.org/fhir/sid/icd-10', 'urn:oid:2.16.840.1.113883.6.3'];
  const ICD_CM = ['http://hl7.org/fhir/sid/icd-10-cm', 'urn:oid:2.16.840.1.113883.6.90'];
  const ATC = ['http://www.whocc.no/atc', 'urn:oid:2.16.840.1.113883.6.73'];
  const NDC = ['http://hl7.org/fhir/sid/ndc', 'urn:oid:2.16.840.1.113883.6.69'];

  it.each([...ICD, ...ICD_CM])('is a condition of %s alone, and is told', async (system) => {
    const code = coded({ system, code: 'E11.9', display: 'Type 2 diabetes mellitus' });
    const { report, lines } = await loaded({ ...condition, code });
    expect(report.statements).not.toHaveProperty('Problem');
    expect(lines[1]).toContain(
      '1 of 1 Condition: none of their codes is SNOMED CT, and others such as ICD-10 have no place',
    );
  });

  it.each([...ATC, ...NDC])('is a medication of %s alone, and is told', async (system) => {
    const medicationCodeableConcept = coded({ system, code: 'C09AA03', display: 'Lisinopril' });
    const { medicationCodeableConcept: _, ...order } = request;
    const { medicationReference: __, ...statement } = taken;
    const { report, lines } = await loaded(
      { ...order, medicationCodeableConcept },
      { resourceType: 'Medication', id: 'drug', code: medicationCodeableConcept },
      { ...order, id: 'm3', medicationReference: { reference: 'Medication/drug' } },
      { ...statement, medicationCodeableConcept },
    );
    expect(report.statements).not.toHaveProperty('Medication');
    expect(lines[1]).toContain(
      '3 Medication: no RxNorm code of the drug is known, and others such as ATC and NDC have no place',
    );
  });

  it('is carried by the code beside them, which is left as it is', async () => {
    const { report, said } = await loaded(
      {
        ...condition,
        code: coded(
          { system: ICD_CM[0] ?? '', code: 'E11.9', display: 'Type 2 diabetes without complications' },
          { system: SNOMED, code: '44054006', display: 'Type 2 diabetes' },
        ),
      },
      {
        ...request,
        medicationCodeableConcept: coded(
          { system: ATC[0] ?? '', code: 'C09AA03' },
          { system: RXNORM, code: '314076', display: 'Lisinopril 10 mg' },
        ),
      },
    );
    expect(report.statements).toMatchObject({ Problem: 1, Medication: 1 });
    expect(said('problems/c1', sp.problemName)).toMatch(/SNOMEDCT\/44054006$/u);
    expect(said('medications/m1', sp.drugName)).toMatch(/RXNORM\/314076$/u);
  });
});
