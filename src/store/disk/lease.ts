import { hostname } from 'node:os';
import type { DataDirectory } from './data-directory.js';
import { liesAhead } from './clock.js';
import { bootId } from './processes.js';

interface Lease {
  readonly holder: string;
  readonly until: number;
}

const LASTS = 60_000;
const RENEWED = 30_000;

/** Identifies a server across restarts; differs on a copy of the machine with the same host name. */
export function leaseHolder({ dir }: DataDirectory): string {
  return `${hostname()} ${bootId()} ${dir}`;
}

/** A lease that seems to last longer than possible, and when (`performance.now`) that was first seen. */
type Implausible = Lease & { readonly since: number };
const implausible = new WeakMap<DataDirectory, Map<string, Implausible>>();

/** Tells whether a lease is free. If its holder's clock runs ahead, only a renewal shows that the holder is alive. */
function isFree(directory: DataDirectory, name: string, lease: Lease, now: number): boolean {
  if (lease.until <= now) return true;
  if (lease.until <= now + LASTS) return false;
  const known = implausible.get(directory) ?? new Map<string, Implausible>();
  implausible.set(directory, known);
  const before = known.get(name);
  if (before?.holder === lease.holder && before.until === lease.until)
    return performance.now() >= before.since + LASTS;
  known.set(name, { ...lease, since: performance.now() });
  return false;
}

/**
 * Takes a lease, so that only one of several gateways on a shared store does a task. A minute after its holder is gone,
 * another can take it. A directory without a shared store needs none.
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
