import { describe, expect, it } from 'vitest';
import { withheld } from '../../src/analysts/routes/aggregate-answer.js';
import { readHead } from '../../src/model/analyses/read-head.js';

const row = (cells: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [name, { type: 'literal' as const, value: String(value) }]),
  );
const shownOf = (rows: Record<string, string | number>[], counts = ['patients', 'judged', 'abnormal']) =>
  withheld(rows.map(row), { counts, shown: ['test'] }).map((each) =>
    Object.fromEntries(Object.entries(each).map(([name, { value }]) => [name, value])),
  );

describe('of the rows of an analysis', () => {
  it('those of fewer than 11 patients are withheld, and columns that are not named', () => {
    const rows = [
      { test: 'a', patients: 40, least: 3 },
      { test: 'b', patients: 11, least: 3 },
      { test: 'c', patients: 10, least: 3 },
      { test: 'd', patients: 1, least: 3 },
    ];
    expect(shownOf(rows)).toEqual([
      { test: 'a', patients: '40' },
      { test: 'b', patients: '11' },
    ]);
  });

  it('the one with the fewest patients goes with a single one, which the total would give back', () => {
    const rows = [40, 12, 30, 3].map((patients) => ({ test: `of ${patients}`, patients }));
    expect(shownOf(rows).map(({ test }) => test)).toEqual(['of 30', 'of 40']);
    expect(shownOf([{ test: 'a', patients: 40 }])).toHaveLength(1);
    expect(shownOf([{ test: 'a', patients: 4 }])).toEqual([]);
  });

  it('one without a number of patients is withheld', () => {
    expect(shownOf([{ test: 'a' }, { test: 'b', patients: 'many' }])).toEqual([]);
  });

  it('other counts from 1 to 10 are left empty, and those that leave 1 to 10 of another', () => {
    const rows = [
      { test: 'few', patients: 20, judged: 30, abnormal: 10 },
      { test: 'rest', patients: 20, judged: 30, abnormal: 25 },
      { test: 'shown', patients: 20, judged: 30, abnormal: 15 },
      { test: 'none', patients: 20, judged: 30, abnormal: 0 },
      { test: 'all', patients: 20, judged: 30, abnormal: 30 },
    ];
    expect(shownOf(rows).map(({ test, judged, abnormal }) => [test, judged, abnormal])).toEqual([
      ['all', '30', '30'],
      ['few', '30', undefined],
      ['none', '30', '0'],
      ['rest', '30', undefined],
      ['shown', '30', '15'],
    ]);
  });

  it('none tells by its place what is left out of it', () => {
    const rows = [
      { test: '2160-0', patients: 28, judged: 28, abnormal: 15 },
      { test: '10230-1', patients: 28, judged: 28, abnormal: 25 },
      { test: '718-7', patients: 28, judged: 28, abnormal: 15 },
    ];
    expect(shownOf(rows).map(({ test }) => test)).toEqual(['718-7', '2160-0', '10230-1']);
  });
});

describe('the head of an analysis', () => {
  it('says which columns count and which are shown', () => {
    expect(readHead('# A\n# aggregate: patients results by year mean\nSELECT').aggregate).toEqual({
      counts: ['patients', 'results'],
      shown: ['year', 'mean'],
    });
    expect(readHead('# A\n# aggregate: patients\nSELECT').problems).toEqual([
      { line: 2, reason: expect.stringContaining('"aggregate: "') as string },
    ]);
  });
});
