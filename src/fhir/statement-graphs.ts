import { Graph } from '../model/ontology/graph.js';
import { linkRules, type Ontology } from '../model/ontology/model.js';
import { blankNode, literal, namedNode, quad, type Literal, type Quad, type Term } from '../rdf/terms.js';
import { cg, rdf, resourceUrn, sp } from '../rdf/vocabulary.js';
import { withoutImpossible } from '../rdf/xml-text.js';
import { recordIri, statementPathOf, type StatementPath } from '../records/resource-paths.js';
import type { NamedGraph } from '../store/graph-store.js';
import { partsOf } from './resource-names.js';
import type { RecordOf } from './batch-resource.js';
import type { Mapped } from './mapping-threads.js';
import type { Mapping, StatementMaker } from './mapping.js';
import { statementName } from './statement-names.js';

/** A statement that a query made of a resource, or that keeps one in words. */
export interface MadeStatement {
  readonly query: StatementMaker;
  /** The resource that it was made of. */
  readonly resource: string;
  readonly recordId: string;
  readonly graph: NamedGraph;
  /** The statements that it refers to. */
  readonly links: readonly string[];
  /** Whether characters that XML does not have were replaced. */
  readonly isCleaned: boolean;
}

/** Where statements come to stand. */
export interface StatementPlace {
  readonly base: string;
  /** The statements that a property leads to, by property. */
  readonly linked: ReadonlyMap<string, StatementPath>;
  readonly mapping: Pick<Mapping, 'plainTypes'>;
  readonly recordOf: RecordOf;
  /** Whether records have the ids of their patients, so that one is known before it exists. */
  readonly hasPatientIds: boolean;
}

/** The targets of the properties that link statements, by the restrictions of the ontology. */
export function linkedStatements(ontology: Ontology): Map<string, StatementPath> {
  const linked = new Map<string, StatementPath>();
  for (const model of ontology.classes.values()) {
    for (const { property, classes } of linkRules(ontology, model)) {
      const range = classes
        .map((iri) => ontology.classes.get(iri))
        .find((found) => found?.basePath !== undefined);
      const path = range && statementPathOf(range);
      if (path) linked.set(property, path);
    }
  }
  return linked;
}

/**
 * Makes a graph for each statement that a query constructed: what says what record it belongs to is one. A statement
 * is named by its class and its resource, so that a later version takes its place; a link leads to the statement of the
 * class that the ontology asks for there. Everything else is a blank node of the statement.
 */
export function statementGraphs({ query, quads }: Mapped, place: StatementPlace): MadeStatement[] {
  const graph = new Graph(quads);
  const made: MadeStatement[] = [];
  for (const about of graph.groups()) {
    const belongs = about.find(({ predicate }) => predicate.value === sp.belongsTo);
    const resource = belongs && partsOf(belongs.subject.value);
    const recordId = belongs && place.recordOf(belongs.object.value, belongs.subject.value);
    if (!belongs || resource === undefined || recordId === undefined) continue;
    const record = recordIri(place.base, recordId);
    const name = statementName({ record, path: query.path, resource }, place.mapping);
    const node = belongs.subject;
    const { quads, links, isCleaned } = walk(node, graph, { ...place, record, name });
    made.push({ query, resource: node.value, recordId, graph: { name, quads }, links, isCleaned });
  }
  return made;
}

interface Walk extends StatementPlace {
  readonly record: string;
  readonly name: string;
}

/** Returns everything reachable from a statement, under its stored names. */
function walk(
  root: Term,
  graph: Graph,
  { linked, mapping, record, name, recordOf, hasPatientIds }: Walk,
): { quads: Quad[] } & Pick<MadeStatement, 'links' | 'isCleaned'> {
  let isCleaned = false;
  const quads: Quad[] = [];
  const links: string[] = [];
  const names = new Map<string, Term>([[root.value, namedNode(name)]]);
  const queue: Term[] = [root];
  const rename = (term: Term): Term => {
    const isInner = term.termType === 'BlankNode' || term.value.startsWith(resourceUrn);
    if (!isInner) return term;
    let known = names.get(term.value);
    if (!known) names.set(term.value, (known = blankNode(`n${names.size}`)));
    return known;
  };
  const seen = new Set([root.value]);
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const { predicate, object } of graph.about(node)) {
      const path = linked.get(predicate.value);
      const target = path && partsOf(object.value);
      let value: Term;
      if (predicate.value === sp.belongsTo) value = namedNode(record);
      else if (predicate.value === cg.replacedBy) {
        const by = recordOf(object.value, object.value);
        const id = by ?? (hasPatientIds ? partsOf(object.value)?.id : undefined);
        if (id === undefined) continue;
        value = literal(id);
      } else if (path && target) {
        value = namedNode(statementName({ record, path, resource: target }, mapping));
        links.push(value.value);
      } else if (object.termType === 'Literal') {
        value = cleaned(object);
        isCleaned ||= value !== object;
      } else {
        value = rename(object);
        if (predicate.value !== rdf.type && !seen.has(object.value)) {
          seen.add(object.value);
          queue.push(object);
        }
      }
      quads.push(quad(rename(node), predicate, value));
    }
  }
  return { quads, links, isCleaned };
}

/** A literal without what XML 1.0 does not have: one character is no reason to lose a diagnosis. */
export function cleaned(term: Literal): Literal {
  const text = withoutImpossible(term.value);
  return text === term.value ? term : literal(text, term.language || term.datatype);
}
