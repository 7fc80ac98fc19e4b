import { expect, it } from 'vitest';
import { base } from '../records/support.js';
import { fhirPlace, resources, type Resource } from './support.js';

const of = (id: string) => ({ subject: { reference: `Patient/${id}` } });
const patient = (id: string): Resource => ({
  ...resources.patient,
  id,
  identifier: [{ system: 'urn:mrn', value: id }],
});
const { binary, condition, dispense, encounter, laboratory, panel, request, scan, weight } = resources;
const file = (id: string, more: object = {}): Resource => ({ ...binary, id, ...more });
const document = (id: string, whose: string, binaryId: string): Resource => ({
  ...scan,
  id,
  ...of(whose),
  content: [{ attachment: { contentType: 'application/pdf', url: `Binary/${binaryId}`, title: id } }],
});
const known: readonly Resource[] = [
  patient('B'),
  { ...encounter, id: 'e', ...of('B') },
  { ...laboratory, id: 'l', ...of('B') },
  { ...request, id: 'm', ...of('B') },
  { ...weight, id: 'w', ...of('B'), encounter: { reference: 'Encounter/e' } },
  { ...condition, id: 'c', ...of('B'), encounter: { reference: 'Encounter/e' } },
];
/** Resources of A that lead to those of B, or would be written over them. */
const foreign: readonly Resource[] = [
  patient('A'),
  { ...condition, id: 'c', ...of('A'), encounter: { reference: 'Encounter/e' } },
  { ...panel, ...of('A'), result: [{ reference: 'Observation/l' }] },
  { ...dispense, ...of('A'), authorizingPrescription: [{ reference: 'MedicationRequest/m' }] },
  { ...weight, ...of('A'), encounter: { reference: 'Encounter/e' } },
  { ...condition, id: '../../B/problems/c', ...of('A') },
  { ...condition, id: 'c2', subject: { reference: 'Patient/A/../B' } },
  {
    resourceType: 'Provenance',
    target: [{ reference: 'Condition/c' }],
    agent: [{ who: { reference: 'Patient/A' } }],
  },
];

it.each([
  ['after', [known, foreign]],
  ['with', [[...foreign, ...known]]],
])(
  'what leads to another patient changes and shows nothing of that record, loaded %s it',
  async (_, loads) => {
    const alone = await fhirPlace();
    await alone.load(known);
    const here = await fhirPlace();
    for (const each of loads) await here.load(each);
    expect(here.statements('B')).toEqual(alone.statements('B'));
    const names = here.primary.names(`${base}/records/A`);
    expect(names.length).toBeGreaterThan(1);
    const said = names.flatMap((name) => here.primary.graph(name) ?? []).map(({ object }) => object.value);
    expect(said.filter((value) => value.includes('/records/B'))).toEqual([]);
    expect(here.primary.names(`${base}/`).filter((name) => name.includes('..'))).toEqual([]);
  },
);

it.each([
  ['a patient', { reference: 'Patient/B' }],
  ['a document of a patient', { reference: 'DocumentReference/n' }],
])('a file that is kept for %s goes into no document of another one', async (_, securityContext) => {
  const { load, statements } = await fhirPlace();
  await load([
    ...[patient('A'), patient('B'), file('b', { securityContext }), document('n', 'B', 'b')],
    ...[document('taken', 'A', 'b'), file('own'), document('own', 'A', 'own')],
  ]);
  const has = (record: string, id: string): boolean | undefined =>
    statements(record)[`documents/${id}`]?.some((line) => line.startsWith('sha256 '));
  expect([has('B', 'n'), has('A', 'own'), has('A', 'taken')]).toEqual([true, true, false]);
});
