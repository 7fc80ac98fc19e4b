import { api, cg } from '../../rdf/vocabulary.js';
import { isA, type CallModel, type Ontology } from '../model.js';
import { shortName } from '../term-names.js';
import type { Breach, OntologyInput, OntologyRule } from './rule.js';

/** What a call says of a property of its target, and where. */
interface Comparison {
  readonly subject: string;
  readonly near: string;
  /** What follows the subject in the message. */
  readonly does: string;
  /** The properties from the target to what is compared. */
  readonly path: readonly string[];
  readonly isDate?: boolean;
}

/** The comparisons of a call that are read from the ontology and not run as they stand. */
function comparisonsOf({ iri, sortProperties, sortNames, filters, parameters }: CallModel): Comparison[] {
  const sorts = { subject: iri, does: 'sorts by' };
  const compares = (subject: string) => ({ subject, near: api.filterSparql, does: 'compares' });
  return [
    ...sortProperties.map((property) => ({ ...sorts, near: api.defaultSort, path: [property] })),
    ...sortNames.map((path) => ({ ...sorts, near: cg.sortNames, path })),
    ...filters.flatMap((filter) =>
      filter.properties.map((property) => ({ ...compares(filter.iri), path: [property], isDate: true })),
    ),
    ...parameters.flatMap((term) => term.paths.map((path) => ({ ...compares(term.iri), path }))),
  ];
}

function breachOf(
  { subject, near, does, path, isDate = false }: Comparison,
  call: CallModel,
  { graph, ontology }: OntologyInput,
): Breach | undefined {
  const [first = '', last = first] = [path[0], path.at(-1)];
  const foreign = foreignProperty(ontology, call, first);
  if (foreign !== undefined) return { subject, near, says: `${does} ${foreign}` };
  const { kind, valueType } = ontology.properties.get(last) ?? {};
  // What some class takes for a literal, and a value type that there is not, have rules of their own.
  const isLiteral = [...ontology.classes.values()].some(({ rules }) => rules.get(last)?.literal);
  const isStated = valueType !== undefined || graph.value(last, cg.valueType) === undefined;
  const fault =
    kind === 'object' && !isLiteral
      ? 'leads to nodes: only literals have an order'
      : isDate && kind === 'datatype' && isStated && valueType !== 'date'
        ? 'does not state cg:valueType "date"'
        : undefined;
  return fault === undefined
    ? undefined
    : { subject, near, says: `${does} ${shortName(last)}, which ${fault}` };
}

/**
 * Why instances of the target of a call can never have a property; undefined where they may: their class, a kind or a
 * parent of it, or one with the same base path restricts it, or no class does.
 */
export function foreignProperty(
  ontology: Ontology,
  { target }: CallModel,
  property: string,
): string | undefined {
  const own = ontology.classes.get(target);
  const having = [...ontology.classes.values()].filter(({ rules }) => rules.has(property));
  const isRelated = having.some(
    ({ iri, basePath }) =>
      isA(ontology, iri, target) ||
      isA(ontology, target, iri) ||
      (basePath !== undefined && basePath === own?.basePath),
  );
  if (own === undefined || having.length === 0 || isRelated) return undefined;
  const others = having.slice(0, 3).map(({ iri }) => shortName(iri));
  return `${shortName(property)}, which is no property of ${shortName(target)}, but of ${others.join(', ')}`;
}

export const comparedProperty: OntologyRule = {
  id: 'compared-property',
  severity: 'error',
  summary:
    'A list is ordered by one property, and that, like what its filters and search terms compare, is a property of its target.',
  hint: 'Name a property that the class of api:target restricts, or restrict it there; at the end of a path stands one with literals.',
  check: (input) => [
    ...input.ontology.calls.flatMap(({ iri: subject }) => {
      const count = input.graph.objects(subject, api.defaultSort).length;
      const says = `must state at most one api:defaultSort, it states ${count}`;
      return count > 1 ? [{ subject, says, near: api.defaultSort }] : [];
    }),
    ...input.ontology.calls.flatMap((call) =>
      comparisonsOf(call).flatMap((comparison) => breachOf(comparison, call, input) ?? []),
    ),
  ],
};
