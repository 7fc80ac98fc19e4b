import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Looks up all addresses behind a name. */
export type ResolveName = (hostname: string, options: LookupAllOptions) => Promise<readonly LookupAddress[]>;

/** Milliseconds that a name server has to answer. */
const PATIENCE = 2000;

/** The file of hosts, which the system looks into before it asks anybody. */
const HOSTS = '/etc/hosts';

/**
 * Whether a look-up ends soon: the name is in the file of hosts, or the name servers say anything of it, if only that it is
 * not there. They are asked over a socket, which keeps no thread.
 * @param servers others than those of the system
 */
export async function isAnswered(hostname: string, servers?: readonly string[]): Promise<boolean> {
  const hosts = await readFile(HOSTS, 'utf8').catch(() => '');
  if (hosts.toLowerCase().split(/\s+/u).includes(hostname)) return true;
  const resolver = new Resolver({ timeout: PATIENCE, tries: 1 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return !answers.some(
    (each) => each.status === 'rejected' && (each.reason as NodeJS.ErrnoException).code === 'ETIMEOUT',
  );
}

/**
 * Makes what looks up names as the system does, its file of hosts included. Each look-up takes one of the two threads that
 * the process has for them (libuv's threads for slow work are half of its four), for as long as a name server keeps silent. So
 * names whose servers are silent take one of them, one after the other, and all others need not wait for these.
 */
export function patientLookup(
  isHeard: (hostname: string) => Promise<boolean> = isAnswered,
  resolve: ResolveName = lookup,
): ResolveName {
  let silent: Promise<unknown> = Promise.resolve();
  return async (hostname, options) => {
    if (await isHeard(hostname)) return resolve(hostname, options);
    const found = silent.then(() => resolve(hostname, options));
    silent = found.catch(() => undefined);
    return found;
  };
}
