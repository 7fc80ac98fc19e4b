import { randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { rdf, virtuosoGraphs } from '../../rdf/vocabulary.js';
import type { LevelGraph } from '../level-text.js';
import { iri, isIn, MAX_TRIES, MirrorLost, NOT_SHOWN, type MirrorRun } from './mirror-run.js';
import {
  insertionsOf,
  MIRROR,
  quadsOf,
  requestsOf,
  titlesOf,
  type Operation,
  type readState,
} from './mirror-state.js';
import { ServerAway, ServerRefuses, type SparqlServer } from './sparql-server.js';

type State = Awaited<ReturnType<typeof readState>>;

/** Graphs that are removed at once. */
const BATCH = 500;
/**
 * Triples that a loader gets in one stream, first and at most: each is twice as long as the one before. A filling that
 * broke off resumes after the last one. Long streams load faster, and a short first one starts the loader early.
 */
const LOADED_TRIPLES = { first: 125_000, most: 1_000_000 };
/** The same for an engine that is filled by updates. */
const SENT_TRIPLES = 50_000;

/** Fills the server, or goes on with a filling. @param before what it says of itself @returns the revision it shows then */
export async function fillMirror(run: MirrorRun, before: State): Promise<number> {
  const { source, onFill, place, server } = run.options;
  const name = source.name(place);
  const begun = begunFilling(run, before, name);
  run.id = begun?.run ?? randomUUID();
  if (!begun) {
    // First, to mark all data there as ours to remove.
    await run.patiently(() => server.update(run.state(name, {})));
    await empty(run, [source.base, before?.base], before ? [place, before.place] : [place]);
  }
  const skipped = begun?.skip ?? 0;
  const { revision, total, chunks } = source.all(skipped);
  const since = begun?.since ?? revision;
  const counts = new Map<string, number>();
  const rest = chunks[Symbol.iterator]();
  let [made, isEnd, titles]: [number, boolean, Operation[]] = [skipped, false, []];
  const part = async function* (most: number): AsyncGenerator<readonly LevelGraph[]> {
    for (let triples = 0; triples < most;) {
      const { value: graphs, done: isOver } = rest.next() as IteratorResult<readonly LevelGraph[], undefined>;
      isEnd = isOver === true;
      if (graphs === undefined) return;
      for (const graph of graphs) {
        triples += graph.own.length + graph.merged.length;
        titles.push(...titlesOf(graph, place));
        count(graph, counts);
      }
      made += graphs.length;
      yield graphs;
      // Queries are answered meanwhile.
      await turn();
    }
  };
  const end = async (done: number, of: readonly Operation[]): Promise<void> => {
    const state = { text: run.state(name, { since, done }), cost: 1 };
    for (const text of requestsOf([...of, state])) await run.update(text);
    onFill?.(Math.min(done, total), total);
  };
  onFill?.(Math.min(made, total), total);
  let loading = Promise.resolve();
  for (let most = LOADED_TRIPLES.first; !isEnd; most = Math.min(2 * most, LOADED_TRIPLES.most)) {
    titles = [];
    await run.patiently(() => run.requireOwn());
    if (!server.isLoader) {
      for await (const graphs of part(SENT_TRIPLES))
        for (const text of requestsOf(graphs.flatMap((graph) => insertionsOf(graph, place))))
          await run.update(text);
      await end(made, titles);
      continue;
    }
    const { isSent, isLoaded } = load(server, part(most), place);
    await Promise.race([isSent, isLoaded.catch(() => undefined)]);
    const [before, done, own] = [loading, made, titles];
    loading = afterBoth(before, isLoaded).then(() => end(done, own));
    loading.catch(() => undefined);
    // A loader works on one part while the next is made, and on no more.
    await before.catch(() => loading);
  }
  await loading;
  if (skipped === 0) await verify(run, counts, name);
  await run.patiently(() => run.requireOwn());
  await run.update(run.state(name, { revision: since }));
  return since;
}

/** Returns where to go on with a filling; each change since may have moved the place by one graph. */
function begunFilling({ options: { source } }: MirrorRun, before: State, name: string) {
  const [since, done] = [Number(before?.since ?? NaN), Number(before?.done ?? NaN)];
  if (before?.run === undefined || before.source !== name || !source.reaches(since)) return undefined;
  const changes = source.changes(since);
  const skip = done - (changes?.count ?? NaN);
  return skip > 0 ? { run: before.run, since, skip } : undefined;
}

/**
 * Streams graphs as N-Quads. @returns when all is sent, and when all is loaded, which throws MirrorLost when it breaks off,
 * so that the filling goes on from the last part
 */
function load(server: SparqlServer, part: AsyncIterable<readonly LevelGraph[]>, place: string | undefined) {
  let fault: unknown;
  let tell: () => void = () => undefined;
  const isSent = new Promise<void>((resolve) => (tell = resolve));
  const written = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const graphs of part) yield Buffer.from(quadsOf(graphs, place));
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      tell();
    }
  };
  const isLoaded = server.load(written()).catch((cause: unknown) => {
    throw fault ?? (cause instanceof ServerAway ? new MirrorLost(true, { cause }) : cause);
  });
  return { isSent, isLoaded };
}

/** Waits until both have ended: what was sent must not arrive after a new beginning. @throws what either threw */
async function afterBoth(earlier: Promise<void>, later: Promise<void>): Promise<void> {
  for (const ended of await Promise.allSettled([earlier, later]))
    if (ended.status === 'rejected') throw ended.reason;
}

/** Compares the instances of each class. @throws MirrorLost when some are missing, so that it is filled again */
async function verify(run: MirrorRun, counts: ReadonlyMap<string, number>, name: string): Promise<void> {
  const { source, place, isAlone } = run.options;
  const others = [MIRROR, place, ...virtuosoGraphs].flatMap((name) =>
    name === undefined ? [] : [iri(name)],
  );
  // To look at the name of each graph takes ten times as long as to count.
  const isOurs = isAlone === true ? `?g NOT IN (${others.join(', ')})` : isIn([source.base]);
  const rows = await run.select(
    `SELECT ?class (COUNT(*) AS ?n) { GRAPH ?g { ?s a ?class } FILTER (${isOurs}) } GROUP BY ?class`,
  );
  const held = new Map(rows.map((row) => [row['class']?.value, Number(row['n']?.value)]));
  if ([...counts].every(([type, number]) => held.get(type) === number)) return;
  await run.update(run.state(name, {}));
  throw new MirrorLost(true);
}

/** Removes everything that an earlier mirror wrote. @param bases of its containers */
async function empty(
  run: MirrorRun,
  bases: readonly (string | undefined)[],
  places: readonly (string | undefined)[],
): Promise<void> {
  for (const place of new Set(places))
    await run.update(place === undefined ? 'CLEAR SILENT DEFAULT' : `CLEAR SILENT GRAPH ${iri(place)}`);
  const query = `SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } FILTER (${isIn(bases)}) } LIMIT ${BATCH}`;
  let taken = new Set<string>();
  for (let tries = 1; ;) {
    const rows = await run.select(query);
    const names = rows.flatMap(({ g }) => (g === undefined ? [] : [g.value]));
    if (names.length === 0) return;
    // Reads on the server may lag behind the last update.
    if (names.some((name) => taken.has(name))) {
      if (tries++ >= MAX_TRIES) throw new ServerRefuses(NOT_SHOWN);
      await wait(run.pause, undefined, { signal: run.options.signal });
      continue;
    }
    taken = new Set(names);
    await run.update(names.map((name) => `CLEAR SILENT GRAPH ${iri(name)}`).join(' ;\n'));
  }
}
const TYPE = ` <${rdf.type}> <`;

function count({ own }: LevelGraph, counts: Map<string, number>): void {
  for (const triple of own) {
    const at = triple.indexOf(' ');
    if (!triple.startsWith(TYPE, at)) continue;
    const name = triple.slice(at + TYPE.length, -1);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}
