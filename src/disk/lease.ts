import { hostname } from 'node:os';
import type { DataDirectory } from './data-directory.js';
import { bootId } from './processes.js';

interface Lease {
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Milliseconds that a lease lasts, and from when on its holder takes it anew. */
const LASTS = 60_000;
const RENEWED = 30_000;

/**
 * Who a server on a data directory is: the same when it is started again, so that it goes on at once, and another one
 * than that of a machine which was copied with its name.
 */
export function leaseHolder({ dir }: DataDirectory): string {
  return `${hostname()} ${bootId()} ${dir}`;
}

/**
 * Takes a lease, so that of several gateways on a shared store one alone does something; when its holder is gone,
 * another one has it a minute later. A directory of its own has one server, which needs none.
 * @param now milliseconds since 1970
 * @returns whether the holder has it
 * @throws Problem unavailable when the shared store cannot be reached
 */
export async function takeLease(
  directory: DataDirectory,
  name: string,
  holder: string,
  now: number,
): Promise<boolean> {
  if (!directory.shared) return true;
  const isFree = (lease: Lease | undefined, from: number): boolean =>
    lease === undefined || lease.holder === holder || lease.until <= from;
  const known = directory.read((tx) => tx.get('leases', name) as Lease | undefined);
  if (!isFree(known, now)) return false;
  if (known?.holder === holder && known.until - now > RENEWED) return true;
  return directory.transact((tx) => {
    if (!isFree(tx.get('leases', name) as Lease | undefined, now)) return false;
    tx.put('leases', name, { holder, until: now + LASTS } satisfies Lease);
    return true;
  });
}
