import { treeDigest } from '../../rdf/digest.js';
import { writeTerm } from '../../rdf/ntriples.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { api, cg, dcterms, owl, prefixes, rdf, rdfs, skos, sp } from '../../rdf/vocabulary.js';
import { Graph } from '../graph.js';
import { shownProperties } from '../shown-as.js';
import { shortName } from '../term-names.js';
import { compareLists, type Change } from './change.js';
import { readExpression } from './class-expressions.js';

/** What is said to people, pages of records included, and steers no program. */
const words: ReadonlySet<string> = new Set([
  ...shownProperties.map((annotation) => cg[annotation]),
  cg.group,
  cg.heading,
  cg.order,
  cg.trend,
  cg.allows,
  cg.over,
  cg.outside,
  rdfs.label,
  rdfs.comment,
  rdfs.seeAlso,
  rdfs.isDefinedBy,
  api.description,
  api.example,
  api.namePlural,
  api.name,
  api.doc,
]);

/** What the typed model holds, so that the other comparisons have weighed it. */
const modelled: ReadonlySet<string> = new Set([
  owl.versionInfo,
  api.base_path,
  cg.valueType,
  cg.choice,
  cg.generatedFrom,
  cg.identifying,
  cg.precision,
  cg.impersonal,
  api.clientMethodName,
  api.httpMethod,
  api.path,
  api.target,
  api.category,
  api.cardinality,
  cg.answer,
  cg.discloses,
  api.responseContentType,
  api.defaultSort,
  cg.sortPath,
  cg.sortNames,
  api.hasParameter,
  api.hasFilter,
  api.clientParameterName,
  api.filterSparql,
  cg.operator,
  cg.codeBase,
]);

/** What the model holds of codes alone. */
const ofCodes: ReadonlySet<string> = new Set([dcterms.title, sp.system, dcterms.identifier, skos.broader]);

/** Types that only say what sort of term something is; the sorts are compared in the model. */
const sorts: ReadonlySet<string> = new Set([
  owl.Ontology,
  owl.Class,
  owl.NamedIndividual,
  owl.ObjectProperty,
  owl.DatatypeProperty,
  owl.AnnotationProperty,
  rdf.Property,
  api.Call,
  api.Filter,
  api.Parameter,
]);

const domains: ReadonlySet<string> = new Set([rdfs.domain, rdfs.range]);

/** The statements of named subjects, each as text, blank nodes by all that is reachable from them. */
type Statements = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * What changed beside the typed model, of terms that both ontologies have: words for people, deprecation, and
 * statements that nothing here reads, which are taken for the worst.
 * @param codes IRIs of the codes that both have: their types, descriptions and the codes above them are compared elsewhere
 */
export function statementChanges(
  old: readonly Quad[],
  now: readonly Quad[],
  codes: ReadonlySet<string>,
): Change[] {
  const before = read(old, codes);
  const after = read(now, codes);
  return [...after].flatMap(([subject, statements]) => {
    const was = before.get(subject);
    return was === undefined ? [] : differences(subject, was, statements);
  });
}

type ByPredicate = ReadonlyMap<string, readonly string[]>;

function differences(subject: string, was: ByPredicate, is: ByPredicate): Change[] {
  const changed = [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((predicate) => {
    const { added, removed } = compareLists(was.get(predicate) ?? [], is.get(predicate) ?? []);
    return added.length + removed.length === 0 ? [] : [{ predicate, added, removed }];
  });
  const reworded = changed.filter(({ predicate }) => words.has(predicate));
  const others = changed.filter(({ predicate }) => !words.has(predicate));
  return [
    ...others.map(({ predicate, added, removed }): Change => {
      if (predicate === owl.deprecated)
        return { kind: added.some(isTrue) ? 'deprecated' : 'no-longer-deprecated', subject };
      const kind = domains.has(predicate) ? 'property-range-changed' : 'statement-changed';
      return { kind, subject, part: shortName(predicate), ...ends(removed, added) };
    }),
    ...(reworded.length === 0
      ? []
      : [
          {
            kind: 'reworded',
            subject,
            part: reworded.map(({ predicate }) => shortName(predicate)).join(', '),
          } as const,
        ]),
  ];
}

const isTrue = (text: string): boolean => /^"(?:true|1)"/u.test(text);

function ends(removed: readonly string[], added: readonly string[]): Pick<Change, 'from' | 'to'> {
  return {
    ...(removed.length > 0 && { from: removed.join(', ') }),
    ...(added.length > 0 && { to: added.join(', ') }),
  };
}

function read(quads: readonly Quad[], codes: ReadonlySet<string>): Statements {
  const graph = new Graph(quads);
  const quadsOf = (subject: Term): readonly Quad[] => graph.about(subject);
  const statements = new Map<string, Map<string, string[]>>();
  for (const own of graph.groups()) {
    const [first] = own;
    if (first?.subject.termType !== 'NamedNode') continue;
    const subject = first.subject.value;
    const predicates = new Map<string, string[]>();
    for (const { predicate, object } of own) {
      if (isModelled(codes.has(subject), predicate.value, object, quadsOf)) continue;
      const texts = predicates.get(predicate.value) ?? [];
      predicates.set(predicate.value, [...texts, textOf(object, quadsOf)].sort());
    }
    statements.set(subject, predicates);
  }
  return statements;
}

function isModelled(
  isCode: boolean,
  predicate: string,
  object: Term,
  quadsOf: (subject: Term) => readonly Quad[],
): boolean {
  if (predicate === rdf.type) return sorts.has(object.value) || isCode;
  if (isCode && ofCodes.has(predicate)) return true;
  return modelled.has(predicate) || readExpression(predicate, object, quadsOf);
}

function textOf(object: Term, quadsOf: (subject: Term) => readonly Quad[]): string {
  if (object.termType === 'BlankNode') return `[${treeDigest(object, quadsOf).slice(0, 8)}]`;
  if (object.termType === 'NamedNode') return shortName(object.value);
  return writeTerm(object).replaceAll(`<${prefixes.xsd}`, '<xsd:');
}
