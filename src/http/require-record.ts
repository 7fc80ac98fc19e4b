import { Problem } from '../problem.js';
import { recordIri } from '../records/resource-paths.js';
import type { GraphStore } from '../store/graph-store.js';

/** @throws Problem not-found when the path lies in a record that does not exist */
export type RequireRecord = (path: Readonly<Record<string, string>>) => Promise<void>;

/** Refuses what addresses a record that does not exist: an empty list of its statements would say that there is one. */
export function recordRequirement({
  store,
  base,
}: {
  readonly store: GraphStore;
  readonly base: string;
}): RequireRecord {
  return async ({ record_id: record }) => {
    if (record !== undefined && !(await store.has(recordIri(base, record))))
      throw new Problem('not-found', 'There is no such record.');
  };
}
