import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../setup/runs.js';
import { readListAnswer, writeRecord, type ReadList } from './chart.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { subjectsOf } from './rdfxml.js';

let container: TestContainer;
let token: Credentials;

beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token('random');
});
afterAll(() => container.stop());

async function list(path: string): Promise<ReadList> {
  const response = await container.request(`/records/random/${path}`, { as: token });
  expect(response.status, path).toBe(200);
  return readListAnswer(response);
}

const problem = (dates: readonly string[], code: string): string =>
  `<> a sp:Problem ; sp:problemName [ a sp:CodedValue ; dcterms:title "x" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/${code}> ] . ` +
  dates.map((date) => `<> sp:startDate "${date}" . `).join('');

// What follows knows nothing of the engine: it reads dates with Date and filters with arrays.

const period = (text: string): [number, number] | undefined => {
  const [, year, month, day, time] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T(.*))?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (time !== undefined) {
    const from = Date.parse(/[Z+-]/.test(time) ? text : `${text}Z`);
    return [from, from + 999];
  }
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const end = Date.UTC(y + (month ? 0 : 1), m + (month && !day ? 1 : 0), d + (day ? 1 : 0));
  return [Date.UTC(y, m, d), end - 1];
};

const keeps: Record<string, (stored: [number, number], given: [number, number]) => boolean> = {
  date_from: ([, end], [from]) => end >= from,
  date_from_excluding: ([, end], [, to]) => end > to,
  date_to: ([start], [, to]) => start <= to,
  date_to_excluding: ([start], [from]) => start < from,
};

interface Statement {
  readonly id: string;
  readonly dates: readonly string[];
  readonly code: string;
}

const two = (value: number): string => String(value).padStart(2, '0');
const date = fc
  .record({
    year: fc.constantFrom(2009, 2010, 2011),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    time: fc.constantFrom('00:00:00Z', '23:59:59', '10:30:00+02:00', '22:15:00-05:00'),
    parts: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ year, month, day, time, parts }) => {
    const all = [String(year), `-${two(month)}`, `-${two(day)}`, `T${time}`];
    return all.slice(0, parts).join('');
  });
const code = fc.constantFrom('1', '2', '3');
const statements = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z0-9]{1,3}$/),
    dates: fc.oneof(
      { weight: 6, arbitrary: date.map((one): readonly string[] => [one]) },
      { weight: 1, arbitrary: fc.constant<readonly string[]>([]) },
      { weight: 1, arbitrary: fc.tuple(date, date).map((both): readonly string[] => both) },
    ),
    code,
  }),
  { selector: ({ id }) => id, maxLength: 25 },
);
const filters = fc.record(
  {
    date_from: date,
    date_from_excluding: date,
    date_to: date,
    date_to_excluding: date,
    snomed: fc.uniqueArray(code, { minLength: 1 }).map((codes) => codes.join('|')),
  },
  { requiredKeys: [] },
);

function passes({ dates, code }: Statement, asked: Readonly<Record<string, string>>): boolean {
  return Object.entries(asked).every(([name, value]) => {
    if (name === 'snomed') return value.split('|').includes(code);
    const given = period(value) ?? [0, 0];
    return dates.some((each) => keeps[name]?.(period(each) ?? [0, 0], given));
  });
}

const newest = ({ dates }: Statement): number =>
  Math.max(-Infinity, ...dates.map((each) => period(each)?.[0] ?? -Infinity));
const inOrder = (all: readonly Statement[]): string[] =>
  [...all]
    .sort((a, b) => (newest(a) === newest(b) ? (a.id < b.id ? -1 : 1) : newest(a) > newest(b) ? -1 : 1))
    .map(({ id }) => id);

it('walking the pages of random lists sees what a naive filter keeps, each once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(statements, filters, fc.integer({ min: 1, max: 9 }), async (all, asked, limit) => {
      const own = all.map(({ id, dates, code }) => [`problems/${id}`, problem(dates, code)]);
      await writeRecord(container, 'random', Object.fromEntries(own) as Record<string, string>);
      const expected = inOrder(all.filter((statement) => passes(statement, asked)));
      const query = new URLSearchParams({ ...asked, limit: String(limit) });
      const seen: string[] = [];
      let path: string | undefined = `problems/?${query}`;
      while (path !== undefined) {
        const { order, quads, total, returned, next }: ReadList = await list(path);
        expect(total).toBe(expected.length);
        expect(returned).toBe(order.length);
        expect(subjectsOf(quads, 'Problem').map((iri) => iri.replace(/^.*\//, ''))).toEqual(
          [...order].sort(),
        );
        seen.push(...order);
        path = next?.slice(`${container.url}/records/random/`.length);
      }
      expect(seen).toEqual(expected);
      const whole = await list(`problems/?${new URLSearchParams({ ...asked })}`);
      expect(whole.order).toEqual(expected);
    }),
    { numRuns: runs(40) },
  );
});
