import { isObject } from '../rdf/json-object.js';
import { partsOf, placeOf, type FhirDocument, type FhirResource } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';
import type { MappedResources, MappingThreads } from './mapping-threads.js';
import type { Mapping, MappingQuery } from './mapping.js';
import type { ReadElement } from './read-element.js';
import { References } from './references.js';
import { ResourceTriples } from './resource-triples.js';

/** A resource of a batch. */
export interface BatchResource {
  readonly resource: FhirResource;
  readonly tally: ImportTally;
  /** The patient that it is about; undefined where no reference leads to one. */
  readonly patient: string | undefined;
}

/** The record of a patient; undefined where none is known. */
export type RecordOf = (patient: string) => string | undefined;

/** A batch of resources and what queries make of it. */
export interface MappedBatch {
  readonly resources: ReadonlyMap<string, BatchResource>;
  readonly made: Promise<MappedResources>;
  /** As was known when the batch was full: what is read while it is mapped has no say. */
  readonly recordOf: RecordOf;
  /** The Base64 of an attachment by the name that stands for it in what was made. */
  data(name: string): string | undefined;
}

const nothing: Promise<MappedResources> = Promise.resolve({ mapped: [], reasons: new Map() });

/** So many resources are mapped at once: the queries then take little more time for many than for one. */
const BATCH = 2000;

/**
 * Collects resources and maps many at once. Resources that others only refer to (practitioners, organizations,
 * medications) are held until the end, so that documents which come later find them.
 */
export class FhirBatches {
  readonly #references: References;
  readonly #lookups = new Map<string, FhirResource>();
  readonly #elements: ReadonlyMap<string, ReadElement>;
  #resources = new Map<string, BatchResource>();
  #triples: ResourceTriples;
  #written = new Set<string>();
  #waiting: FhirResource[] = [];
  #place: { tally: ImportTally; place: string } | undefined;

  /** @param known what is known at present of the records of patients */
  constructor(
    private readonly mapping: Mapping,
    private readonly threads: MappingThreads,
    private readonly known: () => RecordOf,
  ) {
    this.#references = new References(new Set([...mapping.lookups, 'Patient']));
    this.#elements = mapping.elements;
    this.#triples = this.#newTriples();
  }

  /** Adds the resources of a document. Gives what is full, in batches. */
  *add(document: FhirDocument, tally: ImportTally): Generator<MappedBatch> {
    this.#references.begin(document);
    for (const version of document.older) {
      tally.resource(version.type);
      tally.unmapped(version.type, placeOf(version), 'another version of it counts');
    }
    for (const resource of document.resources) {
      tally.resource(resource.type);
      if (this.mapping.lookups.has(resource.type)) {
        this.#lookups.set(resource.iri, resource);
        tally.mapped(resource.type);
      } else if (!this.#elements.has(resource.type)) {
        // Endpoints are no part of a record; what is wrong with one is told of it.
        const reason = resource.type === 'Endpoint' ? undefined : 'no query takes resources of this type';
        tally.unmapped(resource.type, placeOf(resource), reason);
      }
    }
    for (const resource of document.resources) {
      if (this.mapping.lookups.has(resource.type) || !this.#elements.has(resource.type)) continue;
      // A later version in the same batch takes the place of the earlier one: their triples must not mix.
      if (this.#resources.has(resource.iri)) yield this.flush();
      this.#add(resource, tally);
      if (this.#resources.size >= BATCH) yield this.flush();
    }
  }

  /** Begins to map what has been collected. @param queries those to run, all by default */
  flush(queries: readonly MappingQuery[] = this.mapping.queries): MappedBatch {
    const resources = this.#resources;
    const triples = this.#triples;
    const types = new Set([...resources.values()].map(({ resource }) => resource.type));
    const asked = queries.filter(({ sources }) => sources.some((type) => types.has(type)));
    const made = asked.length === 0 ? nothing : this.threads.map(asked, triples.chunks());
    // Whoever waits for it is told; until somebody does, it is no failure of the process.
    made.catch(() => undefined);
    this.#resources = new Map();
    this.#written = new Set();
    this.#triples = this.#newTriples();
    return { resources, made, recordOf: this.known(), data: (name) => triples.data(name) };
  }

  /** Adds resources of earlier batches once more. */
  again(resources: Iterable<BatchResource>): void {
    for (const { resource, tally } of resources) this.#add(resource, tally, true);
  }

  #add(resource: FhirResource, tally: ImportTally, isAgain = false): void {
    this.#place = isAgain ? undefined : { tally, place: placeOf(resource) };
    this.#resources.set(resource.iri, { resource, tally, patient: this.#patientOf(resource) });
    this.#triples.add(resource);
    this.#place = undefined;
    // What a resource refers to follows it, and what that refers to in turn.
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#triples.add(next);
  }

  #patientOf({ type, iri, value }: FhirResource): string | undefined {
    const query = this.mapping.queries.find(({ sources }) => sources.includes(type));
    let found: unknown = value;
    for (const name of query?.patient ?? []) found = isObject(found) ? found[name] : undefined;
    if (query?.patient.length === 0) return iri;
    return isObject(found) ? this.#references.target(found, iri) : undefined;
  }

  #newTriples(): ResourceTriples {
    return new ResourceTriples({
      elements: this.#elements,
      target: (reference, from, path) => this.#target(reference, from, path),
      unread: (path) => {
        const at = this.#place;
        if (at && !this.#isLeftOut(path)) at.tally.saw('unread', path, at.place);
      },
    });
  }

  #target(reference: Readonly<Record<string, unknown>>, from: string, path: string): string | undefined {
    const target = this.#references.target(reference, from);
    const known = target === undefined ? undefined : partsOf(target);
    const isLookup = known !== undefined && this.mapping.lookups.has(known.type) && !target?.includes('#');
    const lookup = isLookup ? this.#lookups.get(target ?? '') : undefined;
    if (target === undefined || (isLookup && !lookup)) {
      // A Reference can also be a text alone.
      const isStated = reference.reference !== undefined || reference.identifier !== undefined;
      if (isStated) this.#place?.tally.saw('unresolved', path, this.#place.place);
    }
    if (lookup && !this.#written.has(lookup.iri)) {
      this.#written.add(lookup.iri);
      this.#waiting.push(lookup);
    }
    return target;
  }

  #isLeftOut(path: string): boolean {
    const { leftOut } = this.mapping;
    return leftOut.has(path) || leftOut.has(path.replace(/^[^.]+/u, '*'));
  }
}
