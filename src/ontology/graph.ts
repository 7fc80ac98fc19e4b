import { rdf } from '../rdf/vocabulary.js';
import type { Quad, Term } from '../rdf/terms.js';

type Objects = Map<string, Term[]>;

/** Quads by subject and predicate, for reading a small graph by walking it. Blank nodes count as `_:label`. */
export class Graph {
  readonly #subjects = new Map<string, Objects>();

  constructor(quads: Iterable<Quad>) {
    for (const { subject, predicate, object } of quads) {
      const key = keyOf(subject);
      const objects: Objects = this.#subjects.get(key) ?? new Map<string, Term[]>();
      this.#subjects.set(key, objects);
      const values = objects.get(predicate.value);
      if (!values) objects.set(predicate.value, [object]);
      else if (!values.some((value) => value.equals(object))) values.push(object);
    }
  }

  /** Keys of all subjects, in order of first appearance. */
  subjects(): Iterable<string> {
    return this.#subjects.keys();
  }

  objects(subject: string | Term, predicate: string): readonly Term[] {
    return this.#subjects.get(keyOf(subject))?.get(predicate) ?? [];
  }

  /** Predicates of a subject with their objects. */
  properties(subject: string | Term): Iterable<[string, readonly Term[]]> {
    return this.#subjects.get(keyOf(subject)) ?? [];
  }

  /** Text or IRI of the first object. */
  value(subject: string | Term, predicate: string): string | undefined {
    return this.objects(subject, predicate)[0]?.value;
  }

  /** IRIs among the objects. */
  iris(subject: string | Term, predicate: string): string[] {
    return this.objects(subject, predicate).flatMap((term) =>
      term.termType === 'NamedNode' ? [term.value] : [],
    );
  }

  hasType(subject: string | Term, type: string): boolean {
    return this.objects(subject, rdf.type).some((term) => term.value === type);
  }

  /** IRIs of all subjects of a type, sorted by code unit. */
  instances(type: string): string[] {
    return [...this.#subjects.keys()]
      .filter((key) => !key.startsWith('_:') && this.hasType(key, type))
      .sort();
  }

  /** Members of an RDF list; a broken or circular list ends where it breaks. */
  list(head: Term | undefined): Term[] {
    const members: Term[] = [];
    const visited = new Set<string>();
    for (let node = head; node && !visited.has(keyOf(node)); node = this.objects(node, rdf.rest)[0]) {
      visited.add(keyOf(node));
      const first = this.objects(node, rdf.first)[0];
      if (!first) break;
      members.push(first);
    }
    return members;
  }
}

/** The key of a term in a Graph: its IRI, or `_:label`. */
export function keyOf(term: string | Term): string {
  if (typeof term === 'string') return term;
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}
