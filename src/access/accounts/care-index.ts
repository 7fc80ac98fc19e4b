import { revisionOf } from '../../store/change-log.js';
import type { ReadTx, WriteTx } from '../../store/disk/transaction.js';
import type { SecretKey } from './secret-key.js';

/** From when to when somebody cares for a patient, in milliseconds since 1970. */
export type Period = readonly [from: number, until: number];

/** Revisions of the paths that access queries read in a record. What is derived counts while they are the same. */
export type Seen = Readonly<Record<string, number>>;

interface Related {
  readonly seen: Seen;
  readonly periods: readonly Period[];
}

interface Indexed {
  readonly seen: Seen;
  readonly practitioners: readonly string[];
}

const TABLE = 'care';
const DIGEST = 'digest';
const RECORDS = 'record ';

/** Begins the keys of practitioners among the other identities of users. */
const PRACTITIONER = 'practitioner-';

/** What stands for a practitioner in the index: keys are not sealed. */
export function practitionerKey(key: SecretKey, practitioner: string): string {
  return PRACTITIONER + key.lookup(`practitioner ${practitioner}`);
}

/** Whether any account is linked to a practitioner: without one the index opens nothing. */
export function hasPractitioners(tx: ReadTx): boolean {
  for (const _ of tx.range('identities', { prefix: PRACTITIONER, values: false })) return true;
  return false;
}

/** A digest of all that the index depends on beside the records. */
export function careDigest(key: SecretKey, version: string, model: string): string {
  return key.lookup(`care ${version} ${model}`);
}

/** Empties an index that another model or program made. */
export function beginCareIndex(tx: WriteTx, digest: string): void {
  if (tx.get(TABLE, DIGEST) === digest) return;
  tx.clear(TABLE);
  tx.put(TABLE, DIGEST, digest);
}

export function isCareIndexOf(tx: ReadTx, digest: string): boolean {
  return tx.get(TABLE, DIGEST) === digest;
}

const isCurrent = (tx: ReadTx, seen: Seen): boolean =>
  Object.entries(seen).every(([path, revision]) => revisionOf(tx, path) === revision);

/** Whether a record was indexed in the state that it has now. */
export function isIndexed(tx: ReadTx, record: string): boolean {
  const found = tx.get(TABLE, RECORDS + record) as Indexed | undefined;
  return found !== undefined && isCurrent(tx, found.seen);
}

/** Returns the records that are in the index. */
export function indexedRecords(tx: ReadTx): string[] {
  const rows = tx.range(TABLE, { prefix: RECORDS, values: false });
  return Array.from(rows, ({ key }) => String(key).slice(RECORDS.length));
}

export function forgetCare(tx: WriteTx, record: string): void {
  const { practitioners = [] } = (tx.get(TABLE, RECORDS + record) as Indexed | undefined) ?? {};
  for (const each of practitioners) tx.remove(TABLE, `${each} ${record}`);
  tx.remove(TABLE, RECORDS + record);
}

/** Replaces what is known of a record. @param periods by `practitionerKey` */
export function indexCare(
  tx: WriteTx,
  record: string,
  seen: Seen,
  periods: ReadonlyMap<string, readonly Period[]>,
): void {
  forgetCare(tx, record);
  tx.put(TABLE, RECORDS + record, { seen, practitioners: [...periods.keys()] } satisfies Indexed);
  for (const [each, own] of periods)
    tx.put(TABLE, `${each} ${record}`, { seen, periods: own } satisfies Related);
}

const current = (periods: readonly Period[], now: number): Period[] =>
  periods.filter(([from, until]) => from <= now && now <= until);

/**
 * Returns until when the data says that a practitioner cares for a patient, if it says so now; undefined otherwise. What
 * the index has not seen yet says nothing.
 */
export function caresUntil(
  tx: ReadTx,
  practitioner: string,
  record: string,
  now: number,
): number | undefined {
  const found = tx.get(TABLE, `${practitioner} ${record}`) as Related | undefined;
  if (found === undefined) return undefined;
  const ends = current(found.periods, now).map(([, until]) => until);
  return ends.length > 0 && isCurrent(tx, found.seen) ? Math.max(...ends) : undefined;
}

/** Returns the records of all patients for whom a practitioner cares now. */
export function recordsInCare(tx: ReadTx, practitioner: string, now: number): string[] {
  const prefix = `${practitioner} `;
  return Array.from(tx.range(TABLE, { prefix }))
    .filter(({ value }) => {
      const { periods, seen } = value as Related;
      return current(periods, now).length > 0 && isCurrent(tx, seen);
    })
    .map(({ key }) => String(key).slice(prefix.length));
}
