import type { CallModel, Ontology } from '../ontology/model.js';
import { dateStatements } from '../query/index/date-index.js';
import type { Paths } from '../query/index/index-property.js';
import { listIndexOf, listStatements, type ListIndex } from '../query/index/list-index.js';
import { nameStatements, orderStatement } from '../query/index/name-index.js';
import { textStatements } from '../query/index/text-index.js';
import { linesWith, ownLines, textsAt } from '../rdf/graph-lines.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { rdf, sp } from '../rdf/vocabulary.js';

/** Makes the index statements of one graph. @param name the graph's IRI @param ntriples what it holds */
export type DeriveIndex = (name: string, ntriples: string) => string;

/** What is indexed: literals at the end of paths, of instances of a class or of anything. */
interface Indexed {
  readonly paths: Paths;
  readonly target?: string;
  /** @param texts the literals of each path */
  readonly entries: (resource: string, texts: readonly (readonly string[])[]) => string;
}

/**
 * Makes the function that gives a working set the index statements of each graph it takes in: the instants of every
 * date that a call of the ontology filters or sorts by, the names and texts that its searches compare or sort by, and the
 * place of a statement in the list of its record. The forms are those of `query/index/`; graphs with none give ''.
 */
export function deriveIndex(ontology: Ontology): DeriveIndex {
  const indexed = [...datesOf(ontology), ...unique(ontology.calls.flatMap(searchedBy))];
  const lists = listsOf(ontology);
  const first = indexed.flatMap(({ paths }) => paths.map(([property = '']) => property));
  const wanted = new Set([...first, rdf.type, sp.belongsTo]);
  return (name, ntriples) => {
    // Few graphs have what is indexed, few of their lines matter, and working sets hold millions: look before reading.
    const own = ownLines(name, ntriples, wanted);
    if (own.size === 0) return '';
    const isA = (target: string): boolean => own.get(rdf.type)?.includes(` <${target}> .`) === true;
    const found = indexed.filter(
      ({ paths, target }) =>
        paths.some(([property = '']) => own.has(property)) && (target === undefined || isA(target)),
    );
    const listed = own.has(sp.belongsTo) ? lists.filter(({ classes }) => classes.some(isA)) : [];
    if (found.length === 0 && listed.length === 0) return '';
    const goesOn = found.some(({ paths }) => paths.some(({ length }) => length > 1));
    const stated = goesOn && listed.length === 0 ? [] : readTriples([...own.values()].join(''));
    const properties = found.flatMap(({ paths }) => paths.flat());
    const quads = goesOn ? readTriples(linesWith(properties, ntriples)) : stated;
    const values = found.map(({ paths, entries }) =>
      entries(
        name,
        paths.map((path) => textsAt(quads, name, path)),
      ),
    );
    return [...values, ...listed.map((list) => placesIn(list, name, stated))].join('');
  };
}

/** The places of a statement in the lists of the records that it belongs to. */
function placesIn(list: ListIndex, name: string, quads: readonly Quad[]): string {
  const dates = list.dates.flatMap((property) => textsAt(quads, name, [property]));
  return quads
    .filter(({ subject, predicate }) => predicate.value === sp.belongsTo && subject.value === name)
    .map(({ object }) => object.value)
    .filter((record) => !record.includes('#'))
    .map((record) => listStatements(name, record, list, dates))
    .join('');
}

/** The dates that filters or orders of the calls look at. */
function datesOf({ calls }: Ontology): Indexed[] {
  const filtered = calls.flatMap(({ filters }) =>
    filters.flatMap(({ operator, properties }) => (operator ? properties : [])),
  );
  const all = new Set([...filtered, ...calls.flatMap(({ sortProperties }) => sortProperties)]);
  return [...all].sort().map((property) => ({
    paths: [[property]],
    entries: (resource, texts) => dateStatements(resource, property, texts.flat()),
  }));
}

/** The lists of records that are found in the index. */
function listsOf(ontology: Ontology): ListIndex[] {
  const all = ontology.calls.flatMap((call) => listIndexOf(ontology, call) ?? []);
  return [...new Map(all.map((list) => [JSON.stringify(list), list])).values()];
}

/** What the search terms of a call compare, and the names that it is ordered by. */
function searchedBy({ target, parameters, sortNames }: CallModel): (readonly [key: string, Indexed])[] {
  const entry = (
    what: string,
    paths: Paths,
    entries: Indexed['entries'],
  ): readonly [key: string, Indexed] => [JSON.stringify([target, what, paths]), { paths, target, entries }];
  const terms = parameters.flatMap(({ operator, paths }) => {
    if (operator === undefined) return [];
    const statements = operator === 'begins' ? nameStatements : textStatements;
    return [entry(operator, paths, (resource, texts) => statements(resource, paths, texts.flat()))];
  });
  const order = entry('order', sortNames, (resource, texts) => orderStatement(resource, sortNames, texts));
  return sortNames.length > 0 ? [...terms, order] : terms;
}

/** One of each, in an order that does not depend on that of the calls. */
function unique(entries: readonly (readonly [key: string, Indexed])[]): Indexed[] {
  return [...new Map(entries)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, indexed]) => indexed);
}
