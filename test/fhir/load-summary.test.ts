import { describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/fhir/import-tally.js';
import { summaryLines, summaryOf, type LoadSummary, type Lost } from '../../src/fhir/load-summary.js';
import { fhirPlace, mapping, resources, snomed, type Resource } from './support.js';

const { condition, allergy, request, laboratory, encounter, organization } = resources;
// With one name: a second one is told.
const patient = { ...resources.patient, name: resources.patient.name.slice(1) };

/** The summary of a load of some resources into an empty container. */
async function summed(...content: readonly Resource[]): Promise<LoadSummary> {
  const { load } = await fhirPlace();
  const { report } = await load(content);
  return summaryOf([{ file: 'one.json', fhir: report }], mapping.losses);
}
const whats = (lost: readonly Lost[]): string[] => lost.map(({ what }) => what).sort();
/** What of some resources lost its meaning. */
const meaningOf = async (...content: readonly Resource[]): Promise<string[]> =>
  whats((await summed(patient, ...content)).loss.meaning);

describe('what is lost when resources are loaded', () => {
  it('is bookkeeping in plain R4', async () => {
    const category = [
      {
        coding: [
          { system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' },
        ],
      },
    ];
    const plain = { ...request, requester: undefined, priority: 'routine', doNotPerform: false };
    const { loss, unmapped } = await summed({ ...patient, active: true }, { ...laboratory, category }, plain);
    expect([loss.meaning, loss.content, unmapped]).toEqual([[], [], 0]);
    expect(loss.bookkeeping).toBeGreaterThan(0);
  });

  it.each<[string, Resource, string[]]>([
    [
      'modifierExtension in an element that is read',
      { ...condition, note: [{ text: 'Found.', modifierExtension: [{ url: 'urn:x', valueBoolean: true }] }] },
      ['Condition.note.modifierExtension'],
    ],
    ['a result of another kind', { ...laboratory, valueSampledData: {} }, ['Observation.valueSampledData']],
    ['an element that says nothing of it', { ...condition, severity: { text: 'bad' } }, []],
  ])('is its meaning with %s, or not', async (_, resource, expected) => {
    expect(await meaningOf(resource)).toEqual(expected);
  });

  it.each([
    ['modifierExtension', [{ url: 'urn:x', valueBoolean: true }]],
    ['implicitRules', 'urn:rules'],
  ])('is the whole resource with its own %s', async (name, value) => {
    const { loss } = await summed(patient, { ...condition, [name]: value });
    expect([loss.meaning, loss.content]).toEqual([
      [],
      [expect.objectContaining({ what: 'Condition', count: 1, of: 1 })],
    ]);
    expect(loss.content[0]?.reason).toContain(`Condition.${name} can change what it says`);
  });

  it('is the meaning of what is not in use, or not valid, any more, by the value', async () => {
    for (const [active, expected] of [
      [false, ['Patient.active']],
      [true, []],
    ] as const)
      expect(whats((await summed({ ...patient, active })).loss.meaning)).toEqual(expected);
    const participant = { serviceProvider: { reference: 'Organization/org' } };
    expect(await meaningOf({ ...organization, active: false }, { ...encounter, ...participant })).toEqual([
      'Organization.active',
    ]);
  });

  it('is nothing of a resource that gave no statement', async () => {
    const odd = { ...condition, implicitRules: 'urn:rules', severity: { text: 'bad' } };
    const { loss } = await summed(patient, { ...odd, code: { text: 'odd' } });
    expect([loss.meaning, loss.bookkeeping]).toEqual([[], 0]);
  });

  it('is counted apart from what is left out on purpose', async () => {
    const { loss, omitted, unmapped } = await summed(
      patient,
      { ...condition, id: 'text', code: { text: 'odd' } },
      { ...condition, id: 'wrong', verificationStatus: { coding: [{ code: 'entered-in-error' }] } },
      { ...request, status: 'cancelled' },
      { resourceType: 'Claim', id: 'x' },
    );
    expect(unmapped).toBe(2);
    expect(loss.meaning).toEqual([]);
    expect(loss.content).toEqual([
      expect.objectContaining({ what: 'Claim', count: 1, of: 1 }),
      expect.objectContaining({ what: 'Condition', count: 1, of: 2 }),
    ]);
    expect(omitted.map(({ what, reason }) => [what, reason])).toEqual([
      ['Condition', 'entered in error'],
      ['MedicationRequest', 'cancelled'],
    ]);
  });

  it('is an allergy of an unknown system in the words of the tables', async () => {
    const { loss } = await summed(patient, {
      ...allergy,
      code: { coding: [{ system: 'urn:x', code: '1' }] },
    });
    expect(loss.content).toMatchObject([
      { reason: 'none of their codes is RxNorm, UNII, NDF-RT or SNOMED CT', of: 1 },
    ]);
  });
});

describe('characters that XML does not have', () => {
  it('become U+FFFD and cost no statement, wherever they stand, and are told', async () => {
    const { load, statements } = await fhirPlace();
    const { report } = await load([
      { ...patient, address: [{ line: ['1 Road\u000bFlat 2'], city: 'Town' }] },
      { ...condition, code: snomed('195967001', 'Asth\u0002ma'), note: [{ text: 'one\u001etwo\ufffe' }] },
      { ...condition, id: 'c2', note: [{ text: 'one\r\n\ttwo\u0085\u2028\u202e' }] },
    ]);
    expect(report.invalid).toEqual({});
    expect(statements('p1').demographics).toContain('street-address 1 Road\ufffdFlat 2');
    expect(statements('p1')['problems/c1']).toEqual(
      expect.arrayContaining(['title Asth\ufffdma', 'notes one\ufffdtwo\ufffd']),
    );
    expect(statements('p1')['problems/c2']).toContain('notes one\r\n\ttwo\u0085\u2028\u202e');
    expect(report.cleaned).toEqual({
      Demographics: { count: 1, example: 'Patient at line 1, entry 0' },
      Problem: { count: 1, example: 'Condition at line 1, entry 1' },
    });
    const { loss } = summaryOf([{ file: 'one.json', fhir: report }], mapping.losses);
    const told = loss.content.filter(({ reason }) => reason.includes('U+FFFD'));
    expect(whats(told)).toEqual(['Demographics', 'Problem']);
  });
});

describe('the summary', () => {
  const seen = (count: number) => ({ count, example: 'Observation at line 2' });
  const report = (part: Partial<ImportReport>): ImportReport => {
    const none = Object.fromEntries(
      [
        'kept',
        'unread',
        'unresolved',
        'invalid',
        'cleaned',
        'outdated',
        'undeleted',
        'elsewhere',
        'renamed',
        'otherVersions',
        'remarks',
        'others',
      ].map((kind) => [kind, {}]),
    );
    return { resources: {}, statements: {}, meaning: {}, ...none, ...part } as ImportReport;
  };
  const linesFor = (...reports: readonly ImportReport[]): string[] =>
    summaryLines(
      summaryOf(
        reports.map((fhir, at) => ({ file: `${at}.ndjson`, fhir })),
        mapping.losses,
      ),
    );

  it('counts a kind of loss once over all files, the worst first and bookkeeping as one number', () => {
    const fhir = report({
      resources: {
        Condition: { resources: 20, mapped: 18, reasons: { 'no record is known for its patient': seen(2) } },
      },
      meaning: { 'Observation.valueQuantity.comparator': seen(3) },
      unread: { 'Observation.method': seen(5), 'Observation.device': seen(1) },
      outdated: { 'Condition/c1': seen(1), 'Condition/c2': seen(1) },
    });
    expect(linesFor(fhir, fhir)).toEqual([
      'Meaning was lost:',
      '  6 Observation.valueQuantity.comparator: a bound, such as < 5, is read as the value itself (first: 0.ndjson: Observation at line 2)',
      '  4 Condition: an older version still stands, since the newer one was left out (first: 0.ndjson: Observation at line 2, Condition/c1)',
      'Content was lost:',
      '  4 of 40 Condition: no record is known for its patient (first: 0.ndjson: Observation at line 2)',
      'Other elements that were not read: 12.',
    ]);
  });

  it('is empty where nothing was lost, and a screen at most', () => {
    const many = (name: string) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [name + String(at), seen(1)]));
    expect(linesFor(report({}))).toEqual([]);
    const lines = linesFor(
      report({
        resources: Object.fromEntries(
          Array.from({ length: 50 }, (_, at) => [
            `Type${at}`,
            { resources: 2, mapped: 0, omitted: { deleted: seen(2) } },
          ]),
        ),
        meaning: many('Condition.x'),
        invalid: many('Problem: '),
        elsewhere: many('Condition/c'),
        others: many('birth date of record '),
        unread: many('Condition.y'),
      }),
    );
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines).toContain('  44 more kinds: --json.');
  });
});
