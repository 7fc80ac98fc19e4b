import { describe, expect, it } from 'vitest';
import { literal, namedNode, type Term } from '../../src/rdf/terms.js';
import { QueryTemplate } from '../../src/model/query/template.js';
import { readList } from '../../src/records/lists/list.js';
import type { GraphStore } from '../../src/store/graph-store.js';
import { ontology } from './support.js';

const call = ontology.callByName.get('get_allergies');
if (!call) throw new Error('the ontology has no such call');
const query = new QueryTemplate(
  call.name,
  'list.rq',
  'CONSTRUCT { ?s ?p ?o } WHERE { { SELECT ?s WHERE { GRAPH ?s { ?s a $record }\n#:filters\n }\n#:page\n } GRAPH ?s { ?s ?p ?o } }',
);

/** A list of so many members, and how often the store was asked for members and for their number. */
async function read(members: number, limit: number, offset = 0) {
  const asked = { members: 0, count: 0 };
  const select = (sparql: string): Promise<Record<string, Term>[]> => {
    if (sparql.includes('COUNT')) {
      asked.count++;
      return Promise.resolve([{ count: literal(String(members)) }]);
    }
    asked.members++;
    const most = Number(/LIMIT (\d+)/.exec(sparql)?.[1]);
    const found = Math.max(0, Math.min(most, members - offset));
    return Promise.resolve(
      Array.from({ length: found }, (_, at) => ({ s: namedNode(`http://a.example/${offset + at}`) })),
    );
  };
  const store = { base: 'http://a.example', select, construct: () => Promise.resolve([]) };
  const { order, total, next } = await readList(store as unknown as GraphStore, ontology, {
    call: call as NonNullable<typeof call>,
    query,
    values: { record: namedNode('http://a.example/records/1') },
    given: new Map([
      ['limit', [String(limit)]],
      ['offset', [String(offset)]],
    ]),
  });
  return { shown: order.length, total, next, asked };
}

describe('the total of a list', () => {
  it.each([
    //  members limit offset   shown total next offset, counts
    [0, 10, 0, /*          */ [0, 0, undefined, 0]],
    [10, 10, 0, /*         */ [10, 10, undefined, 0]],
    [11, 10, 0, /*         */ [10, 11, 0, 0]],
    [2009, 10, 0, /*       */ [10, 2009, 0, 0]],
    [2010, 10, 0, /*       */ [10, 2010, 0, 1]],
    [9000, 10, 0, /*       */ [10, 9000, 0, 1]],
    [9000, 10, 8995, /*    */ [5, 9000, undefined, 0]],
    [9000, 10, 9500, /*    */ [0, 9000, undefined, 1]],
  ] as const)(
    'of %i is told with a page of %i after %i, and counted only where the page does not tell it',
    async (members, limit, offset, expected) => {
      const { shown, total, next, asked } = await read(members, limit, offset);
      expect([shown, total, next?.offset, asked.count]).toEqual(expected);
      expect(asked.members).toBe(1);
    },
  );
});
