import { describe, expect, it } from 'vitest';
import type { ShownStatement } from '../../../src/pages/shown/shown-statement.js';
import { timeline } from '../../../src/pages/shown/timeline.js';

const at = (...dates: string[]): ShownStatement[] => dates.map((date) => ({ date }) as ShownStatement);
const datesOf = (statements: readonly ShownStatement[]): (string | undefined)[] =>
  statements.map(({ date }) => date);

it('puts kinds together by time, the latest first, and leaves out what has no date', () => {
  const { statements, before } = timeline(
    [
      { statements: at('2024-03', '2020'), more: false },
      { statements: [...at('2024-03-05', '2021-01-01'), {} as ShownStatement], more: false },
    ],
    10,
  );
  expect(datesOf(statements)).toEqual(['2024-03-05', '2024-03', '2021-01-01', '2020']);
  expect(before).toBeUndefined();
});

it('shows nothing earlier than what was read of a kind, and says where to go on', () => {
  const { statements, before } = timeline(
    [
      { statements: at('2024-05-05', '2023-01-01', '2022-01-01'), more: true },
      { statements: at('2022-06-01', '2010-01-01'), more: false },
    ],
    10,
  );
  expect(datesOf(statements)).toEqual(['2024-05-05', '2023-01-01', '2022-06-01']);
  expect(before).toBe('2022-06-01');
});

it('cuts no day in two', () => {
  const { statements, before } = timeline(
    [{ statements: at('2024-05-05', '2023-01-01T10:00Z', '2023-01-01T09:00Z', '2022'), more: false }],
    2,
  );
  expect(datesOf(statements)).toEqual(['2024-05-05', '2023-01-01T10:00Z', '2023-01-01T09:00Z']);
  expect(before).toBe('2023-01-01');
});

it('goes back some days, however much the first of them holds', () => {
  const all = at('2024-05-05', '2024-05-05', '2024-05-04', '2024-05-03', '2024-05-01');
  const { statements, before } = timeline([{ statements: all, more: false }], 2, 3);
  expect(datesOf(statements)).toEqual(datesOf(all.slice(0, 4)));
  expect(before).toBe('2024-05-03');
});

it('goes on when one day holds more than is read of a kind', () => {
  const day = { statements: at('2024-05-05', '2024-05-05'), more: true };
  const { statements, before } = timeline([day, { statements: at('2020'), more: false }], 10);
  expect(datesOf(statements)).toEqual(['2024-05-05', '2024-05-05']);
  expect(before).toBe('2024-05-05');
});

describe('a stay that a day would split', () => {
  const stay = (date: string, until: string): ShownStatement => ({ date, until }) as ShownStatement;
  const last = stay('2021-04-04T02:00Z', '2021-04-08');
  const first = stay('2021-03-25', '2021-04-04T02:00Z');
  const all = [...at('2021-04-21', '2021-04-08', '2021-04-05T09:00Z'), last];
  const partOf = (statements: ShownStatement[], stays: ShownStatement[], more = false) =>
    datesOf(timeline([{ statements, more }], 2, 1, stays).statements);

  it('is shown from its beginning, but not the one that had ended when it began', () => {
    const days = [...all, ...at('2021-04-03'), first];
    expect(partOf(days, [last, first])).toEqual(datesOf(all));
    expect(partOf(days, [])).toEqual(datesOf(all.slice(0, 2)));
  });

  it('goes back to the one before where something of the day was in it', () => {
    const days = [...all.slice(1), ...at('2021-04-04T01:00Z', '2021-04-03'), first];
    expect(partOf(days, [last, first])).toEqual(datesOf(days));
  });

  it('stays split if not all of it was read, or if it lasted for months', () => {
    const long = stay('2020-12-01', '2021-04-30');
    expect(partOf(all.slice(1, 3), [last], true)).toEqual(['2021-04-08']);
    expect(partOf([...all.slice(1, 3), ...at('2021-01-01'), long], [long])).toEqual(datesOf(all.slice(1, 3)));
  });
});

it('is empty without statements', () => {
  expect(timeline([], 10)).toEqual({ statements: [] });
});
