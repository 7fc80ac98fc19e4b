import { describe, expect, it } from 'vitest';
import { fhirPlace, resources, underOldName } from './support.js';

const { patient, request, taken, dispense } = resources;
const [ordered, told] = [
  { ...request, id: '7' },
  { ...taken, id: '7' },
];

/** What stands among the medications of the patient, and the code of each. */
const medicationsIn = (statements: Record<string, string[]>): string[] =>
  Object.entries(statements).flatMap(([path, lines]) => {
    const code = lines.find((line) => /^code \d/u.test(line));
    return path.startsWith('medications/') ? [`${path.slice('medications/'.length)}: ${code ?? ''}`] : [];
  });
const both = ['7: code 314076', 'MedicationStatement_7: code 243670'];

describe('an order and an intake with one id', () => {
  it('are two statements, in one file or two, in whatever order', async () => {
    for (const loads of [[[ordered, told]], [[told, ordered]], [[ordered], [told]], [[told], [ordered]]]) {
      const { load, statements } = await fhirPlace();
      await load([patient]);
      for (const content of loads) await load(content);
      expect(medicationsIn(statements('p1'))).toEqual(both);
    }
  });

  it('keep the link that leads to one of them', async () => {
    const { load, statements } = await fhirPlace();
    const authorizingPrescription = [{ reference: 'MedicationRequest/7' }];
    const { report } = await load([patient, ordered, told, { ...dispense, authorizingPrescription }]);
    expect(Object.keys(report.unresolved)).not.toContain('Fulfillment');
    expect(statements('p1')['fulfillments/d1']).toContain('medication 7');
  });

  it('have names that are no longer than those of statements may be', async () => {
    const { load, statements } = await fhirPlace();
    const id = 'x'.repeat(64);
    const { problems } = await load([patient, { ...taken, id }, { ...taken, id: `${id.slice(1)}y` }]);
    const names = Object.keys(statements('p1')).filter((path) => path.startsWith('medications/'));
    expect(problems).toEqual([]);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^medications\/MedicationStatement_[0-9a-f]{32}$/u);
  });

  it('go each for itself', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient, ordered, told]);
    expect(await load([{ ...told, status: 'entered-in-error' }])).toMatchObject({ removed: 1 });
    expect(medicationsIn(statements('p1'))).toEqual([both[0]]);
  });
});

describe('an intake that was loaded before version 0.27, without its type in the name', () => {
  it('is there once when it is loaded again', async () => {
    const { load, statements, primary } = await fhirPlace();
    await load([patient, told]);
    await underOldName(primary, 'p1', '7');
    expect(medicationsIn(statements('p1'))).toEqual(['7: code 243670']);
    expect(await load([told])).toMatchObject({ statements: 1, removed: 1 });
    expect(medicationsIn(statements('p1'))).toEqual([both[1]]);
    expect(await load([told])).toMatchObject({ changed: false, removed: 0 });
  });

  it('gives its name to the order of the same id when both are loaded again', async () => {
    for (const content of [
      [ordered, told],
      [told, ordered],
    ]) {
      const { load, statements, primary } = await fhirPlace();
      await load([patient, told]);
      await underOldName(primary, 'p1', '7');
      await load(content);
      expect(medicationsIn(statements('p1'))).toEqual(both);
    }
  });

  it('goes when it was entered in error, and stays where the newer version is left out', async () => {
    const { load, statements, primary } = await fhirPlace();
    await load([patient, told]);
    await underOldName(primary, 'p1', '7');
    const { report } = await load([{ ...told, effectivePeriod: { start: 'soon' } }]);
    expect(Object.keys(report.outdated)).toEqual(['MedicationStatement/7']);
    expect(medicationsIn(statements('p1'))).toEqual(['7: code 243670']);
    expect(await load([{ ...told, status: 'entered-in-error' }])).toMatchObject({ removed: 1 });
    expect(medicationsIn(statements('p1'))).toEqual([]);
  });

  it('takes out no order that has the name', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient, ordered]);
    await load([told]);
    await load([{ ...told, status: 'entered-in-error' }]);
    expect(medicationsIn(statements('p1'))).toEqual([both[0]]);
  });
});
