import type { DatasetCore } from '@rdfjs/types';
import { addTo, groupedBy } from '../../../rdf/by-key.js';
import { termKey } from '../../../rdf/term-key.js';
import type { Quad, Term } from '../../../rdf/terms.js';

type Index = Map<string, Quad[]>;

/**
 * An RDF/JS dataset (Data Model specification, DatasetCore) for looking up nodes: quads are indexed by subject and by
 * object on first use. Made for many small sets; a search by predicate alone scans all quads.
 */
export class QuadSet implements DatasetCore {
  #quads: Quad[];
  #bySubject: Index | undefined;
  #byObject: Index | undefined;

  constructor(quads: Iterable<Quad> = []) {
    this.#quads = [...quads];
  }

  get size(): number {
    return this.#quads.length;
  }

  [Symbol.iterator](): Iterator<Quad> {
    return this.#quads[Symbol.iterator]();
  }

  add(quad: Quad): this {
    if (this.has(quad)) return this;
    this.#quads.push(quad);
    if (this.#bySubject) addTo(this.#bySubject, termKey(quad.subject), quad);
    if (this.#byObject) addTo(this.#byObject, termKey(quad.object), quad);
    return this;
  }

  delete(quad: Quad): this {
    this.#quads = this.#quads.filter((own) => !own.equals(quad));
    this.#bySubject = undefined;
    this.#byObject = undefined;
    return this;
  }

  has({ subject, predicate, object, graph }: Quad): boolean {
    return this.#find(subject, predicate, object, graph).length > 0;
  }

  match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): QuadSet {
    return new QuadSet(this.#find(subject, predicate, object, graph));
  }

  #find(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): Quad[] {
    return this.#candidates(subject, object).filter(
      (quad) =>
        (!predicate || quad.predicate.value === predicate.value) &&
        (!object || quad.object.equals(object)) &&
        (!graph || quad.graph.equals(graph)),
    );
  }

  #candidates(subject?: Term | null, object?: Term | null): readonly Quad[] {
    if (subject) {
      this.#bySubject ??= groupedBy(this.#quads, (quad) => termKey(quad.subject));
      return this.#bySubject.get(termKey(subject)) ?? [];
    }
    if (object) {
      this.#byObject ??= groupedBy(this.#quads, (quad) => termKey(quad.object));
      return this.#byObject.get(termKey(object)) ?? [];
    }
    return this.#quads;
  }
}
