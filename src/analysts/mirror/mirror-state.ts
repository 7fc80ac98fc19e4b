import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { dcterms, ownUrn, xsd } from '../../rdf/vocabulary.js';
import type { LevelName } from '../levels.js';
import type { SparqlServer } from './sparql-server.js';
import { removalOf, type CodeTitle, type LevelGraph } from '../level-text.js';

/** The graph with a mirror's state, and its subject. */
export const MIRROR = `${ownUrn}mirror`;

export interface MirrorState {
  readonly source: string;
  readonly run: string;
  readonly base: string;
  readonly level: LevelName;
  readonly place: string | undefined;
  /** Missing while it is being filled. */
  readonly revision: number | undefined;
  /** The revision at which the filling began, and the number of graphs sent since. */
  readonly since: number | undefined;
  readonly done: number | undefined;
}

const properties = {
  source: dcterms.source,
  run: dcterms.identifier,
  base: dcterms.isVersionOf,
  level: dcterms.accessRights,
  place: dcterms.hasPart,
  revision: dcterms.hasVersion,
  since: dcterms.available,
  done: dcterms.extent,
} as const satisfies Record<keyof MirrorState, string>;

/** Reads the state of the mirror on a server, if any. */
export async function readState(
  server: Pick<SparqlServer, 'select'>,
): Promise<Partial<Readonly<Record<keyof MirrorState, string>>> | undefined> {
  const rows = await server.select(
    `SELECT ?property ?value { GRAPH <${MIRROR}> { <${MIRROR}> ?property ?value } } LIMIT 20`,
  );
  if (rows.length === 0) return undefined;
  const values = new Map(rows.map(({ property, value }) => [property?.value, value?.value]));
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, values.get(property)]),
  );
}

/** Writes the SPARQL Update that replaces a mirror's state. */
export function stateUpdate({ source, run, base, level, place, ...numbers }: MirrorState): string {
  const values = [
    [properties.source, literal(source)],
    [properties.run, literal(run)],
    [properties.base, namedNode(base)],
    [properties.level, literal(level)],
    ...(place === undefined ? [] : ([[properties.place, namedNode(place)]] as const)),
    ...(['revision', 'since', 'done'] as const).flatMap((name) => {
      const number = numbers[name];
      const text = literal(String(number), namedNode(xsd.integer));
      return number === undefined ? [] : [[properties[name], text] as const];
    }),
    [dcterms.modified, literal(new Date().toISOString(), namedNode(xsd.dateTime))],
  ] as const;
  const lines = values.map(([property, value]) => `<${MIRROR}> <${property}> ${writeTerm(value)} .\n`);
  return `CLEAR SILENT GRAPH <${MIRROR}> ;\nINSERT DATA { GRAPH <${MIRROR}> {\n${lines.join('')}} }`;
}

/** Writes graphs as N-Quads, without the titles of codes. @param place the graph that replaces the default one, if any */
export function quadsOf(graphs: readonly LevelGraph[], place: string | undefined): string {
  const lines = (triples: readonly string[], graph: string | undefined): string => {
    const end = graph === undefined ? ' .\n' : ` ${writeTerm(namedNode(graph))} .\n`;
    return triples.map((triple) => triple + end).join('');
  };
  return graphs.map(({ name, own, merged }) => lines(merged, place) + lines(own, name)).join('');
}

export interface Operation {
  readonly text: string;
  readonly cost: number;
}

const MAX_TRIPLES = 2000;
const REMOVAL = 50;

/** Makes operations that insert a graph, without the titles of codes. @param place the graph that replaces the default one, if any */
export function insertionsOf(graph: LevelGraph, place: string | undefined): Operation[] {
  return [...inserted(graph.merged, place), ...inserted(graph.own, graph.name)];
}

/** Makes operations that insert the titles of codes. */
export const titlesOf = ({ titles }: LevelGraph, place: string | undefined): Operation[] =>
  titles.map((title) => ({ text: titleOnce(title, place), cost: 1 }));

/** Inserts a title unless an earlier run has given the code one. */
function titleOnce({ code, triple }: CodeTitle, place: string | undefined): string {
  const within = (pattern: string): string =>
    place === undefined ? pattern : `GRAPH ${writeTerm(namedNode(place))} { ${pattern} }`;
  const known = `FILTER NOT EXISTS { ${within(`${code} <${dcterms.title}> ?title`)} }`;
  return `INSERT { ${within(triple)} } WHERE { ${known} }`;
}

/** Makes operations that replace or remove a graph. */
export function replacementsOf(graph: LevelGraph, place: string | undefined): Operation[] {
  const removal = { text: removalOf([graph.name], place), cost: REMOVAL };
  return [removal, ...insertionsOf(graph, place), ...titlesOf(graph, place)];
}

/** Joins operations into requests within the limit, in order. */
export function* requestsOf(operations: Iterable<Operation>): Generator<string> {
  let texts: string[] = [];
  let total = 0;
  for (const { text, cost } of operations) {
    if (total > 0 && total + cost > MAX_TRIPLES) {
      yield texts.join(' ;\n');
      [texts, total] = [[], 0];
    }
    texts.push(text);
    total += cost;
  }
  if (texts.length > 0) yield texts.join(' ;\n');
}

function inserted(triples: readonly string[], graph: string | undefined): Operation[] {
  const operations: Operation[] = [];
  for (let from = 0; from < triples.length; from += MAX_TRIPLES) {
    const some = triples.slice(from, from + MAX_TRIPLES);
    const lines = some.map((triple) => `${triple} .\n`).join('');
    const data = graph === undefined ? lines : `GRAPH ${writeTerm(namedNode(graph))} {\n${lines}}`;
    operations.push({ text: `INSERT DATA {\n${data}}`, cost: some.length });
  }
  return operations;
}
