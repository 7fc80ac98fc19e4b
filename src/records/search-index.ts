import type { CallModel, Ontology } from '../ontology/model.js';
import { dateStatements } from '../query/index/date-index.js';
import type { Paths } from '../query/index/index-property.js';
import { listIndexOf, listStatements, type ListIndex } from '../query/index/list-index.js';
import { nameStatements, orderStatement } from '../query/index/name-index.js';
import { textStatements } from '../query/index/text-index.js';
import { byKey } from '../rdf/by-key.js';
import { linesWith, ownObjects, textsAt, textsOf } from '../rdf/graph-lines.js';
import { readTriples } from '../rdf/ntriples.js';
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
    const own = ownObjects(name, ntriples, wanted);
    if (own.size === 0) return '';
    const types = own.get(rdf.type) ?? [];
    const isA = (target: string): boolean => types.includes(`<${target}>`);
    const found = indexed.filter(
      ({ paths, target }) =>
        paths.some(([property = '']) => own.has(property)) && (target === undefined || isA(target)),
    );
    const quads = found.some(goesOn) ? readTriples(linesWith(found.flatMap(propertiesOf), ntriples)) : [];
    let text = '';
    for (const each of found) {
      const texts = each.paths.map((path) =>
        path.length === 1 ? textsOf(own.get(path[0] ?? '')) : textsAt(quads, name, path),
      );
      text += each.entries(name, texts);
    }
    const records = own.has(sp.belongsTo) ? recordsIn(own.get(sp.belongsTo)) : [];
    for (const list of lists) {
      if (records.length === 0 || !list.classes.some(isA)) continue;
      const dates = list.dates.flatMap((property) => textsOf(own.get(property)));
      for (const record of records) text += listStatements(name, record, list, dates);
    }
    return text;
  };
}

/** Whether something beyond the resource itself is read. */
const goesOn = ({ paths }: Indexed): boolean => paths.some(({ length }) => length > 1);

const propertiesOf = ({ paths }: Indexed): string[] => paths.flat();

/** The IRIs among objects that are no inside of a graph. @param objects as they are written */
function recordsIn(objects: readonly string[] = []): string[] {
  return objects.flatMap((object) =>
    object.startsWith('<') && !object.includes('#') ? object.slice(1, -1) : [],
  );
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
  return byKey(new Map(entries));
}
