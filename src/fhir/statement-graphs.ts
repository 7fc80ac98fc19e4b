import { Graph } from '../ontology/graph.js';
import { linkRules, type Ontology } from '../ontology/model.js';
import { blankNode, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { rdf, resourceUrn, sp } from '../rdf/vocabulary.js';
import { recordIri, statementIri, statementPathOf, type StatementPath } from '../records/resource-paths.js';
import type { NamedGraph } from '../store/graph-store.js';
import { partsOf } from './fhir-resources.js';
import type { Mapped } from './mapping-threads.js';
import type { MappingQuery } from './mapping.js';

/** A statement that a query made of a resource. */
export interface MadeStatement {
  readonly query: MappingQuery;
  /** The resource that it was made of. */
  readonly resource: string;
  readonly recordId: string;
  readonly graph: NamedGraph;
  /** The statements that it refers to. */
  readonly links: readonly string[];
}

/** Where statements come to stand. */
export interface StatementPlace {
  readonly base: string;
  /** The statements that a property leads to, by property. */
  readonly linked: ReadonlyMap<string, StatementPath>;
  /** The record of a patient; undefined where none is known. */
  recordOf(patient: string): string | undefined;
}

/** Where the properties that link statements lead, as the ontology restricts them. */
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
 * is named by its class and the id of its resource, so that a later version takes its place; a link leads to the
 * statement of the class that the ontology asks for there. Everything else is a blank node of the statement.
 */
export function statementGraphs({ query, quads }: Mapped, place: StatementPlace): MadeStatement[] {
  const graph = new Graph(quads);
  const made: MadeStatement[] = [];
  for (const about of graph.groups()) {
    const belongs = about.find(({ predicate }) => predicate.value === sp.belongsTo);
    const id = belongs && partsOf(belongs.subject.value)?.id;
    const recordId = belongs && place.recordOf(belongs.object.value);
    if (!belongs || id === undefined || recordId === undefined) continue;
    const record = recordIri(place.base, recordId);
    const name = statementIri(record, query.path, id);
    const node = belongs.subject;
    const walked = walk(node, graph, { ...place, record, name });
    made.push({
      query,
      resource: node.value,
      recordId,
      graph: { name, quads: walked.quads },
      links: walked.links,
    });
  }
  return made;
}

interface Walk extends StatementPlace {
  readonly record: string;
  readonly name: string;
}

/** What is reachable from a statement, in the names that it is stored under. */
function walk(root: Term, graph: Graph, { linked, record, name }: Walk): { quads: Quad[]; links: string[] } {
  const quads: Quad[] = [];
  const links: string[] = [];
  const names = new Map<string, Term>([[root.value, namedNode(name)]]);
  const queue: Term[] = [root];
  const rename = (term: Term): Term => {
    const isInner = term.termType === 'BlankNode' || term.value.startsWith(resourceUrn);
    if (!isInner || term.termType === 'Literal') return term;
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
      else if (path && target) {
        value = namedNode(statementIri(record, path, target.id));
        links.push(value.value);
      } else {
        value = rename(object);
        if (predicate.value !== rdf.type && object.termType !== 'Literal' && !seen.has(object.value)) {
          seen.add(object.value);
          queue.push(object);
        }
      }
      quads.push(quad(rename(node), predicate, value));
    }
  }
  return { quads, links };
}
