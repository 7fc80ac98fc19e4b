import { describe, expect, it } from 'vitest';
import { UnmadeReasons } from '../../src/fhir/unmade-reasons.js';
import { Meanings } from '../../src/fhir/mapping-tables.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { fhirPlace, linesOf, loinc, resources, snomed, type Resource } from './support.js';

const { patient, condition, laboratory, dispense, smoking, pressure, weight } = resources;

/** What a load says of the resources of a type: reasons with how many there are of each. */
async function reasonsFor(type: string, content: readonly Resource[]): Promise<Record<string, number>> {
  const { load } = await fhirPlace();
  const { report } = await load([patient, ...content]);
  const { reasons = {} } = report.resources[type] ?? {};
  return Object.fromEntries(Object.entries(reasons).map(([reason, { count }]) => [reason, count]));
}

const survey = { category: [{ coding: [{ code: 'survey' }] }] };
const { authorizingPrescription: _, ...alone } = dispense;
const half = pressure.component.slice(0, 1);
const snomedOnly = 'none of their codes is SNOMED CT, and others such as ICD-10 have no place';

describe('a resource that gave no statement', () => {
  it.each<[string, Resource, string]>([
    ['a code of another system', { ...condition, code: loinc('5778-6', 'x') }, snomedOnly],
    [
      'no patient',
      { ...condition, subject: { display: 'x' } },
      'Condition.subject is missing or leads to no patient',
    ],
    [
      'a text that refutes it',
      { ...condition, verificationStatus: { text: 'Refuted (by test)' } },
      'it was entered in error or refuted',
    ],
    ['a result of no LOINC', { ...laboratory, code: snomed('1', 'x') }, 'their codes are not LOINC'],
    [
      'another category',
      { ...laboratory, ...survey },
      'they are no results of a laboratory, no vital signs and no smoking status',
    ],
    [
      'a status that is not final',
      { ...smoking, status: 'unknown' },
      'it is not final, which a smoking status has no place to say',
    ],
    ['half a blood pressure', { ...pressure, component: half }, 'it has no diastolic value'],
    [
      'a sign without a place',
      { ...weight, code: loinc('8280-0', 'x') },
      'this container has no list for this kind',
    ],
    [
      'a unit without a place',
      { ...weight, valueQuantity: { value: 1, code: '[stone_av]' } },
      'its unit is none that is loaded',
    ],
    ['no prescription', alone, 'MedicationDispense.authorizingPrescription is missing'],
    [
      'a value that no row knows',
      { ...weight, valueQuantity: { value: '?', code: 'kg' } },
      'it does not have all that is asked for (lab-result.rq, social-history.rq, vital-sign-set.rq)',
    ],
  ])('is told with what it does not have: %s', async (_, resource, reason) => {
    expect(await reasonsFor(resource.resourceType, [resources.encounter, resource])).toEqual({ [reason]: 1 });
  });

  it('is told when no query takes its type, when its patient has no record, and when another version counts', async () => {
    const { load } = await fhirPlace();
    const { report } = await load(
      [
        { ...patient, identifier: [{ system: 'urn:mrn', value: 'm1' }] },
        { resourceType: 'Flag', id: 'f' },
        { ...condition, id: 'of-somebody', subject: { reference: 'Patient/somebody' } },
        { ...condition, id: 'twice', meta: { lastUpdated: '2020-01-01T00:00:00Z' } },
        { ...condition, id: 'twice', meta: { lastUpdated: '2021-01-01T00:00:00Z' } },
      ],
      { system: 'urn:mrn' },
    );
    expect(report.resources.Flag?.reasons).toMatchObject({
      'no query takes resources of this type': { count: 1, example: 'Flag at line 1, entry 1' },
    });
    expect(report.resources.Condition?.reasons).toMatchObject({
      'no record is known for its patient': { count: 1, example: 'Condition at line 1, entry 2' },
    });
    expect(report.resources.Condition?.omitted).toEqual({
      'another version of it counts': { count: 1, example: 'Condition at line 1, entry 3' },
    });
  });

  it('is told without a value of it', async () => {
    const { load } = await fhirPlace();
    const secret = { coding: [{ system: 'http://secret.example.org', code: 'secret' }], text: 'secret' };
    const { report } = await load([
      patient,
      { ...condition, id: 'own', code: secret },
      { ...condition, id: 'own-too', code: secret },
      { ...condition, id: 'secret', subject: { display: 'secret' } },
      { ...condition, id: 'refuted', verificationStatus: { coding: [{ code: 'refuted' }], text: 'secret' } },
    ]);
    expect(linesOf(report).slice(0, 5)).toEqual([
      'Content was lost:',
      `  2 of 4 Condition: ${snomedOnly} (first: test.json: Condition at line 1, entry 1)`,
      '  1 of 4 Condition: Condition.subject is missing or leads to no patient (first: test.json: Condition at line 1, entry 3)',
      'Kept in words, as unmapped: 2 Condition.',
      'Left out on purpose: 1 Condition (refuted).',
    ]);
  });
});

describe('rows of a table', () => {
  const of = async (rows: string, value: object): Promise<string | undefined> => {
    const prefixes = '@prefix map: <https://chartgraph.example.org/mapping#> .\n';
    const tables = await parseRdf(Buffer.from(prefixes + rows), { format: 'turtle' });
    return new UnmadeReasons(tables, new Meanings(tables)).of({ type: 'Goal', value: { ...value } }, []);
  };

  it('ask for one of several elements, with the values that count', async () => {
    const row = '[] map:asked "Goal.start[x]", "Goal.target.due" ; map:value "1" .';
    expect(await of(row, { startDate: '1' })).toBeUndefined();
    expect(await of(row, { target: [{}, { due: '1' }] })).toBeUndefined();
    expect(await of(row, { startDate: '2' })).toBe(
      'Goal.start[x] or Goal.target.due is missing or has a value that is not loaded',
    );
  });

  it('bar elements, by their value or by what it means', async () => {
    const barred = '[] map:barred "*.note" ; map:label "no notes" .';
    const meant =
      '[] map:barred "Goal.code" ; map:means map:void ; map:label "void" . map:void map:element "*.code" ; map:says "gone" .';
    expect([await of(barred, { note: 'x' }), await of(barred, {})]).toEqual(['no notes', undefined]);
    expect([await of(meant, { code: { text: 'Gone' } }), await of(meant, { code: { text: 'x' } })]).toEqual([
      'void',
      undefined,
    ]);
  });

  it('look up what other tables say', async () => {
    const tables = `[] map:unit "kg" . [] map:set <urn:set> ; map:system "urn:s" ; map:also "urn:oid:1" ; map:code "c" .`;
    const asked = (name: string): string =>
      `${tables} [] map:asked "Goal.a" ; map:in ${name} ; map:label "none" .`;
    for (const [name, values] of [
      ['map:unit', ['kg']],
      ['<urn:set>', ['urn:s', 'urn:oid:1']],
      ['"urn:s"', ['c']],
    ] as const)
      for (const a of ['kg', 'urn:s', 'urn:oid:1', 'c', 'x'])
        expect([name, a, await of(asked(name), { a })]).toEqual([
          name,
          a,
          (values as readonly string[]).includes(a) ? undefined : 'none',
        ]);
  });

  it('are for some resources alone, or for what no other row tells', async () => {
    const rows = `[] map:asked "Goal.a" ; map:among "x" ; map:label "no a" .
      [] map:asked "Goal.b" ; map:label "no b" . [] map:asked "Goal.c" ; map:last "" ; map:label "no c" .`;
    expect(await of(rows, { status: 'x' })).toBe('no a; no b');
    expect(await of(rows, { status: 'y', b: 1 })).toBe('no c');
    expect(await of(rows, { status: 'y', b: 1, c: 1 })).toBeUndefined();
  });
});
