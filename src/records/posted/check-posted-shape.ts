import { Graph } from '../../model/ontology/graph.js';
import type { ClassModel, Ontology } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { isInnerName } from '../../rdf/skolem-iris.js';
import { unwritable } from '../../rdf/write-rdfxml.js';
import { termKey } from '../../rdf/term-key.js';
import { namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { prefixes, rdf, sp } from '../../rdf/vocabulary.js';
import type { Violation } from '../../model/validate/violation.js';

export interface Target {
  readonly ontology: Ontology;
  readonly base: string;
  readonly model: ClassModel;
  readonly record: string;
  readonly collection: string;
}

/**
 * Names the statement of a body and assigns it to its record. Everything in the body must be reachable from it through
 * blank nodes and IRIs that the body describes.
 * @param iri the new name; the body's own is only a label
 * @throws Problem unprocessable for anything else in the body, conflict when it names another record
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

function checkTerms(each: Quad, base: string): void {
  if (each.graph.termType !== 'DefaultGraph')
    refuse422('graph', 'The body holds named graphs; send triples.');
  const fault = unwritable(each);
  const property = each.predicate.value;
  if (fault !== undefined)
    refuse422('characters', `RDF/XML cannot carry what the body holds: ${fault}.`, { property });
  for (const { termType, value } of [each.subject, each.predicate, each.object]) {
    if (termType === 'NamedNode' && isInnerName(value, base)) {
      refuse422('name', 'The body uses a name that is kept for blank nodes; write a blank node.', { value });
    }
  }
  if (property.startsWith(prefixes.cg))
    refuse422('own-property', 'The body states a property that only the container gives.', { property });
}

/** Finds the only statement of the body, which must have exactly the call's class and no foreign name. */
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
  const is = (value: string) => ({ property: rdf.type, value });
  if (!root || statements.size > 1) {
    const says = `The body must hold one ${model.name}; it holds ${statements.size}.`;
    return refuse422('class', says, is(model.iri));
  }
  const types = index.about(root).filter(({ predicate }) => predicate.value === rdf.type);
  const second = types.find(({ object }) => object.value !== model.iri);
  if (second) refuse422('class', `The ${model.name} must have that class alone.`, is(second.object.value));
  const isLabel =
    root.termType === 'BlankNode' || root.value === collection || root.value.startsWith(`${collection}/`);
  if (!isLabel) {
    const says = `Write the ${model.name} as a blank node or with a relative IRI; its name is given here.`;
    refuse422('name', says, { value: root.value });
  }
  return root;
}

function reachable(index: Graph, root: Term, { base }: Target): Set<string> {
  const reached = new Set([termKey(root)]);
  const queue = [root];
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const { predicate, object } of index.about(node)) {
      const isNode = object.termType === 'BlankNode' || object.termType === 'NamedNode';
      if (!isNode || reached.has(termKey(object))) continue;
      // A class is not part of its instance, and a body describes nothing of the container.
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
  const says = 'Everything in the body must be reachable from the one statement; something is not.';
  refuse422('belonging', says, { property: loose.predicate.value });
}

function checkRecord({ subject, object }: Quad, root: Term, { record }: Target): void {
  const property = sp.belongsTo;
  if (!subject.equals(root))
    refuse422('belonging', 'Only the statement itself can say what record it belongs to.', { property });
  if (object.termType === 'NamedNode' && [record, `${record}/`].includes(object.value)) return;
  const says = 'The body belongs to another record than the path; leave sp:belongsTo out.';
  throw new Problem('conflict', says, { extra: { property } });
}

/** Allows links to the same record only, since answers would disclose others. */
function checkLinks({ predicate, object }: Quad, own: Term, { base, record }: Target): void {
  if (object.termType !== 'NamedNode' || !object.value.startsWith(`${base}/`)) return;
  if (object.equals(own) || object.value === record || object.value.startsWith(`${record}/`)) return;
  refuse422('link', 'The statement can link to resources of its own record only.', {
    property: predicate.value,
    value: object.value,
  });
}

/** Shown only to the caller, whose own words these are. */
interface BrokenAt {
  readonly property?: string;
  readonly value?: string;
}

const MAX_QUOTED = 200;
const MAX_VIOLATIONS = 50;

function refuse422(rule: string, detail: string, at: BrokenAt = {}): never {
  throw unprocessable(rule, detail, at);
}

export function unprocessable(rule: string, detail: string, at: BrokenAt = {}): Problem {
  return new Problem('unprocessable', detail, { extra: { rule, ...quoted(at) } });
}

/** Reports violations of the ontology: the first in the main members, all in a list. @throws Problem unprocessable */
export function refuseViolations(violations: readonly Violation[]): void {
  const [first] = violations;
  if (!first) return;
  const { rule, message } = first;
  throw new Problem('unprocessable', message, {
    extra: {
      rule,
      ...quoted(first),
      violations: violations
        .slice(0, MAX_VIOLATIONS)
        .map((each) => ({ rule: each.rule, ...quoted(each), message: each.message })),
    },
  });
}

function quoted({ property, value }: BrokenAt): BrokenAt {
  return {
    ...(property !== undefined && { property }),
    ...(value !== undefined && {
      value: value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value,
    }),
  };
}
