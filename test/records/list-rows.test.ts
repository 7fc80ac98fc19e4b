import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromListIndex,
  LIST_INSTANT,
  listStatements,
  type ListIndex,
} from '../../src/model/query/index/list-index.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { inListOrder } from '../../src/records/lists/members.js';
import type { Row } from '../../src/store/graph-store.js';
import { openMemoryStore } from '../../src/store/memory-store.js';

const BASE = 'http://localhost:7000';
const INDEX: ListIndex = { target: sp.Problem, classes: [sp.Problem], dates: [sp.startDate] };

/** Members with any dates, their ids of characters from all of Unicode. */
const MEMBERS = fc.uniqueArray(
  fc.record({
    id: fc.array(fc.constantFrom('a', 'B', '~', 'é', '\u{ffee}', '𝄞', '😀'), {
      minLength: 1,
      maxLength: 3,
    }),
    dates: fc.array(fc.constantFrom('2009', '2010-06', '2010-06-15T23:30:00-05:00', '0000', 'soon'), {
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 12, selector: ({ id }) => id.join('') },
);

const stated = (name: string) => quad(namedNode(name), namedNode(rdf.type), namedNode(sp.Problem));
const recordOf = (statement: string): string => statement.slice(0, statement.lastIndexOf('/'));

describe('members by what the index says of them', () => {
  it('stand in the order in which the store would sort them, each once', async () => {
    const dates = new Map<string, readonly string[]>();
    const store = openMemoryStore(BASE, (name) =>
      listStatements(name, recordOf(name), INDEX, dates.get(name) ?? []),
    );
    let records = 0;
    await fc.assert(
      fc.asyncProperty(MEMBERS, async (members) => {
        const record = `${BASE}/records/${records++}`;
        const names = members.map(({ id }) => `${record}/${id.join('')}`);
        for (const [at, each] of members.entries()) dates.set(names[at] ?? '', each.dates);
        await store.write({ replace: names.map((name) => ({ name, quads: [stated(name)] })) });
        const { pattern, orderBy } = fromListIndex(record, INDEX, 's');
        const sorted = await store.select(`SELECT DISTINCT ?s { ${pattern} } ORDER BY ${orderBy}`);
        const rows = await store.select(`SELECT ?${LIST_INSTANT} ?s { ${pattern} }`);
        const iris = (found: readonly Row[]) => found.map((row) => row['s']?.value);
        expect(iris(inListOrder(rows, 's'))).toEqual(iris(sorted));
        expect(sorted).toHaveLength(members.length);
      }),
      { seed: 20261124 },
    );
    await store.close();
  });
});
