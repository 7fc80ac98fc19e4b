import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { parseUrl } from '../../rdf/parse-url.js';
import { patientLookup, type ResolveName } from './name-lookup.js';

/** Whether deliveries may go to an IP address. */
export type IsAllowed = (address: string) => boolean;

/**
 * Addresses that are not of the internet (IANA special-purpose registries, and older forms that a network may still
 * route: IPv4-compatible, IPv4-translated, site-local): no inner network is to be reached through the container. An
 * IPv4-mapped address is checked as the one that it is. The last one looks public, and is where Azure answers each of
 * its machines (WireServer), with settings and secrets of that machine.
 */
const SPECIAL = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2002::/16',
  '3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
  '168.63.129.16/32',
].flatMap((line) => line.split(' '));
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Every address of the internet, and of the networks that the operator names. */
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

/** Whether a URL leads to this machine by its name. */
export function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

const LONGEST = 1000;

/**
 * The address that deliveries may go to: https, or http on the same machine where the container is only seen there.
 * @param isDemo whether the base URL is of this machine
 * @returns undefined for any other text
 */
export function receiverUrl(text: string, isDemo: boolean): URL | undefined {
  const url = text.length <= LONGEST ? parseUrl(text) : undefined;
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isDemo && isLocal(url)) ? url : undefined;
}

/** An address that may not be reached stands behind a name. */
export class AddressRefused extends Error {
  constructor() {
    super('The receiver has an address that deliveries may not go to.');
    this.name = 'AddressRefused';
  }
}

/**
 * Look-ups under way, by name: each takes one of the few threads of the process for as long as a name server keeps silent,
 * also when its delivery was given up. So a name has one at a time, whoever waits for it.
 */
const underWay = new Map<string, Promise<readonly LookupAddress[]>>();
const lookUp = patientLookup();

/**
 * Looks up a name and gives only what may be reached. The connection is made to these addresses, so that a name
 * cannot mean one thing when it is checked and another when it is used.
 */
export function checkedLookup(isAllowed: IsAllowed, resolveName: ResolveName = lookUp): LookupFunction {
  return (hostname, options, callback) => {
    let found = underWay.get(hostname);
    if (!found) {
      found = resolveName(hostname, { ...options, all: true }).finally(() => underWay.delete(hostname));
      underWay.set(hostname, found);
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

/** Whether the host of a URL is an address itself, which is never looked up, and one that may not be reached. */
export function isRefusedAddress({ hostname }: URL, isAllowed: IsAllowed): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isAllowed(address);
}
