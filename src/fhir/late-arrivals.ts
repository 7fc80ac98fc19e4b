import type { ReadTx, WriteTx } from '../store/disk/data-directory.js';
import { hexDigest } from '../rdf/hex-digest.js';
import { awaitedBy, setAwaited, waitingFor } from '../records/statement-origins.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { MappedBatch } from './fhir-batch.js';
import { nameOf, type FhirResource } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';
import { namesAwaited } from './references.js';

/** A resource of an earlier load that waited for what came now. */
export interface Waiting {
  /** Its type and id. */
  readonly name: string;
  /** The file with what it waited for. */
  readonly tally: ImportTally;
  /** Whether it waited for something. @param awaited a name, as `awaited` gives it */
  waitedFor(awaited: string): boolean;
}

/** What is waited for may be named by identifiers of people, which are in no key. */
const digestOf = (awaited: string): string => hexDigest(awaited).slice(0, 32);

/**
 * Remembers which resources wait for which, over all loads: those that refer to what is not known, and those about a patient
 * who has no record yet.
 */
export class LateArrivals {
  readonly #arrived = new Map<string, ImportTally>();

  constructor(private readonly primary: PrimaryStore) {}

  /** Remembers that a load has a resource for which others can have waited. */
  arrive(resource: FhirResource, tally: ImportTally): void {
    for (const name of namesAwaited(resource)) this.#arrived.set(digestOf(name), tally);
  }

  /** Enters what the resources of a batch wait for, in the transaction that stores what was made of them. */
  enter(tx: WriteTx, { resources, recordOf }: MappedBatch): void {
    for (const { resource, patient, waits } of resources.values()) {
      const awaited = new Set(resource.isDeleted ? [] : waits);
      if (patient !== undefined && recordOf(patient, resource.iri) === undefined)
        awaited.add(patient.replace(/^.*:/u, ''));
      setAwaited(tx, nameOf(resource), Array.from(awaited, digestOf).sort());
    }
  }

  /** The resources of earlier loads that waited for what this one has; it is no longer remembered. */
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
