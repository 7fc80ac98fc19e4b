import { hostname } from 'node:os';
import type { DataDirectory } from './data-directory.js';
import { liesAhead } from './lies-ahead.js';
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

/** A lease of somebody else whose end is further away than it can be, and since when (`performance.now`) it stays so. */
interface Strange extends Lease {
  readonly since: number;
}
const strange = new WeakMap<DataDirectory, Map<string, Strange>>();

/**
 * Whether nobody else holds a lease. The clock of its holder may be ahead of this one, or have been when it died: then its
 * end says nothing, and whoever holds it shows that by taking it anew.
 */
function isFree(directory: DataDirectory, name: string, lease: Lease, now: number): boolean {
  if (lease.until <= now) return true;
  if (lease.until <= now + LASTS) return false;
  const known = strange.get(directory) ?? new Map<string, Strange>();
  strange.set(directory, known);
  const before = known.get(name);
  if (before?.holder === lease.holder && before.until === lease.until)
    return performance.now() >= before.since + LASTS;
  known.set(name, { ...lease, since: performance.now() });
  return false;
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
  const mayTake = (lease: Lease | undefined): boolean =>
    lease === undefined || lease.holder === holder || isFree(directory, name, lease, now);
  const known = directory.read((tx) => tx.get('leases', name) as Lease | undefined);
  if (!mayTake(known)) return false;
  if (known?.holder === holder && liesAhead(known.until - RENEWED, now, LASTS - RENEWED)) return true;
  return directory.transact((tx) => {
    if (!mayTake(tx.get('leases', name) as Lease | undefined)) return false;
    tx.put('leases', name, { holder, until: now + LASTS } satisfies Lease);
    return true;
  });
}
