import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { parseUrl } from '../../rdf/parse-url.js';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

export type IsAllowed = (address: string) => boolean;

/**
 * Addresses outside the internet (IANA special-purpose registries, and older routable forms: IPv4-compatible,
 * IPv4-translated, site-local), so that the container gives no access to inner networks. IPv4-mapped addresses are
 * checked as IPv4. The last is Azure's WireServer, which holds settings and secrets of each machine.
 */
const SPECIAL = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2002::/16',
  '3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
  '168.63.129.16/32',
].flatMap((line) => line.split(' '));
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export function allowedAddresses(networks: readonly string[], withLoopback: boolean): IsAllowed {
  const special = blockList(SPECIAL);
  const named = blockList([...networks, ...(withLoopback ? LOOPBACK : [])]);
  return (address) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    return named.check(address, family) || !special.check(address, family);
  };
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

export function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

const MAX_URL_LENGTH = 1000;

/**
 * Parses a receiver's URL: https, or http on this machine if the container is only reachable there; undefined for
 * others.
 * @param isDemo whether the base URL is of this machine
 */
export function receiverUrl(text: string, isDemo: boolean): URL | undefined {
  const url = text.length <= MAX_URL_LENGTH ? parseUrl(text) : undefined;
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isDemo && isLocal(url)) ? url : undefined;
}

/** A name resolves to a forbidden address. */
export class AddressRefused extends Error {
  constructor() {
    super('The receiver has an address that deliveries may not go to.');
    this.name = 'AddressRefused';
  }
}

/** Resolves a name to allowed addresses, to which the connection is made: the name cannot change meanwhile. */
export function checkedLookup(
  isAllowed: IsAllowed,
  resolveName: ResolveName = patientLookup(),
): LookupFunction {
  // Each look-up blocks one of few threads while a name server is silent, so each name has only one.
  const running = new Map<string, Promise<readonly LookupAddress[]>>();
  return (hostname, options, callback) => {
    let found = running.get(hostname);
    if (!found) {
      found = resolveName(hostname, { ...options, all: true }).finally(() => running.delete(hostname));
      running.set(hostname, found);
    }
    found.then(
      ([first, ...others]) => {
        if (!first || ![first, ...others].every(({ address }) => isAllowed(address)))
          callback(new AddressRefused(), '');
        else if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/** Tells whether a URL's host is a forbidden address, which would skip the look-up. */
export function isRefusedAddress({ hostname }: URL, isAllowed: IsAllowed): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isAllowed(address);
}

type ResolveName = (hostname: string, options: LookupAllOptions) => Promise<readonly LookupAddress[]>;

const LOOKUP_TIMEOUT_MS = 2000;

const HOSTS = '/etc/hosts';

/**
 * Tells whether a look-up will end soon: the hosts file has the name, or name servers answer. Asks over a socket, which
 * needs no thread.
 * @param servers instead of the system's
 */
export async function isAnswered(hostname: string, servers?: readonly string[]): Promise<boolean> {
  const hosts = await readFile(HOSTS, 'utf8').catch(() => '');
  if (hosts.toLowerCase().split(/\s+/u).includes(hostname)) return true;
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return !answers.some(
    (each) => each.status === 'rejected' && (each.reason as NodeJS.ErrnoException).code === 'ETIMEOUT',
  );
}

/** Looks up names like the system. Names with silent servers share one of libuv's two slots for slow look-ups. */
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
