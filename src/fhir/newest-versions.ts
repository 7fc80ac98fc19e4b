import type { ResourceVersion } from '../records/statement-origins.js';
import { orderOf, type FhirDocument, type FhirResource } from './fhir-resources.js';

/** A document without what is older than what is known. */
export interface NewestDocument extends FhirDocument {
  /** Versions of its resources that are older than those that the container has. */
  readonly outdated: readonly FhirResource[];
}

/**
 * Which version of each resource counts: the one that was updated last, of all that a load has seen and the container has.
 * An older one that comes later, in whatever file or command, is left out. Of versions that do not say when they were
 * updated, and of equal ones, the later one counts.
 */
export class NewestVersions {
  readonly #seen = new Map<string, ResourceVersion>();

  /**
   * @param ownerOf whose a resource is, where those of several servers can have the same id; else undefined, and type and
   * id say which resource it is
   * @param storedOf the versions of a resource that the container has
   */
  constructor(
    private readonly ownerOf: (resource: FhirResource) => string | undefined,
    private readonly storedOf: (resource: FhirResource) => readonly ResourceVersion[],
  ) {}

  /** A document with what is older than a version seen before among its older versions. */
  of(document: FhirDocument): NewestDocument {
    const resources: FhirResource[] = [];
    const older = [...document.older];
    const outdated: FhirResource[] = [];
    for (const resource of document.resources) {
      const list = this.#isOlder(resource) ? older : this.isOutdated(resource) ? outdated : resources;
      list.push(resource);
    }
    return { ...document, resources, older, outdated };
  }

  #isOlder(resource: FhirResource): boolean {
    const { iri, updated, number, isDeleted } = resource;
    const owner = this.ownerOf(resource);
    const key = owner === undefined ? iri : `${iri} ${owner}`;
    // A deletion need not say whose the resource was.
    for (const each of new Set([key, iri])) {
      const seen = this.#seen.get(each);
      if (seen && isOlder(resource, seen)) return true;
    }
    if (!Number.isNaN(updated) || !Number.isNaN(number)) this.#seen.set(key, { updated, number, isDeleted });
    return false;
  }

  /** Whether the container has a newer version. */
  isOutdated(resource: FhirResource): boolean {
    return this.storedOf(resource).some((stored) => isOlder(resource, stored));
  }
}

/** Whether a version is older than a known one, or the very one that was deleted. */
function isOlder(version: ResourceVersion, known: ResourceVersion): boolean {
  const order = orderOf(version, known);
  return order < 0 || (order === 0 && known.isDeleted === true && version.isDeleted !== true);
}
