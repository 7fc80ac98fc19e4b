import { termKey } from '../../rdf/term-key.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';

interface Described {
  readonly quads: Quad[];
  readonly objects: Map<string, Term[]>;
}

/** Up to this many values are compared one by one, which for most properties is cheaper than making keys. */
const FEW = 8;

const nothing: readonly never[] = [];
const noProperties: ReadonlyMap<string, readonly Term[]> = new Map();

/**
 * A graph by subject: each triple once, in document order; graph names are ignored. Subjects are given as terms or
 * keys (an IRI, or `_:label`). Building and querying are linear in the quads, however they are distributed.
 */
export class Graph {
  readonly quads: readonly Quad[];
  readonly #subjects = new Map<string, Described>();
  /** By label, since making keys of blank nodes takes longer than to look them up. */
  readonly #blankNodes = new Map<string, Described>();

  constructor(quads: Iterable<Quad>) {
    const own: Quad[] = [];
    const keys = new Map<readonly Term[], Set<string>>();
    for (const quad of quads) {
      const { quads: about, objects } = this.#describe(quad.subject);
      const values = objects.get(quad.predicate.value);
      if (!values) objects.set(quad.predicate.value, [quad.object]);
      else if (holds(values, quad.object, keys)) continue;
      else values.push(quad.object);
      about.push(quad);
      own.push(quad);
    }
    this.quads = own;
  }

  /** Keys of all subjects, in order of first appearance. */
  subjects(): Iterable<string> {
    return this.#subjects.keys();
  }

  about(subject: string | Term): readonly Quad[] {
    return this.#find(subject)?.quads ?? nothing;
  }

  *groups(): Iterable<readonly Quad[]> {
    for (const { quads } of this.#subjects.values()) yield quads;
  }

  objects(subject: string | Term, predicate: string): readonly Term[] {
    return this.#find(subject)?.objects.get(predicate) ?? nothing;
  }

  properties(subject: string | Term): ReadonlyMap<string, readonly Term[]> {
    return this.#find(subject)?.objects ?? noProperties;
  }

  value(subject: string | Term, predicate: string): string | undefined {
    return this.objects(subject, predicate)[0]?.value;
  }

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
    for (let node = head; node && !visited.has(termKey(node)); node = this.objects(node, rdf.rest)[0]) {
      visited.add(termKey(node));
      const first = this.objects(node, rdf.first)[0];
      if (!first) break;
      members.push(first);
    }
    return members;
  }

  #find(subject: string | Term): Described | undefined {
    if (typeof subject === 'string') return this.#subjects.get(subject);
    return subject.termType === 'BlankNode'
      ? this.#blankNodes.get(subject.value)
      : this.#subjects.get(termKey(subject));
  }

  #describe(subject: Term): Described {
    const known = this.#find(subject);
    if (known) return known;
    const described = { quads: [], objects: new Map<string, Term[]>() };
    this.#subjects.set(termKey(subject), described);
    if (subject.termType === 'BlankNode') this.#blankNodes.set(subject.value, described);
    return described;
  }
}

/** Whether a term is among the values of a property. Adds its key once the values have keys. */
function holds(values: readonly Term[], term: Term, keys: Map<readonly Term[], Set<string>>): boolean {
  if (values.length < FEW) return values.some((value) => value.equals(term));
  let own = keys.get(values);
  if (!own) keys.set(values, (own = new Set(values.map(termKey))));
  return own.size === own.add(termKey(term)).size;
}
