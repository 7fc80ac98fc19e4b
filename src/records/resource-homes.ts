import type { DataDirectory, ReadTx, WriteTx } from '../disk/data-directory.js';

/** Where a statement of a resource of FHIR stands: the record, the place of its class in it, whether records had patients' ids. */
export type Home = readonly [recordId: string, segment: string, hasPatientId: boolean];

const TABLE = 'fhirHomes';
/** So many entries are forgotten in one transaction. */
const AT_ONCE = 2000;

/** @param resource its type and id: `Condition/c1` */
export function homesOf(tx: ReadTx, resource: string): readonly Home[] {
  return (tx.get(TABLE, resource) as readonly Home[] | undefined) ?? [];
}

export function setHomes(tx: WriteTx, resource: string, homes: readonly Home[]): void {
  if (homes.length === 0) tx.remove(TABLE, resource);
  else tx.put(TABLE, resource, homes);
}

/**
 * Forgets which statements stood in a record. All homes are looked through, which may take seconds, so no write waits for
 * it.
 */
export async function forgetHomes(directory: DataDirectory, recordId: string): Promise<void> {
  const isHome = ([home]: Home): boolean => home === recordId;
  const resources = directory.read((tx) => {
    const found: string[] = [];
    for (const { key, value } of tx.range(TABLE))
      if ((value as readonly Home[]).some(isHome)) found.push(String(key));
    return found;
  });
  for (let start = 0; start < resources.length; start += AT_ONCE)
    await directory.transact((tx) => {
      for (const resource of resources.slice(start, start + AT_ONCE))
        setHomes(
          tx,
          resource,
          homesOf(tx, resource).filter((home) => !isHome(home)),
        );
    });
}
