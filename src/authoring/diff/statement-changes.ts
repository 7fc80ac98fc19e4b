import { treeDigest } from '../../rdf/digest.js';
import { writeTerm } from '../../rdf/ntriples.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { api, cg, dcterms, owl, prefixes, rdf, rdfs, skos, sp, sh } from '../../rdf/vocabulary.js';
import { Graph } from '../../model/ontology/graph.js';
import { shownProperties } from '../../model/ontology/model.js';
import { cardinalityKinds, shapeTerms } from '../../model/ontology/restrictions.js';
import { shortName } from '../../model/ontology/term-names.js';
import { compareLists, step, type Change } from './change.js';

/** Properties that are only for people, also on pages of records. */
const words: ReadonlySet<string> = new Set([
  ...shownProperties.map((annotation) => cg[annotation]),
  cg.group,
  cg.heading,
  cg.order,
  cg.trend,
  cg.allows,
  cg.over,
  cg.outside,
  cg.denies,
  cg.shownAs,
  cg.titleTag,
  cg.titleNoise,
  cg.titleSpecimen,
  cg.firstCodes,
  cg.social,
  cg.decimals,
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

/** Properties in the typed model, which other comparisons cover. */
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

/** Properties that the model covers only for codes. */
const ofCodes: ReadonlySet<string> = new Set([dcterms.title, sp.system, dcterms.identifier, skos.broader]);

/** Types for sorts of terms, which the model covers. */
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

/** Statements about named subjects as text, with blank nodes expanded. */
type Statements = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * Compares statements outside the typed model, about terms in both ontologies: texts for people, deprecation, and
 * others, which count as breaking.
 * @param codes IRIs in both: their types, descriptions and broader codes are compared elsewhere
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

const isTrue = /^"(?:true|1)"/mu;

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
        return { kind: isTrue.test(added.join('\n')) ? 'deprecated' : 'no-longer-deprecated', subject };
      const kind = domains.has(predicate) ? 'property-range-changed' : 'statement-changed';
      return {
        kind,
        subject,
        part: shortName(predicate),
        ...step(removed.join(', ') || undefined, added.join(', ') || undefined),
      };
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

function read(quads: readonly Quad[], codes: ReadonlySet<string>): Statements {
  const graph = new Graph(quads);
  const statements = new Map<string, Map<string, string[]>>();
  for (const own of graph.groups()) {
    const [first] = own;
    if (first?.subject.termType !== 'NamedNode') continue;
    const subject = first.subject.value;
    const predicates = new Map<string, string[]>();
    for (const { predicate, object } of own) {
      if (isModelled(codes.has(subject), predicate.value, object, graph)) continue;
      const texts = predicates.get(predicate.value) ?? [];
      predicates.set(predicate.value, [...texts, textOf(object, graph)].sort());
    }
    statements.set(subject, predicates);
  }
  return statements;
}

function isModelled(isCode: boolean, predicate: string, object: Term, graph: Graph): boolean {
  if (predicate === rdf.type) return sorts.has(object.value) || isCode;
  if (isCode && ofCodes.has(predicate)) return true;
  return modelled.has(predicate) || readExpression(predicate, object, graph);
}

function textOf(object: Term, graph: Graph): string {
  if (object.termType === 'BlankNode')
    return `[${treeDigest(object, (node) => graph.about(node)).slice(0, 8)}]`;
  if (object.termType === 'NamedNode') return shortName(object.value);
  return writeTerm(object).replaceAll(`<${prefixes.xsd}`, '<xsd:');
}

/** Whether `restrictions.ts` and `classes.ts` read all of a statement: no model has other class expressions. */
function readExpression(predicate: string, object: Term, graph: Graph): boolean {
  if (predicate === owl.oneOf) return true;
  if (predicate === owl.equivalentClass) return isListOrRange(graph, object);
  if (predicate === sh.property) return areAll(graph, object, shapeTerms);
  if (predicate !== rdfs.subClassOf) return false;
  return object.termType === 'NamedNode' || isReadRestriction(object, graph);
}

const fillers: ReadonlySet<string> = new Set([owl.allValuesFrom, owl.onClass, owl.onDataRange]);
const plain: ReadonlySet<string> = new Set([rdf.type, owl.onProperty, ...cardinalityKinds]);

function isReadRestriction(node: Term, graph: Graph): boolean {
  return (
    graph.hasType(node, owl.Restriction) &&
    graph
      .about(node)
      .every(
        ({ predicate, object }) =>
          plain.has(predicate.value) || (fillers.has(predicate.value) && isReadFiller(object, graph)),
      )
  );
}

const inner: ReadonlySet<string> = new Set([rdf.type, owl.onProperty, owl.hasValue, owl.allValuesFrom]);

const areAll = (graph: Graph, node: Term, predicates: ReadonlySet<string>): boolean =>
  [...graph.properties(node).keys()].every((predicate) => predicates.has(predicate));

const isListOrRange = (graph: Graph, node: Term): boolean =>
  [owl.oneOf, owl.onDatatype].some((predicate) => graph.properties(node).has(predicate));

/** A named class or datatype, a data range, a restriction of the linked node, or an intersection of these. */
function isReadFiller(filler: Term, graph: Graph): boolean {
  if (filler.termType === 'NamedNode') return true;
  const [parts] = graph.objects(filler, owl.intersectionOf);
  if (parts) return graph.list(parts).every((part) => isReadFiller(part, graph));
  return isListOrRange(graph, filler) || (graph.properties(filler).size > 0 && areAll(graph, filler, inner));
}
