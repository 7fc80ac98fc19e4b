import { Memo } from '../disk/memo.js';
import { Problem } from '../problem.js';
import { recordIri } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** @throws Problem not-found when the path lies in a record that does not exist */
export type RequireRecord = (path: Readonly<Record<string, string>>) => void;

/** How many records are remembered to be there, until the next commit. */
const AT_HAND = 10_000;

const THERE = {};

/** Refuses what addresses a record that does not exist: an empty list of its statements would say that there is one. */
export function recordRequirement(primary: PrimaryStore): RequireRecord {
  const known = new Memo<object>(primary.directory, AT_HAND);
  const look = (record: string): object | undefined =>
    primary.has(recordIri(primary.base, record)) ? THERE : undefined;
  return ({ record_id: record }) => {
    if (record !== undefined && !known.get(record, () => look(record)))
      throw new Problem('not-found', 'There is no such record.');
  };
}
