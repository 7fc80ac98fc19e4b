import type { ReadTx, WriteTx } from '../store/disk/data-directory.js';
import { hexDigest } from '../rdf/hex-digest.js';
import { awaitedBy, setAwaited, waitingFor } from '../records/statement-origins.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { MappedBatch } from './batch-resource.js';
import type { FhirResource } from './fhir-resources.js';
import { nameOf } from './resource-names.js';
import type { ImportTally } from './import-tally.js';
import { namesAwaited } from './references.js';

/** A resource of an earlier load that waited for another one. */
export interface Waiting {
  /** Its type and id. */
  readonly name: string;
  /** The file with the resource that it waited for. */
  readonly tally: ImportTally;
  /** Whether it waited for something. @param awaited a name, as `awaited` gives it */
  waitedFor(awaited: string): boolean;
}

/** Hashes the name of a missing resource, since identifiers of people must not be in keys. */
const digestOf = (awaited: string): string => hexDigest(awaited).slice(0, 32);

/**
 * Remembers over all loads which resources wait for which: those that refer to unknown ones, and those about a patient
 * without a record.
 */
export class LateArrivals {
  readonly #arrived = new Map<string, ImportTally>();

  constructor(private readonly primary: PrimaryStore) {}

  /** Notes that a load has a resource that others may wait for. */
  arrive(resource: FhirResource, tally: ImportTally): void {
    for (const name of namesAwaited(resource)) this.#arrived.set(digestOf(name), tally);
  }

  /** Stores what the resources of a batch wait for, in the transaction of their statements. */
  enter(tx: WriteTx, { resources, recordOf }: MappedBatch): void {
    for (const { resource, patient, waits } of resources.values()) {
      const awaited = new Set(resource.isDeleted ? [] : waits);
      if (patient !== undefined && recordOf(patient, resource.iri) === undefined)
        awaited.add(patient.replace(/^.*:/u, ''));
      setAwaited(tx, nameOf(resource), Array.from(awaited, digestOf).sort());
    }
  }

  /** Returns the resources of earlier loads that waited for resources of this one, and forgets that they waited. */
  async take(): Promise<Waiting[]> {
    const { directory } = this.primary;
    const found = directory.read((tx) => this.#found(tx));
    if (found.length > 0)
      await directory.transact((tx) => {
        for (const { name } of found) setAwaited(tx, name, []);
      });
    return found;
  }

  #found(tx: ReadTx): Waiting[] {
    const found = new Map<string, Waiting>();
    for (const [digest, tally] of this.#arrived)
      for (const name of waitingFor(tx, digest)) {
        const digests = new Set(awaitedBy(tx, name));
        found.set(name, { name, tally, waitedFor: (awaited) => digests.has(digestOf(awaited)) });
      }
    return [...found.values()];
  }
}
