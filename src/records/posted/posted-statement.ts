import { Graph } from '../../ontology/graph.js';
import type { ClassModel, Ontology } from '../../ontology/model.js';
import { Problem } from '../../problem.js';
import { isInnerName } from '../../rdf/skolem-iris.js';
import { unwritable } from '../../rdf/rdfxml.js';
import { termKey } from '../../rdf/term-key.js';
import { namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { prefixes, rdf, sp } from '../../rdf/vocabulary.js';
import { refuse422 } from './posted-problems.js';

/** Where a posted statement goes. */
export interface Target {
  readonly ontology: Ontology;
  readonly base: string;
  /** The class of the call. */
  readonly model: ClassModel;
  /** The IRI of the record. */
  readonly record: string;
  /** The IRI of the collection, without a slash at its end: what relative IRIs of the body stand under. */
  readonly collection: string;
}

/**
 * Gives the one statement of a body its name and its record. Everything in the body must belong to it: what hangs
 * from it through blank nodes and through IRIs that the body describes.
 * @param iri the new name: whatever the body calls the statement is only a label
 * @returns all quads of its graph
 * @throws Problem unprocessable for everything else that stands in the body
 * @throws Problem conflict when the body names another record
 */
export function postedStatement(quads: readonly Quad[], iri: string, target: Target): Quad[] {
  for (const each of quads) checkTerms(each, target.base);
  const index = new Graph(quads);
  const root = findRoot(index, target);
  const record = namedNode(target.record);
  const named = namedNode(iri);
  const reached = reachable(index, root, target);
  checkAllReached(index, reached);
  const rename = (term: Term): Term => (term.equals(root) ? named : term);
  const own: Quad[] = [quad(named, namedNode(sp.belongsTo), record)];
  for (const each of index.quads) {
    const { subject, predicate, object } = each;
    if (predicate.value === sp.belongsTo) checkRecord(each, root, target);
    else own.push(quad(rename(subject), predicate, rename(object)));
  }
  for (const each of own) checkLinks(each, named, target);
  return own;
}

/** What no answer could carry, and names that only the container gives. */
function checkTerms(each: Quad, base: string): void {
  if (each.graph.termType !== 'DefaultGraph')
    refuse422('graph', 'The body holds named graphs; send triples.');
  const fault = unwritable(each);
  if (fault !== undefined) {
    refuse422('characters', `RDF/XML cannot carry what the body holds: ${fault}.`, {
      property: each.predicate.value,
    });
  }
  for (const { termType, value } of [each.subject, each.predicate, each.object]) {
    if (termType === 'NamedNode' && isInnerName(value, base)) {
      refuse422('name', 'The body uses a name that is kept for blank nodes; write a blank node.', { value });
    }
  }
  if (each.predicate.value.startsWith(prefixes.cg)) {
    const property = each.predicate.value;
    refuse422('own-property', 'The body states a property that only the container gives.', { property });
  }
}

/** The only node of a statement class: of the class of the call and of no other, without a name from elsewhere. */
function findRoot(index: Graph, { ontology, model, collection }: Target): Term {
  const statements = new Map<string, Term>();
  for (const { subject, predicate, object } of index.quads) {
    if (predicate.value !== rdf.type) continue;
    const isStatement =
      object.value === sp.MedicalRecord || ontology.classes.get(object.value)?.kind === 'statement';
    if (!isStatement) continue;
    if (object.value !== model.iri) {
      refuse422('class', `The body must hold one ${model.name} and nothing else; it states another class.`, {
        property: rdf.type,
        value: object.value,
      });
    }
    statements.set(termKey(subject), subject);
  }
  const [root] = statements.values();
  if (!root || statements.size > 1) {
    return refuse422('class', `The body must hold one ${model.name}; it holds ${statements.size}.`, {
      property: rdf.type,
      value: model.iri,
    });
  }
  const types = index.about(root).filter(({ predicate }) => predicate.value === rdf.type);
  const second = types.find(({ object }) => object.value !== model.iri);
  if (second) {
    const found = { property: rdf.type, value: second.object.value };
    refuse422('class', `The ${model.name} must have that class alone.`, found);
  }
  const isLabel =
    root.termType === 'BlankNode' || root.value === collection || root.value.startsWith(`${collection}/`);
  if (!isLabel) {
    refuse422(
      'name',
      `Write the ${model.name} as a blank node or with a relative IRI; its name is given here.`,
      {
        value: root.value,
      },
    );
  }
  return root;
}

/** The keys of all nodes that are reachable from the statement. */
function reachable(index: Graph, root: Term, { base }: Target): Set<string> {
  const reached = new Set([termKey(root)]);
  const queue = [root];
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const { predicate, object } of index.about(node)) {
      const isNode = object.termType === 'BlankNode' || object.termType === 'NamedNode';
      if (!isNode || reached.has(termKey(object))) continue;
      // A class is no part of what it classes, and nothing of the container is described by a body.
      if (predicate.value === rdf.type || object.value.startsWith(`${base}/`)) continue;
      reached.add(termKey(object));
      queue.push(object);
    }
  }
  return reached;
}

function checkAllReached(index: Graph, reached: ReadonlySet<string>): void {
  const loose = index.quads.find(({ subject }) => !reached.has(termKey(subject)));
  if (!loose) return;
  refuse422(
    'belonging',
    'Everything in the body must be reachable from the one statement; something is not.',
    {
      property: loose.predicate.value,
    },
  );
}

function checkRecord({ subject, object }: Quad, root: Term, { record }: Target): void {
  if (!subject.equals(root)) {
    refuse422('belonging', 'Only the statement itself can say what record it belongs to.', {
      property: sp.belongsTo,
    });
  }
  if (object.termType === 'NamedNode' && [record, `${record}/`].includes(object.value)) return;
  throw new Problem('conflict', 'The body belongs to another record than the path; leave sp:belongsTo out.', {
    extra: { property: sp.belongsTo },
  });
}

/** A link may lead to the same record only: an answer would show the names of others. */
function checkLinks({ predicate, object }: Quad, own: Term, { base, record }: Target): void {
  if (object.termType !== 'NamedNode' || !object.value.startsWith(`${base}/`)) return;
  if (object.equals(own) || object.value === record || object.value.startsWith(`${record}/`)) return;
  refuse422('link', 'The statement can link to resources of its own record only.', {
    property: predicate.value,
    value: object.value,
  });
}
