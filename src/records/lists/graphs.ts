import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { isAtOrBelow } from '../../model/ontology/path-template.js';
import { Problem } from '../../model/problem.js';
import { ownObjects } from '../../rdf/graph-lines.js';
import type { Quad } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { SHARED, type Scope } from '../../store/parts.js';
import type { StoredGraphs } from '../../store/stored-graphs.js';
import { LARGEST_PAGE } from './page-limits.js';

const MAX_PER_TURN = 100;

/** Bytes of N-Triples per answer, about 50,000 statements; writing them takes up to ten times as much heap. */
export const MAX_BYTES = Math.min(256 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 12));

export interface Reach {
  readonly record: string;
  /** IRIs at and below which it may read; undefined for everything in the record. */
  readonly places: readonly string[] | undefined;
}

/** Returns what a call about a record may read. @param scope of the call */
export function reachIn(base: string, record: string, scope: Scope | undefined): Reach {
  return { record, places: scope?.flatMap((place) => (place === SHARED ? [] : base + place)) };
}

/** The links of members to follow, and where they may lead. */
export interface Expansion {
  readonly along: readonly string[];
  readonly reach: Reach;
}

/** The chosen members whose graphs still exist, in order. */
type Existing = { readonly there: readonly string[] };

/** Reads graphs in turns, each once; what several of many statements say alike may stand there several times. */
export async function readQuads(
  graphs: StoredGraphs,
  statements: readonly string[],
  expansion: Expansion,
): Promise<{ readonly quads: Quad[] } & Existing> {
  const quads: Quad[] = [];
  const there = await readGraphs(graphs, statements, expansion, (part) => {
    for (const quad of graphs.quads(part)) quads.push(quad);
  });
  return { quads, there };
}

const encoder = new TextEncoder();

/** Reads graphs as chunks of UTF-8, absolute N-Triples; lines may repeat. @throws Problem invalid-parameter */
export async function readTexts(
  graphs: StoredGraphs,
  statements: readonly string[],
  expansion: Expansion,
  most = MAX_BYTES,
): Promise<{ readonly texts: readonly Uint8Array<ArrayBuffer>[] } & Existing> {
  const texts: Uint8Array<ArrayBuffer>[] = [];
  let left = most;
  const there = await readGraphs(graphs, statements, expansion, (part) => {
    const bytes = encoder.encode(part);
    if ((left -= bytes.byteLength) < 0) throw tooLong();
    texts.push(bytes);
  });
  return { texts, there };
}

/** Reads the graphs of statements and of what they link to, each once, in turns, from one snapshot. */
async function readGraphs(
  graphs: StoredGraphs,
  statements: readonly string[],
  expansion: Expansion,
  take: (ntriples: string) => void,
): Promise<readonly string[]> {
  const read = new Set<string>();
  const there: string[] = [];
  if (statements.length > MAX_PER_TURN) graphs.hold();
  for (let at = 0; at < statements.length; at += MAX_PER_TURN) {
    if (at > 0) await nextTurn();
    const some = statements.slice(at, at + MAX_PER_TURN);
    take(textOf(graphs, some, expansion, read));
    for (const name of some) if (graphs.ntriples(name) !== undefined) there.push(name);
  }
  return there;
}

function textOf(
  graphs: StoredGraphs,
  statements: readonly string[],
  { along, reach: { record, places } }: Expansion,
  read: Set<string>,
): string {
  const graphOf = (name: string): string => graphs.ntriples(name) ?? '';
  let names: Iterable<string> = statements;
  if (along.length > 0) {
    const wanted = new Set(along);
    const isNear = (name: string): boolean => places?.some((place) => isAtOrBelow(name, place)) ?? true;
    const linked = statements
      .flatMap((name) => [...ownObjects(name, graphOf(name), wanted).values()].flat())
      .flatMap((object) => IRI.exec(object)?.[1] ?? [])
      .filter(isNear);
    names = [...new Set([...statements, ...linked])].filter((name) =>
      belongs(ownObjects(name, graphOf(name), BELONGS), record),
    );
  }
  let text = '';
  for (const name of names) {
    if (read.has(name)) continue;
    read.add(name);
    text += graphOf(name);
  }
  return text;
}

/** Reads the graph of `$resource` with its links, if it has one of the classes. */
export function readStatement(
  graphs: StoredGraphs,
  resource: string,
  classes: readonly string[],
  expansion: Expansion,
): Quad[] {
  const own = ownObjects(resource, graphs.ntriples(resource) ?? '', new Set([rdf.type, sp.belongsTo]));
  const hasClass = classes.length === 0 || isOf(own, classes, expansion.reach.record);
  return hasClass ? graphs.quads(textOf(graphs, [resource], expansion, new Set())) : [];
}

const IRI = /^<([^<>]*)>$/u;
const BELONGS = new Set([sp.belongsTo]);

type Own = ReadonlyMap<string, readonly string[]>;

const belongs = (own: Own, record: string): boolean =>
  own.get(sp.belongsTo)?.includes(`<${record}>`) ?? false;

/** Tells whether a statement belongs to a record and has one of some classes. @param own its own properties */
export const isOf = (own: Own, classes: readonly string[], record: string): boolean =>
  belongs(own, record) && classes.some((iri) => own.get(rdf.type)?.includes(`<${iri}>`));

function tooLong(): Problem {
  return new Problem(
    'invalid-parameter',
    `The list is longer than what goes out as a whole: ask for pages of it, with a limit of at most ${LARGEST_PAGE}.`,
    { extra: { parameter: 'limit' } },
  );
}
