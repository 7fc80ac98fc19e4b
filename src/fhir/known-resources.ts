import type { JsonObject } from '../rdf/json-object.js';
import { orderOf, type FhirResource } from './fhir-resources.js';
import type { Mapping } from './mapping.js';

/** The resources of a load that others refer to, in the version that counts, and those that it deletes. */
export class KnownResources {
  readonly #lookups = new Map<string, FhirResource>();
  /** Those of which statements are made as well. */
  readonly #joined = new Map<string, FhirResource>();
  /** Deleted ones: reading ahead does not bring them back. */
  readonly #gone = new Map<string, FhirResource>();
  /** Those that this load deletes, before or after what refers to them. */
  readonly #leaving = new Set<string>();
  /** Gender and birth date of the patients of this load, by which results are judged. */
  readonly #people = new Map<string, JsonObject>();

  constructor(private readonly mapping: Pick<Mapping, 'lookups' | 'joined'>) {}

  /** Learns of a patient, or of a resource that others only refer to. */
  learn(resource: FhirResource): void {
    const { gender, birthDate, modifierExtension } = resource.value;
    if (resource.type === 'Patient' && modifierExtension === undefined)
      this.#people.set(resource.iri, { gender, birthDate });
    if (!this.mapping.lookups.has(resource.type)) return;
    if (resource.isDeleted) {
      this.#lookups.delete(resource.iri);
      this.#gone.set(resource.iri, resource);
    } else newer(this.#lookups, resource);
  }

  /** Learns of a resource with statements, to which others may refer as well. */
  join(resource: FhirResource): void {
    if (resource.isDeleted) {
      this.#leaving.add(resource.iri);
      if (this.#joined.delete(resource.iri)) this.#gone.set(resource.iri, resource);
    } else if (this.mapping.joined.has(resource.type)) newer(this.#joined, resource);
  }

  /** Learns of a resource that comes later in the load. */
  foresee(resource: FhirResource): void {
    if (resource.isDeleted) {
      this.#leaving.add(resource.iri);
      return;
    }
    const gone = this.#gone.get(resource.iri);
    if (gone && !(orderOf(resource, gone) > 0)) return;
    if (this.mapping.lookups.has(resource.type)) newer(this.#lookups, resource);
    if (this.mapping.joined.has(resource.type)) newer(this.#joined, resource);
  }

  lookup(iri: string): FhirResource | undefined {
    return this.#lookups.get(iri);
  }

  joined(iri: string): FhirResource | undefined {
    return this.#joined.get(iri);
  }

  isLeaving(iri: string): boolean {
    return this.#leaving.has(iri);
  }

  person(patient: string): JsonObject | undefined {
    return this.#people.get(patient);
  }
}

/** Puts in a resource unless a later version is there, which may have been read ahead. */
function newer(known: Map<string, FhirResource>, resource: FhirResource): void {
  const before = known.get(resource.iri);
  if (!before || !(orderOf(resource, before) < 0)) known.set(resource.iri, resource);
}
