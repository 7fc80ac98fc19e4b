import type { CallModel, Ontology } from '../model/ontology/model.js';
import { dateStatements } from '../model/query/index/date-index.js';
import type { Paths } from '../model/query/index/index-property.js';
import { listIndexOf, listStatements, type ListIndex } from '../model/query/index/list-index.js';
import { nameStatements, orderStatement, textStatements } from '../model/query/index/name-index.js';
import { byKey } from '../rdf/by-key.js';
import { linesWith, ownObjects, textsAt, textsOf } from '../rdf/graph-lines.js';
import { readTriples } from '../rdf/ntriples.js';
import { rdf, sp } from '../rdf/vocabulary.js';
import type { Derive } from '../store/chunk.js';

interface Indexed {
  readonly paths: Paths;
  readonly target?: string;
  readonly entries: (resource: string, texts: readonly (readonly string[])[]) => string;
}

/**
 * Returns a function that derives the index statements of a graph: instants of dates that calls filter or sort by,
 * names and texts that searches compare or sort by, and places in lists. `query/index/` defines the forms.
 * @returns '' for a graph without any
 */
export function deriveIndex(ontology: Ontology): Derive {
  // Sorted, so that the order of calls does not matter.
  const indexed = [...datesOf(ontology), ...byKey(new Map(ontology.calls.flatMap(searchedBy)))];
  const lists = listsOf(ontology);
  const first = indexed.flatMap(({ paths }) => paths.map(([property = '']) => property));
  const wanted = new Set([...first, rdf.type, sp.belongsTo]);
  return (name, ntriples) => {
    // Working sets hold millions of graphs and few are indexed, so check before parsing.
    const own = ownObjects(name, ntriples, wanted);
    if (own.size === 0) return '';
    const types = own.get(rdf.type) ?? [];
    const isA = (target: string): boolean => types.includes(`<${target}>`);
    const found = indexed.filter(
      ({ paths, target }) =>
        paths.some(([property = '']) => own.has(property)) && (target === undefined || isA(target)),
    );
    const properties = found.flatMap(({ paths }) => paths.flat());
    const quads = found.some(hasLongPath) ? readTriples(linesWith(properties, ntriples)) : [];
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

const hasLongPath = ({ paths }: Indexed): boolean => paths.some(({ length }) => length > 1);

function recordsIn(objects: readonly string[] = []): string[] {
  return objects.flatMap((object) =>
    object.startsWith('<') && !object.includes('#') ? object.slice(1, -1) : [],
  );
}

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

function listsOf(ontology: Ontology): ListIndex[] {
  const all = ontology.calls.flatMap((call) => listIndexOf(ontology, call) ?? []);
  return [...new Map(all.map((list) => [JSON.stringify(list), list])).values()];
}

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
