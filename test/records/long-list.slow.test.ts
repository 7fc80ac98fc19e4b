import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadQueries } from '../../src/model/query/load-queries.js';
import { readTriples, writeTriples } from '../../src/rdf/ntriples.js';
import { blankNode, literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import { readList, readLongList, type ListRequest, type LongList } from '../../src/records/lists/list.js';
import { deriveIndex } from '../../src/records/search-index.js';
import type { EmbeddedStore } from '../../src/store/embedded-store.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { openMemoryStore } from '../../src/store/memory-store.js';
import { innerLabelUnder } from '../../src/store/relative-text.js';
import { base, ontology, record, storeOf } from './support.js';

const queries = await loadQueries(resolve(import.meta.dirname, '../../queries'), ontology);
const call = ontology.calls.find(({ name }) => name === 'get_problems');
const query = queries.get('get_problems');
if (!call || !query) throw new Error('the shipped ontology has problems');

const two = (number: number): string => String(number).padStart(2, '0');
const nameOf = (at: number): string => `${record}/problems/p${at}`;

/** A problem that says a number, and leads to an encounter that others lead to as well. */
function problem(at: number, version: number): NamedGraph {
  const own = namedNode(nameOf(at));
  const inner = blankNode('inner');
  return {
    name: own.value,
    quads: [
      quad(own, namedNode(rdf.type), namedNode(sp.Problem)),
      quad(own, namedNode(sp.belongsTo), namedNode(record)),
      quad(own, namedNode(sp.startDate), literal(`2010-01-${two((at % 28) + 1)}`)),
      quad(own, namedNode(sp.encounters), namedNode(`${record}/encounters/e${at % 3}`)),
      quad(own, namedNode(sp.notes), inner),
      quad(inner, namedNode(dcterms.title), literal(`version ${version}`)),
    ],
  };
}

function encounter(at: number, version: number): NamedGraph {
  const own = namedNode(`${record}/encounters/e${at}`);
  return {
    name: own.value,
    quads: [
      quad(own, namedNode(rdf.type), namedNode(sp.Encounter)),
      quad(own, namedNode(sp.belongsTo), namedNode(record)),
      quad(own, namedNode(dcterms.title), literal(`version ${version}`)),
    ],
  };
}

/** A record of which everything says the same number. */
const whole = (count: number, version: number): NamedGraph[] => [
  ...Array.from({ length: count }, (_, at) => problem(at, version)),
  ...[0, 1, 2].map((at) => encounter(at, version)),
];

const request = (page: Readonly<Record<string, string>> = {}): ListRequest => ({
  call,
  query,
  values: { record: namedNode(record), record_id: literal('7') },
  given: new Map(Object.entries(page).map(([name, value]) => [name, [value]])),
});

const brief = (page?: Readonly<Record<string, string>>): ListRequest => ({ ...request(page), isBrief: true });
const lines = (quads: readonly Quad[]): string[] => writeTriples(quads).split('\n').sort();
const quadsOf = ({ texts }: LongList): Quad[] =>
  readTriples(Buffer.concat(texts).toString(), innerLabelUnder(base));
const versionsIn = (quads: readonly Quad[]): Set<string> =>
  new Set(
    quads.filter(({ predicate }) => predicate.value === dcterms.title).map(({ object }) => object.value),
  );

async function readLong(store: EmbeddedStore, page?: Readonly<Record<string, string>>): Promise<LongList> {
  const list = await readList(store, ontology, brief(page));
  return readLongList(store, ontology, request(page), list);
}

beforeAll(() => expect(query.plan.along).toContain(sp.encounters));

describe('a long list', () => {
  it('is one of more than a hundred statements, which is told and not read', async () => {
    const store = await storeOf(whole(101, 1));
    const { quads, order, total, isLong } = await readList(store, ontology, brief());
    expect({ quads, total, isLong }).toEqual({ quads: [], total: 101, isLong: true });
    expect(order).toHaveLength(101);
    const page = await readList(store, ontology, brief({ limit: '100' }));
    expect(page.isLong).toBeUndefined();
    expect(page.quads.length).toBeGreaterThan(600);
    expect(page.next).toEqual({ limit: 100, offset: 0 });
  });

  it('is read whole where nobody asks for it in brief, and by an engine alone', async () => {
    const store = await storeOf(whole(101, 1));
    const list = await readList(store, ontology, request());
    const engine = openMemoryStore(base, deriveIndex(ontology));
    await engine.write({ replace: whole(101, 1) });
    const { stored: _, ...queried } = { ...engine, base, stored: undefined };
    const asked = await readList(
      {
        ...queried,
        construct: (sparql, scope) => engine.construct(sparql, scope),
        select: (sparql, scope) => engine.select(sparql, scope),
      },
      ontology,
      brief(),
    );
    expect(asked.isLong).toBeUndefined();
    expect(lines(list.quads)).toEqual(lines(asked.quads));
  });

  it('says in parts what it says as a whole, each graph once', async () => {
    const store = await storeOf(whole(350, 1));
    for (const page of [{}, { limit: '250' }, { limit: '150', offset: '170' }]) {
      const { quads, ...rest } = await readList(store, ontology, request(page));
      const long = await readLong(store, page);
      expect(long).toMatchObject(rest);
      expect(long.texts.length).toBeGreaterThan(1);
      expect(lines(quadsOf(long))).toEqual(lines(quads));
      const text = Buffer.concat(long.texts).toString();
      const about = text.split('\n').filter((line) => line.startsWith(`<${record}/encounters/e1> `));
      expect(about).toHaveLength(3);
    }
  });

  it('lets others have their turns of the event loop while it is read', async () => {
    const store = await storeOf(whole(900, 1));
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns++) await nextTurn();
    })();
    await readLong(store);
    isOver = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  it('is of one state when it is written to once, whenever that is', async () => {
    const store = await storeOf(whole(320, 1));
    for (let after = 0; after < 12; after++) {
      await store.write({ replace: whole(320, 1) });
      const reading = readLong(store);
      for (let turn = 0; turn < after; turn++) await nextTurn();
      const writing = store.write({ replace: whole(320, 2) });
      const long = await reading;
      await writing;
      expect(versionsIn(quadsOf(long)).size, `after ${after} turns`).toBe(1);
      expect(long.order).toHaveLength(320);
    }
  });

  it('is of one state when it is written to all the time', async () => {
    const store = await storeOf(whole(220, 0));
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      for (let version = 1; !isOver; version++) {
        await store.write({ replace: whole(220, version) });
        written++;
        await nextTurn();
      }
    })();
    for (let read = 0; read < 5; read++) {
      const long = await readLong(store);
      expect(versionsIn(quadsOf(long)).size).toBe(1);
    }
    isOver = true;
    await writing;
    expect(written).toBeGreaterThan(2);
  });

  it('names nothing that it does not say, whatever is removed meanwhile, and neither does a page', async () => {
    const store = await storeOf(whole(320, 1));
    let isOver = false;
    let removed = 0;
    const some = [3, 100, 250];
    const writing = (async () => {
      for (; !isOver; removed++) {
        await store.write({ remove: some.map(nameOf) });
        await store.write({ replace: some.map((at) => problem(at, 1)) });
      }
    })();
    const said = (quads: readonly Quad[]): Set<string> => new Set(quads.map(({ subject }) => subject.value));
    for (let read = 0; read < 40; read++) {
      const long = await readLong(store);
      const { quads, order, total } = await readList(store, ontology, request({ limit: '300' }));
      const [inLong, inPage] = [said(quadsOf(long)), said(quads)];
      expect(long.order.filter((name) => !inLong.has(name))).toEqual([]);
      expect(long.total).toBe(long.order.length);
      expect(order.filter((name) => !inPage.has(name))).toEqual([]);
      expect(total).toBeGreaterThanOrEqual(317);
    }
    isOver = true;
    await writing;
    expect(removed).toBeGreaterThan(40);
  });

  it('that is more than can be written together is refused, with what to do', async () => {
    const store = await storeOf(whole(250, 1));
    const found = await readList(store, ontology, brief());
    const { texts } = await readLongList(store, ontology, request(), found);
    const size = texts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    await expect(readLongList(store, ontology, request(), found, size)).resolves.toBeDefined();
    await expect(readLongList(store, ontology, request(), found, size - 1)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('ask for pages of it') as string,
    });
  });

  it('leaves out what was removed while it waited to be read', async () => {
    const store = await storeOf(whole(320, 1));
    const list = await readList(store, ontology, brief());
    await store.write({ remove: Array.from({ length: 310 }, (_, at) => nameOf(at + 10)) });
    const long = await readLongList(store, ontology, request(), list);
    expect(long.total).toBe(10);
    expect(long.order).toHaveLength(10);
    expect(lines(quadsOf(long))).toEqual(lines((await readList(store, ontology, request())).quads));
  });
});
