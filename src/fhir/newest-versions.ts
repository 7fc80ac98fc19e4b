import type { ResourceVersion } from '../records/statement-origins.js';
import { orderOf, type FhirDocument, type FhirResource } from './fhir-resources.js';

/** A document without versions older than known ones. */
export interface NewestDocument extends FhirDocument {
  /** Versions of its resources older than those of the container. */
  readonly outdated: readonly FhirResource[];
}

/**
 * Decides which version of each resource counts: the one updated last, of all in the load and in the container. An
 * older one that comes later, in any file or command, is left out. Of versions without a time of update, and of equal
 * ones, the later one counts.
 */
export class NewestVersions {
  readonly #seen = new Map<string, ResourceVersion>();

  /**
   * @param ownerOf whose a resource is, if several servers can use the same id; otherwise undefined: type and id are
   * enough
   * @param storedOf the versions of a resource that the container has
   */
  constructor(
    private readonly ownerOf: (resource: FhirResource) => string | undefined,
    private readonly storedOf: (resource: FhirResource) => readonly ResourceVersion[],
  ) {}

  /** Returns a document with all versions older than earlier ones among its older versions. */
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

/** Whether a version is older than a known one, or the one that was deleted. */
function isOlder(version: ResourceVersion, known: ResourceVersion): boolean {
  const order = orderOf(version, known);
  return order < 0 || (order === 0 && known.isDeleted === true && version.isDeleted !== true);
}
