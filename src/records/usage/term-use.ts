import type { CallModel, Ontology } from '../../ontology/model.js';
import { termsOf } from '../../query/check/terms-of.js';
import type { Quad } from '../../rdf/terms.js';
import { owl, prefixes, rdf } from '../../rdf/vocabulary.js';
import { responseSummary } from '../lists/response-summary.js';

/** What a term is, as the report groups them. */
export type TermKind = 'class' | 'property' | 'code' | 'filter or parameter' | 'other term';

/** A term that is declared and that nothing uses. */
export interface UnusedTerm {
  readonly iri: string;
  readonly kind: TermKind;
  /** Whether the ontology itself says that nobody should use it. */
  readonly deprecated: boolean;
}

export interface TermUse {
  readonly ontology: Ontology;
  /** All quads of the ontology's files. */
  readonly quads: readonly Quad[];
  /** The texts of the queries. */
  readonly queries: Iterable<string>;
  /** Every IRI that the data names. */
  readonly data: ReadonlySet<string>;
}

/**
 * The declared terms that neither data nor a query names, sorted by kind and IRI. Filters, orders and the summary of
 * lists belong to the queries. A class is used with any class beneath it and as the target of a call, a filter or
 * parameter by a call that takes it, a property that describes the interface by the ontology itself, and one that the
 * container makes by the property it is made from.
 */
export function unusedTerms({ ontology, quads, queries, data }: TermUse): UnusedTerm[] {
  const used = new Set([...data, ...namedByQueries(queries, ontology), ...namedByItself(ontology, quads)]);
  for (const { iri, ancestors } of ontology.classes.values()) {
    if (used.has(iri)) for (const ancestor of ancestors) used.add(ancestor);
  }
  for (const { iri, generatedFrom } of ontology.properties.values()) {
    if (generatedFrom !== undefined && used.has(generatedFrom)) used.add(iri);
  }
  const deprecated = new Set(
    quads.filter(({ predicate }) => predicate.value === owl.deprecated).map(({ subject }) => subject.value),
  );
  return [...ontology.terms]
    .filter((iri) => !used.has(iri) && iri !== ontology.iri)
    .map((iri) => ({ iri, kind: kindOf(ontology, iri), deprecated: deprecated.has(iri) }))
    .sort((a, b) => (a.kind + a.iri < b.kind + b.iri ? -1 : 1));
}

/** Every IRI that some quads name. */
export function* namesIn(quads: Iterable<Quad>): Iterable<string> {
  for (const { subject, predicate, object } of quads) {
    for (const term of [subject, predicate, object]) if (term.termType === 'NamedNode') yield term.value;
    if (object.termType === 'Literal') yield object.datatype.value;
  }
}

const prologue = Object.entries(prefixes)
  .map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}>\n`)
  .join('');

function namedByQueries(queries: Iterable<string>, { calls }: Ontology): string[] {
  const patterns = calls.flatMap(({ filters, parameters }) =>
    [...filters, ...parameters].flatMap(({ pattern }) => (pattern === undefined ? [] : [prologue + pattern])),
  );
  const summary = responseSummary({ total: 1, order: [prefixes.sp], nextPageURL: prefixes.sp });
  return [
    ...[...queries, ...patterns].flatMap((text) => termsOf(text).map(({ iri }) => iri)),
    ...calls.flatMap(({ sortProperties, sortNames }) => [...sortProperties, ...sortNames.flat()]),
    ...namesIn(summary),
  ];
}

/** What describes the interface: calls, what they take and aim at, and every annotation that is made. */
function namedByItself({ calls, properties }: Ontology, quads: readonly Quad[]): Set<string> {
  const described = new Set(calls.flatMap(describedBy));
  const used = new Set([...described, ...calls.map(({ target }) => target)]);
  for (const { subject, predicate, object } of quads) {
    const isInterface = described.has(subject.value);
    if (isInterface || properties.get(predicate.value)?.kind === 'annotation') used.add(predicate.value);
    if (isInterface && predicate.value === rdf.type) used.add(object.value);
  }
  return used;
}

const describedBy = ({ iri, filters, parameters }: CallModel): string[] => [
  iri,
  ...[...filters, ...parameters].map((argument) => argument.iri),
];

function kindOf({ classes, properties, codes }: Ontology, iri: string): TermKind {
  if (classes.has(iri)) return 'class';
  if (properties.has(iri)) return 'property';
  if (codes.has(iri)) return 'code';
  const isArgument = [prefixes.filters, prefixes.params].some((namespace) => iri.startsWith(namespace));
  return isArgument ? 'filter or parameter' : 'other term';
}
