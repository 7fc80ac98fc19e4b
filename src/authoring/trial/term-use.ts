import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { termsOf } from '../../model/query/tokenizer.js';
import type { Quad } from '../../rdf/terms.js';
import { owl, prefixes, rdf } from '../../rdf/vocabulary.js';
import { responseSummary } from '../../records/lists/page-limits.js';

type TermKind = 'class' | 'property' | 'code' | 'filter or parameter' | 'other term';

export interface UnusedTerm {
  readonly iri: string;
  readonly kind: TermKind;
  readonly deprecated: boolean;
}

interface TermUse {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly queries: Iterable<string>;
  readonly data: ReadonlySet<string>;
}

/**
 * Finds declared terms that neither data nor queries name, by kind and IRI. Filters, orders and list summaries count as
 * queries. A class counts as used with any subclass and as a target; arguments by their calls; properties of the
 * interface by the ontology; generated ones by their source.
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

export function* namesIn(quads: Iterable<Quad>): Iterable<string> {
  for (const { subject, predicate, object } of quads) {
    for (const term of [subject, predicate, object]) if (term.termType === 'NamedNode') yield term.value;
    if (object.termType === 'Literal') yield object.datatype.value;
  }
}

function namedByQueries(queries: Iterable<string>, { calls }: Ontology): string[] {
  const prologue = Object.entries(prefixes)
    .map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}>\n`)
    .join('');
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

/** Returns terms of the interface: calls, their arguments and targets, and annotations in use. */
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
