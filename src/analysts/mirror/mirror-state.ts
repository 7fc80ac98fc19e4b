import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { dcterms, ownUrn, xsd } from '../../rdf/vocabulary.js';
import type { LevelName } from '../levels.js';
import type { SparqlServer } from './sparql-server.js';

/** Names the graph in which a mirror tells of itself, and the mirror. */
export const MIRROR = `${ownUrn}mirror`;

/** What a mirror tells of itself. */
export interface MirrorState {
  /** Of what it is a mirror, as a keyed digest: history, level, ontology. */
  readonly source: string;
  /** Names the run that filled it. */
  readonly run: string;
  readonly base: string;
  readonly level: LevelName;
  /** The graph that stands in the place of the default one. */
  readonly place: string | undefined;
  /** The revision that it shows; undefined while it is being filled. */
  readonly revision: number | undefined;
}

/** What is told of a mirror, by the property that says it. */
const properties = {
  source: dcterms.source,
  run: dcterms.identifier,
  base: dcterms.isVersionOf,
  level: dcterms.accessRights,
  place: dcterms.hasPart,
  revision: dcterms.hasVersion,
} as const satisfies Record<keyof MirrorState, string>;

/** What the mirror on a server tells of itself; undefined where there is none. */
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

/** The SPARQL Update after which a mirror tells this of itself, and nothing else. */
export function stateUpdate({ source, run, base, level, place, revision }: MirrorState): string {
  const values = [
    [properties.source, literal(source)],
    [properties.run, literal(run)],
    [properties.base, namedNode(base)],
    [properties.level, literal(level)],
    ...(place === undefined ? [] : ([[properties.place, namedNode(place)]] as const)),
    ...(revision === undefined
      ? []
      : ([[properties.revision, literal(String(revision), namedNode(xsd.integer))]] as const)),
    [dcterms.modified, literal(new Date().toISOString(), namedNode(xsd.dateTime))],
  ] as const;
  const lines = values.map(([property, value]) => `<${MIRROR}> <${property}> ${writeTerm(value)} .\n`);
  return `CLEAR SILENT GRAPH <${MIRROR}> ;\nINSERT DATA { GRAPH <${MIRROR}> {\n${lines.join('')}} }`;
}
