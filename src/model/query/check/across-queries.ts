import { groupedBy } from '../../../rdf/by-key.js';
import type { Rule } from '../../check/rule.js';
import { isA, linkRules, type CallModel, type Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { shortNameIn } from '../../ontology/term-names.js';
import { QueryFileError } from '../query-file-error.js';
import type { QueryTemplate } from '../template.js';
import { termsOf } from '../tokenizer.js';
import { sp } from '../../../rdf/vocabulary.js';

const classBasePath: Rule = {
  id: 'class-base-path',
  severity: 'error',
  summary: 'Classes with one base path are read by one query.',
  hint: 'Give one of them another api:base_path, or let the query of a single item name both classes.',
};

const queryNeighbours: Rule = {
  id: 'query-neighbours',
  severity: 'warning',
  summary: 'A list answers with the same neighbours as the call for a single item.',
  hint: 'Follow the property in the query of the list, too, or in neither.',
};

export const acrossRules: readonly Rule[] = [classBasePath, queryNeighbours];

/** Finds what no query has wrong by itself: what it says beside another one. */
export function acrossQueries(
  ontology: Ontology,
  queries: ReadonlyMap<string, QueryTemplate>,
): QueryFileError[] {
  return [...sharedPaths(ontology, queries), ...missingNeighbours(ontology, queries)];
}

const itemCall = ({ calls, classes }: Ontology, target: string): CallModel | undefined => {
  const basePath = classes.get(target)?.basePath;
  return basePath === undefined
    ? undefined
    : calls.find(
        ({ method, path }) =>
          method === 'GET' && PathTemplate.of(path).shape === PathTemplate.of(basePath).shape,
      );
};

function sharedPaths(ontology: Ontology, queries: ReadonlyMap<string, QueryTemplate>): QueryFileError[] {
  const placed = [...ontology.classes.values()].filter(
    ({ iri, basePath }) => basePath !== undefined && isA(ontology, iri, sp.Statement),
  );
  const byPath = groupedBy(placed, ({ basePath = '' }) => PathTemplate.of(basePath).shape);
  return [...byPath.values()].flatMap((models) => {
    const query = queries.get(itemCall(ontology, models[0]?.iri ?? '')?.name ?? '');
    const read = query === undefined ? [] : termsOf(query.text).map(({ iri }) => iri);
    const unread = models.filter(({ iri }) => !read.some((other) => isA(ontology, iri, other)));
    if (models.length < 2 || unread.length === 0) return [];
    return unread.map(({ iri, basePath = '' }) => {
      const others = models
        .filter((other) => other.iri !== iri)
        .map((other) => shortNameIn(ontology, other.iri));
      const reason = `${shortNameIn(ontology, iri)} has the base path of ${others.join(' and ')}, ${basePath}, and no query reads both`;
      return new QueryFileError(classBasePath, query?.file ?? '', undefined, reason, iri);
    });
  });
}

function missingNeighbours(
  ontology: Ontology,
  queries: ReadonlyMap<string, QueryTemplate>,
): QueryFileError[] {
  const links = new Set(
    [...ontology.classes.values()].flatMap((model) =>
      linkRules(ontology, model).map(({ property }) => property),
    ),
  );
  const followed = ({ text }: QueryTemplate): string[] =>
    termsOf(text).flatMap(({ iri }) => (links.has(iri) && iri !== sp.belongsTo ? iri : []));
  return ontology.calls.flatMap(({ name, path, target }) => {
    const list = queries.get(name);
    const call = itemCall(ontology, target);
    const item = queries.get(call?.name ?? '');
    const folder = call?.path.replace(/\{[^{}/]*\}$/, '') ?? '';
    if (!call || !list || !item || PathTemplate.of(path).shape !== PathTemplate.of(folder).shape) return [];
    const own = followed(list);
    return [...new Set(followed(item))]
      .filter((property) => !own.includes(property))
      .map((property) => {
        const reason = `${call.name} answers with what ${shortNameIn(ontology, property)} leads to, and this list does not`;
        return new QueryFileError(queryNeighbours, list.file, undefined, reason);
      });
  });
}
