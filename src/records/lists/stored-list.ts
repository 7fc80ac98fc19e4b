import { pathsOf } from '../../ontology/call-places.js';
import type { Ontology } from '../../ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../../ontology/path-template.js';
import { listInstant, type ListIndex } from '../../query/index/list-index.js';
import type { StatementShape } from '../../query/shapes.js';
import { ownObjects, textsOf } from '../../rdf/graph-lines.js';
import { madeOnce } from '../../rdf/made-once.js';
import type { Quad } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { StoredGraphs } from '../../store/stored-graphs.js';
import { SHARED, type Scope } from '../../store/parts.js';
import { recordPart } from '../record-partition.js';
import { recordIri } from '../resource-paths.js';
import { newestFirst } from './list-rows.js';

/**
 * So many graphs are opened to find the members of a list, so many more than go out, and so many characters; of more, an
 * engine that has them in memory takes less time.
 */
const MOST_OPENED = 100;
const MOST_BESIDE = 20;
const MOST_CHARACTERS = 1 << 20;

/**
 * All members of a list in its order, found among the graphs that stand where its classes do.
 * @param base of the container @param record the id of the record @param index what the list has, and its order
 * @param limit how many of them go out
 * @returns undefined where that is more than is worth opening, or members may be elsewhere
 */
export function storedMembers(
  graphs: StoredGraphs,
  ontology: Ontology,
  base: string,
  record: string,
  index: ListIndex,
  limit = MOST_OPENED,
): string[] | undefined {
  const most = Math.min(MOST_OPENED, limit + MOST_BESIDE);
  const names = namesAt(graphs, placesOf(ontology, record, index), most);
  if (!names) return undefined;
  const wanted = new Set([rdf.type, sp.belongsTo, ...index.dates]);
  const owner = recordIri(base, record);
  const members: { iri: string; instant: number }[] = [];
  let left = MOST_CHARACTERS;
  for (const iri of names) {
    const text = graphs.ntriples(iri) ?? '';
    if ((left -= text.length) < 0) return undefined;
    const own = ownObjects(iri, text, wanted);
    if (!isOf(own, index.classes, owner)) continue;
    const dates = index.dates.flatMap((property) => textsOf(own.get(property)));
    members.push({ iri, instant: listInstant(dates) });
  }
  return newestFirst(members).map(({ iri }) => iri);
}

/** The statement that `$resource` names, if it is what its query asks for, with those that go with it. */
export function storedStatement(
  graphs: StoredGraphs,
  resource: string,
  { classes, neighbours }: StatementShape,
  reach: Reach,
): Quad[] {
  const own = ownObjects(resource, graphs.ntriples(resource) ?? '', new Set([rdf.type, sp.belongsTo]));
  return isOf(own, classes, reach.record) ? storedStatements(graphs, [resource], neighbours, reach) : [];
}

/** What a call about a record reads of it. */
export interface Reach {
  /** The IRI of the record. */
  readonly record: string;
  /** IRIs at and below which all stands that it reads; undefined for anything of the record. */
  readonly places: readonly string[] | undefined;
}

/** @param base of the container @param scope what the call reads */
export function reachIn(base: string, record: string, scope: Scope | undefined): Reach {
  return { record, places: scope?.flatMap((place) => (place === SHARED ? [] : base + place)) };
}

/**
 * What the graphs of some statements say, and those of what they link to, as far as these belong to the record and stand
 * where the call reads: its tag would not tell of changes elsewhere.
 * @param neighbours the properties that lead there
 */
export function storedStatements(
  graphs: StoredGraphs,
  statements: readonly string[],
  neighbours: readonly string[],
  reach: Reach,
): Quad[] {
  return graphs.quads(storedText(graphs, statements, neighbours, reach));
}

/**
 * The same as lines of absolute N-Triples, some of them several times.
 * @param read names of graphs that are left out; those that are not are added
 */
export function storedText(
  graphs: StoredGraphs,
  statements: readonly string[],
  neighbours: readonly string[],
  { record, places }: Reach,
  read = new Set<string>(),
): string {
  const textOf = (name: string): string => graphs.ntriples(name) ?? '';
  let names: Iterable<string> = statements;
  if (neighbours.length > 0) {
    const wanted = new Set(neighbours);
    const isNear = (name: string): boolean => places?.some((place) => isAtOrBelow(name, place)) ?? true;
    const linked = statements
      .flatMap((name) => [...ownObjects(name, textOf(name), wanted).values()].flat())
      .flatMap((object) => IRI.exec(object)?.[1] ?? [])
      .filter(isNear);
    names = [...new Set([...statements, ...linked])].filter((name) =>
      belongs(ownObjects(name, textOf(name), BELONGS), record),
    );
  }
  let text = '';
  for (const name of names) {
    if (read.has(name)) continue;
    read.add(name);
    text += textOf(name);
  }
  return text;
}

/** The names of some graphs that are there, in their order. */
export const thoseThere = (graphs: StoredGraphs, names: readonly string[]): string[] =>
  names.filter((name) => graphs.ntriples(name) !== undefined);

const IRI = /^<([^<>]*)>$/u;
const BELONGS = new Set([sp.belongsTo]);

type Own = ReadonlyMap<string, readonly string[]>;

const belongs = (own: Own, record: string): boolean =>
  own.get(sp.belongsTo)?.includes(`<${record}>`) ?? false;

const isOf = (own: Own, classes: readonly string[], record: string): boolean =>
  belongs(own, record) && classes.some((iri) => own.get(rdf.type)?.includes(`<${iri}>`));

const templatesOf = madeOnce(({ classes }: ListIndex, ontology: Ontology): readonly PathTemplate[] => {
  const paths = classes.map((iri) => pathsOf(ontology, iri));
  const all = paths.some(({ length }) => length === 0) ? [] : [...new Set(paths.flat())];
  return all.map((path) => PathTemplate.of(path));
});

/** The paths in a record below which the statements of a list stand; undefined where some may stand elsewhere. */
function placesOf(ontology: Ontology, record: string, index: ListIndex): string[] | undefined {
  const places = templatesOf(index, ontology).map((template) => template.prefix({ record_id: record }));
  const isInside = places.length > 0 && places.every((path) => isAtOrBelow(path, recordPart(record)));
  return isInside ? places : undefined;
}

/** The names of the graphs at and below some paths, each once; undefined where they are too many. */
function namesAt(
  graphs: StoredGraphs,
  places: Iterable<string> | undefined,
  most: number,
): string[] | undefined {
  if (!places) return undefined;
  const names = new Set<string>();
  for (const place of places) {
    const found = graphs.under(place, most - names.size);
    if (!found) return undefined;
    for (const name of found) names.add(name);
  }
  return [...names];
}
