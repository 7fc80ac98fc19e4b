import { isDeepStrictEqual } from 'node:util';
import type { ReadTx, WriteTx, DataDirectory } from '../store/disk/data-directory.js';
import { revisionOf } from '../store/change-log.js';

/** The FHIR resource that a statement comes from, and the change that stored it. */
interface Origin {
  readonly resource: string;
  readonly revision: number;
}

const ORIGINS = 'fhirOrigins';

/** Returns the type and id of a statement's FHIR resource; undefined if something else wrote it. */
export function originOf(tx: ReadTx, path: string): string | undefined {
  const origin = tx.get(ORIGINS, path) as Origin | undefined;
  return origin?.revision === revisionOf(tx, path) ? origin.resource : undefined;
}

/** Records a statement's resource in the transaction that stored it; loading again writes nothing. */
export function enterOrigin(tx: WriteTx, path: string, resource: string): void {
  const origin: Origin = { resource, revision: revisionOf(tx, path) };
  if (!isDeepStrictEqual(tx.get(ORIGINS, path), origin)) tx.put(ORIGINS, path, origin);
}

/** Forgets the resources of all statements at or below a path. */
export function forgetOrigins(tx: WriteTx, path: string): void {
  tx.remove(ORIGINS, path);
  for (const { key } of tx.range(ORIGINS, { prefix: `${path}/`, values: false })) tx.remove(ORIGINS, key);
}

/** A version of a FHIR resource: milliseconds of when it was updated, and its number, as far as these are known. */
export interface ResourceVersion {
  readonly updated?: number;
  readonly number?: number;
  readonly isDeleted?: boolean;
}

/**
 * What the container remembers of a FHIR resource in one record. It stands beside the record and not in its statements,
 * so no list has it.
 */
export interface KnownResource extends ResourceVersion {
  /** Empty where it is in none: the resource was deleted. */
  readonly recordId: string;
  /** Whether the record has the id of the patient, which is that of one server. */
  readonly hasPatientId: boolean;
  /** The URL of the server that it is from, where that is known. */
  readonly source?: string;
  /** Where the statements of its classes are: `problems`. */
  readonly made: readonly string[];
  /** The version of the mapping; undefined for one before 0.29. */
  readonly mapping?: string;
  /** A digest of all that its statements were made of, where they say all of it, and the last change by then. */
  readonly digest?: string;
  readonly revision?: number;
  /** Why it gave no statement. */
  readonly why?: string;
}

const KNOWN = 'fhirResources';
/** Where it is counted by which version of the mapping statements were made: no resource has such a name. */
export const COUNTS = [KNOWN, ' made'] as const;
/** Before 0.29: record, place of the class, and whether the record had the id of the patient. */
const HOMES = 'fhirHomes';
type Home = readonly [recordId: string, segment: string, hasPatientId: boolean];
const WAITING = 'fhirWaiting';
const MAX_PER_TRANSACTION = 2000;

/** What is known of a resource, for each record that it is in. @param resource its type and id: `Condition/c1` */
export function knownOf(tx: ReadTx, resource: string): readonly KnownResource[] {
  const known = tx.get(KNOWN, resource) as readonly KnownResource[] | undefined;
  return known ?? fromHomes((tx.get(HOMES, resource) as readonly Home[] | undefined) ?? []);
}

function fromHomes(homes: readonly Home[]): KnownResource[] {
  return [...new Set(homes.map(([recordId]) => recordId))].map((recordId) => {
    const own = homes.filter(([home]) => home === recordId);
    const made = own.map(([, segment]) => segment);
    const hasPatientId = own.every(([, , has]) => has);
    return { recordId, hasPatientId, made };
  });
}

export function setKnown(tx: WriteTx, resource: string, known: readonly KnownResource[]): void {
  if (tx.has(HOMES, resource)) tx.remove(HOMES, resource);
  if (known.length === 0) tx.remove(KNOWN, resource);
  else tx.put(KNOWN, resource, known);
}

/** All that is known. */
export function* allKnown(tx: ReadTx): Generator<[resource: string, known: readonly KnownResource[]]> {
  for (const { key, value } of tx.range(KNOWN, { after: COUNTS[1] }))
    yield [String(key), value as readonly KnownResource[]];
  for (const { key, value } of tx.range(HOMES)) yield [String(key), fromHomes(value as readonly Home[])];
}

/** Forgets which resources are in a record. It reads what is known of all, for seconds perhaps, so no write waits for it. */
export async function forgetKnown(directory: DataDirectory, recordId: string): Promise<void> {
  const resources = directory.read((tx) =>
    [...allKnown(tx)].flatMap(([resource, known]) =>
      known.some((each) => each.recordId === recordId) ? [resource] : [],
    ),
  );
  for (let start = 0; start < resources.length; start += MAX_PER_TRANSACTION)
    await directory.transact((tx) => {
      for (const resource of resources.slice(start, start + MAX_PER_TRANSACTION)) {
        const left = knownOf(tx, resource).filter((each) => each.recordId !== recordId);
        setKnown(tx, resource, left);
        if (left.length === 0) setAwaited(tx, resource, []);
      }
      tx.remove(...COUNTS);
    });
}

/** What a resource waits for, by digests of the names. */
export function awaitedBy(tx: ReadTx, resource: string): readonly string[] {
  return (tx.get(WAITING, resource) as readonly string[] | undefined) ?? [];
}

/** The resources that wait for something. */
export function waitingFor(tx: ReadTx, awaited: string): string[] {
  const prefix = `${awaited} `;
  const keys = tx.range(WAITING, { prefix, values: false });
  return Array.from(keys, ({ key }) => String(key).slice(prefix.length));
}

/** Enters what a resource waits for. @param awaited digests of the names, in order */
export function setAwaited(tx: WriteTx, resource: string, awaited: readonly string[]): void {
  const before = awaitedBy(tx, resource);
  if (before.join() === awaited.join()) return;
  for (const each of before) tx.remove(WAITING, `${each} ${resource}`);
  for (const each of awaited) tx.put(WAITING, `${each} ${resource}`, true);
  if (awaited.length === 0) tx.remove(WAITING, resource);
  else tx.put(WAITING, resource, awaited);
}
