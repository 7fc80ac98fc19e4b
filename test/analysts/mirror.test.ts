import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Oxigraph from 'oxigraph';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { levelText } from '../../src/analysts/level-text.js';
import { deidentifier } from '../../src/analysts/deidentify/view.js';
import { mirror } from '../../src/analysts/mirror/mirror.js';
import type { MirrorOptions } from '../../src/analysts/mirror/mirror-run.js';
import { mirrorSource, type MirrorSourceOptions } from '../../src/analysts/mirror/mirror-source.js';
import { MIRROR, stateUpdate } from '../../src/analysts/mirror/mirror-state.js';
import { ServerAway, type SparqlServer } from '../../src/analysts/mirror/sparql-server.js';
import { pseudonymKey } from '../../src/analysts/deidentify/pseudonyms.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { HistoryLost } from '../../src/store/postgres/shared-store.js';
import { Problem } from '../../src/model/problem.js';
import { writeTriples } from '../../src/rdf/ntriples.js';
import { nameInnerNodes } from '../rdf/inner-nodes.js';
import { literal, namedNode, quad, type Term } from '../../src/rdf/terms.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { base, inventedGraphs, ontology } from './containers.js';
import { heldBy, identifiersOf } from './identifiers.js';

const { Store } = createRequire(import.meta.url)('oxigraph') as typeof Oxigraph;

/** A server in memory, which can be away. */
class MemoryServer implements SparqlServer {
  readonly sent: string[] = [];
  readonly asked: string[] = [];
  /** Called before each request; what it throws is what comes of that. */
  before: () => void = () => undefined;
  store = new Store();
  /** Whether it takes N-Quads; what it makes of them. */
  loads: ((nquads: string) => string) | undefined;

  get isLoader() {
    return this.loads !== undefined;
  }

  async load(nquads: AsyncIterable<Uint8Array>) {
    let all = '';
    for await (const bytes of nquads) all += Buffer.from(bytes).toString();
    await this.#try(() => this.store.load(this.loads?.(all) ?? '', { format: 'application/n-quads' }));
  }

  select(query: string) {
    return this.#try(() => {
      this.asked.push(query);
      const rows = this.store.query(query) as Map<string, Term>[];
      return rows.map((row) =>
        Object.fromEntries([...row].map(([name, { value }]) => [name, { type: 'uri' as const, value }])),
      );
    });
  }

  update(text: string) {
    return this.#try(() => {
      this.sent.push(text);
      this.store.update(text);
    });
  }

  /** What it holds but what it tells of itself and of dates, which stay when no graph has them any more. */
  content(): string[] {
    const text = this.store.dump({ format: 'application/n-quads' });
    const isOurs = (line: string): boolean => line !== '' && !line.includes(`<${MIRROR}> .`);
    return text
      .split('\n')
      .filter((line) => isOurs(line) && !line.startsWith('<urn:chartgraph:date:'))
      .sort();
  }

  #try<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.before();
      resolve(work());
    });
  }
}

const problem = (number: number, title = 'Diabetes'): NamedGraph => {
  const name = `${base}/records/5000001/problems/x${number}`;
  const s = namedNode(name);
  // Which the ontology has no title of.
  const code = namedNode('http://purl.bioontology.org/ontology/SNOMEDCT/90000007');
  return {
    name,
    quads: [
      quad(s, namedNode(rdf.type), namedNode(sp.Problem)),
      quad(s, namedNode(sp.startDate), literal('2010-06-0' + (number % 10))),
      quad(s, namedNode(sp.code), code),
      quad(code, namedNode(rdf.type), namedNode(sp.Code)),
      quad(code, namedNode(dcterms.title), literal(title)),
    ],
  };
};

const graphs = inventedGraphs(2);
let directory: DataDirectory;
let primary: PrimaryStore;
let server: MemoryServer;

beforeAll(async () => {
  directory = await openDataDirectory(join(await mkdtemp(join(inject('scratch'), 'mirror-')), 'data'), {
    create: true,
  });
  primary = openPrimaryStore(directory, base);
  await primary.write({ replace: [...graphs] });
});
afterAll(() => directory.close());
beforeEach(() => {
  server = new MemoryServer();
});

const source = (given: Partial<MirrorSourceOptions> = {}) =>
  mirrorSource({ directory, primary, ontology, digest: 'a', version: '1', level: 'deidentified', ...given });
/** The data directory as one that is a copy. */
const withCurrent = (current: () => Promise<void>): DataDirectory =>
  new Proxy(directory, {
    get: (target, name) => {
      if (name === 'current') return current;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
const up = (given: Partial<MirrorOptions> = {}): Promise<number> =>
  mirror({
    source: source({ level: given.level ?? 'deidentified' }),
    server,
    level: 'deidentified',
    place: undefined,
    once: true,
    signal: new AbortController().signal,
    pause: 1,
    ...given,
  });

/** What the process of analysts would be filled with. */
async function filled(): Promise<string[]> {
  const readGraph = (graph: string) => primary.graph(graph) ?? [];
  const view = deidentifier({ ontology, base, key: pseudonymKey(directory.accountKey), readGraph });
  const textOf = levelText(view, { base, ontology });
  const all = new MemoryServer();
  for (const name of primary.names())
    all.store.load(textOf(name, writeTriples(await nameInnerNodes(name, readGraph(name)))), {
      format: 'application/n-quads',
    });
  return all.content();
}

const told = (property: string): string[] =>
  (
    server.store.query(`SELECT ?v { GRAPH <${MIRROR}> { <${MIRROR}> <${property}> ?v } }`) as Map<
      string,
      Term
    >[]
  ).map((row) => row.get('v')?.value ?? '');

test('it holds what the process of analysts is filled with, and tells its revision', async () => {
  const revision = await up();
  expect(server.content()).toEqual(await filled());
  expect(server.content().length).toBeGreaterThan(1000);
  expect(told(dcterms.hasVersion)).toEqual([String(revision)]);
  expect(revision).toBe(primary.revision(''));
});

test('nothing that tells who somebody is leaves the container at the de-identified level', async () => {
  await up();
  const all = server.sent.join('\n');
  expect(identifiersOf(graphs).length).toBeGreaterThan(10);
  expect(heldBy(all, identifiersOf(graphs))).toEqual([]);
  expect(all).not.toContain(`${base}/records/`);
});

test('it goes on from the revision that it tells, and sends what changed alone', async () => {
  await primary.write({ replace: [problem(1), problem(2)] });
  await up();
  server.sent.length = 0;
  await up();
  expect(server.sent).toEqual([]);
  await primary.write({ replace: [problem(2), problem(3)], remove: [problem(1).name] });
  await up();
  expect(server.sent.length).toBe(1);
  expect(server.sent[0]?.length).toBeLessThan(20_000);
  expect(server.content()).toEqual(await filled());
});

test('a code keeps the title that came first, in one run and in the next, and graphs keep their own', async () => {
  const titles = (within: string): string[] =>
    (
      server.store.query(
        `SELECT ?t { ${within} { ?c <${dcterms.title}> ?t FILTER (CONTAINS(STR(?c), "90000007")) } }`,
      ) as Map<string, Term>[]
    ).map((row) => row.get('t')?.value ?? '');
  await primary.write({ replace: [problem(4)] });
  await up();
  await primary.write({ replace: [problem(5, 'Diabetes, said otherwise')] });
  await up();
  expect(titles('')).toEqual(['Diabetes']);
  expect(titles('GRAPH ?g')).toContain('Diabetes, said otherwise');
  await primary.write({ remove: [problem(5).name] });
  await up();
  expect(titles('')).toEqual(['Diabetes']);
  expect(titles('GRAPH ?g')).not.toContain('Diabetes, said otherwise');
});

test('the graph that stands in the place of the default one has the same', async () => {
  const place = 'urn:example:patients';
  await up({ place });
  await primary.write({ replace: [problem(6)] });
  await up({ place });
  await primary.write({ remove: [problem(6).name] });
  await up({ place });
  const own = server.content().filter((line) => !line.endsWith(`<${place}> .`));
  const merged = server.content().flatMap((line) => {
    const end = ` <${place}> .`;
    return line.endsWith(end) ? [`${line.slice(0, -end.length)} .`] : [];
  });
  expect([...own, ...merged].sort()).toEqual(await filled());
});

test('a server that does not show what it was sent is given up with a sentence', async () => {
  const shows = (select: SparqlServer['select']) => {
    let sent = 0;
    const update = () => Promise.resolve(void sent++);
    return { server: { select, update, isLoader: false, load: update }, sent: () => sent };
  };
  const sentence = /look whether --to and --update lead to the same dataset/u;
  const nothing = shows(() => Promise.resolve([]));
  for (const once of [true, false])
    await expect(up({ server: nothing.server, once })).rejects.toThrow(sentence);
  expect(nothing.sent()).toBeLessThan(50);
  // One that goes on to show what was taken away.
  const stuck = shows((query) =>
    Promise.resolve(query.includes('DISTINCT') ? [{ g: { type: 'uri', value: `${base}/records/1` } }] : []),
  );
  await expect(up({ server: stuck.server })).rejects.toThrow(sentence);
  expect(stuck.sent()).toBeLessThan(10);
});

test('a server that is away is asked again, for longer and longer', async () => {
  const waits: number[] = [];
  let left = 4;
  server.before = () => {
    if (left-- > 0) throw new ServerAway('it does not answer');
  };
  await up({ onAway: (_, seconds) => waits.push(seconds * 1000) });
  expect(waits).toEqual([2, 4, 8, 16]);
  expect(server.content()).toEqual(await filled());
});

test('it waits for the shared store of its own container, too, unless its copy has to be made anew', async () => {
  const away = (sentence: string, cause?: unknown) => new Problem('unavailable', sentence, { cause });
  let left = 2;
  const current = () =>
    left-- > 0
      ? Promise.reject(away('The shared store cannot be reached at the moment; try again.'))
      : Promise.resolve();
  const told: string[] = [];
  await up({
    source: source({ directory: withCurrent(current) }),
    onAway: (sentence) => told.push(sentence),
  });
  expect(told).toEqual(Array(2).fill('The shared store cannot be reached at the moment'));
  expect(server.content()).toEqual(await filled());
  const lost = () => Promise.reject(away('Restart the gateway.', new HistoryLost()));
  await expect(up({ source: source({ directory: withCurrent(lost) }), once: false })).rejects.toThrow(
    'Restart the gateway.',
  );
});

test('what breaks off in the middle goes on where it was', async () => {
  let requests = 0;
  server.before = () => {
    if (++requests === 6) throw new ServerAway('it does not answer');
  };
  await up();
  expect(server.sent.filter((text) => text.startsWith('CLEAR SILENT DEFAULT')).length).toBe(1);
  expect(server.content()).toEqual(await filled());
});

test('a server that has lost everything meanwhile is filled anew', async () => {
  let requests = 0;
  server.before = () => {
    if (++requests !== 6) return;
    server.store = new Store();
    throw new ServerAway('it does not answer');
  };
  await up();
  expect(server.content()).toEqual(await filled());
});

test('a server that is away is asked before its time when somebody wants an answer', async () => {
  let left = 2;
  server.before = () => {
    if (left-- > 0) throw new ServerAway('it does not answer');
  };
  await up({ pause: 60_000, rest: () => Promise.resolve() });
  expect(server.content()).toEqual(await filled());
});

test('a load that breaks off is sent again, and one that breaks off each time is given up', async () => {
  let left = 1;
  server.loads = (nquads) => {
    if (left-- > 0) throw new ServerAway('it does not answer');
    return nquads;
  };
  const waits: number[] = [];
  await up({ onAway: (_, seconds) => waits.push(seconds) });
  expect(waits.length).toBe(1);
  expect(server.content()).toEqual(await filled());
  server = new MemoryServer();
  left = Infinity;
  server.loads = () => {
    throw new ServerAway('it does not answer');
  };
  await expect(up()).rejects.toThrow(ServerAway);
});

test('once gives up a server that stays away', async () => {
  let asked = 0;
  server.before = () => {
    asked++;
    throw new ServerAway('it does not answer');
  };
  await expect(up()).rejects.toThrow(ServerAway);
  expect(asked).toBe(5);
});

test('without once it follows what is written, until it is ended', async () => {
  const ended = new AbortController();
  const revisions: number[] = [];
  const current = new Promise<void>((resolve) => {
    void up({
      once: false,
      signal: ended.signal,
      onCurrent: (revision) => {
        revisions.push(revision);
        resolve();
      },
    }).catch(() => undefined);
  });
  await current;
  const revision = await primary.write({ replace: [problem(7)] });
  await expect.poll(() => told(dcterms.hasVersion), { interval: 5 }).toEqual([String(revision)]);
  // Started anew in the meantime, without anything: it takes the next change as if it had all the others.
  server.store = new Store();
  const next = await primary.write({ remove: [problem(7).name] });
  await expect.poll(() => told(dcterms.hasVersion), { interval: 5 }).toEqual([String(next)]);
  ended.abort();
  expect(server.content()).toEqual(await filled());
  expect(revisions.length).toBe(1);
});

test('of two commands that feed one server, the first one ends with a sentence', async () => {
  let isCurrent: () => void = () => undefined;
  const current = new Promise<void>((resolve) => (isCurrent = resolve));
  const first = up({ once: false, onCurrent: isCurrent });
  const ends = expect(first).rejects.toThrow('Another mirror has taken the place of this one on the server');
  await current;
  await up({ source: source({ digest: 'b' }) });
  await primary.write({ replace: [problem(8)] });
  await ends;
  await up({ source: source({ digest: 'b' }) });
  expect(server.content()).toEqual(await filled());
  await primary.write({ remove: [problem(8).name] });
});

test('one that is being filled is left to the command that began after, with nothing of another level in it', async () => {
  const other = { source: 'b', run: 'other', base, level: 'deidentified', place: undefined } as const;
  server.before = () => {
    // When all is ready for the first graphs.
    if (server.sent.some((text) => text.startsWith('CLEAR SILENT DEFAULT')))
      server.store.update(stateUpdate({ ...other, revision: undefined, since: undefined, done: undefined }));
  };
  await expect(up({ level: 'identified' })).rejects.toThrow('Another mirror has taken the place');
  expect(server.content()).toEqual([]);
});

test('something else on the server is neither mixed with patients nor taken away', async () => {
  server.store.update('INSERT DATA { <urn:a> <urn:b> <urn:c> }');
  await expect(up()).rejects.toThrow(
    'The server holds something else already: give the mirror a dataset of its own, or with --graph a graph of its own.',
  );
  expect(server.store.size).toBe(1);
});

test('a mirror of the identified level becomes one of the other with nothing left of it', async () => {
  await up({ level: 'identified' });
  expect(server.content().join('\n')).toContain(`${base}/records/5000001`);
  expect(told(dcterms.accessRights)).toEqual(['identified']);
  await up();
  expect(server.content()).toEqual(await filled());
  expect(told(dcterms.accessRights)).toEqual(['deidentified']);
});

test.each([
  ['another ontology', { digest: 'b' }],
  ['another program', { version: '2' }],
])('what %s made is made anew', async (_, made) => {
  await up();
  server.sent.length = 0;
  await up({ source: source(made) });
  expect(server.sent.some((text) => text.startsWith('CLEAR SILENT DEFAULT'))).toBe(true);
  expect(server.content()).toEqual(await filled());
});

test('a server that takes N-Quads is filled with them', async () => {
  server.loads = (nquads) => nquads;
  await up();
  expect(server.content()).toEqual(await filled());
  expect(server.sent.filter((text) => text.includes('INSERT DATA {\n<'))).toEqual([]);
});

test('a filling that broke off goes on where it was, with what has changed since', async () => {
  const some = Array.from({ length: 1500 }, (_, at) => problem(100 + at));
  await primary.write({ replace: some });
  const fills: number[] = [];
  const loaded: number[] = [];
  server.loads = (nquads) => {
    loaded.push(nquads.length);
    return nquads;
  };
  const ended = new AbortController();
  const onFill = (done: number): void => {
    fills.push(done);
    if (done > 0) ended.abort();
  };
  server.before = () => ended.signal.throwIfAborted();
  await expect(up({ once: false, signal: ended.signal, onFill })).rejects.toThrow();
  server.before = () => undefined;
  const [, sent = 0] = fills;
  await primary.write({ remove: some.slice(0, 3).map(({ name }) => name) });
  const again: number[] = [];
  await up({ onFill: (done) => void again.push(done) });
  expect(again[0]).toBe(Math.max(0, sent - 3));
  expect(server.content()).toEqual(await filled());
  await primary.write({ remove: some.map(({ name }) => name) });
});

test('a server that loses some of what it is sent is filled again, and given up in the end', async () => {
  let left = 1;
  const type = `<${rdf.type}>`;
  server.loads = (nquads) =>
    left-- > 0 ? nquads.replace(new RegExp(`^.* ${type} .* <.*> \\.\n`, 'mu'), '') : nquads;
  await up();
  expect(server.content()).toEqual(await filled());
  server = new MemoryServer();
  left = Infinity;
  server.loads = (nquads) =>
    nquads
      .split('\n')
      .filter((line) => !line.includes(type))
      .join('\n');
  await expect(up()).rejects.toThrow('The server does not show what it was sent');
});

test('where it must be alone, neither data of others nor another level is there', async () => {
  server.store.update('INSERT DATA { GRAPH <urn:theirs> { <urn:a> <urn:b> <urn:c> } }');
  await expect(up({ isAlone: true })).rejects.toThrow('The engine holds data of others there');
  expect(server.sent).toEqual([]);
  server = new MemoryServer();
  await up({ isAlone: true });
  await expect(up({ isAlone: true, level: 'identified' })).rejects.toThrow('holds another level of the data');
  expect(server.content()).toEqual(await filled());
  server.asked.length = 0;
  await up({ isAlone: true });
  // Its graphs are listed, not all that is in them.
  expect(server.asked.filter((query) => query.includes('GRAPH ?g { ?s'))).toEqual([]);
  server.store.update('INSERT DATA { GRAPH <urn:theirs> { <urn:a> <urn:b> <urn:c> } }');
  await expect(up({ isAlone: true })).rejects.toThrow('The engine holds data of others there');
  // As in Virtuoso.
  const listsNone: SparqlServer = {
    isLoader: false,
    load: () => Promise.reject(new Error()),
    update: (text) => server.update(text),
    select: (query) => (query.includes('GRAPH ?g {  }') ? Promise.resolve([{}]) : server.select(query)),
  };
  await expect(up({ isAlone: true, server: listsNone })).rejects.toThrow('The engine holds data of others');
});
