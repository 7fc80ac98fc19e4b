import { isIPv6 } from 'node:net';

/**
 * What is counted as one client: an IPv4 address, or the /64 of an IPv6 address, since one customer has a whole one
 * (RFC 6177).
 * @param address as sockets give it; IPv4 in IPv6 is IPv4
 */
export function networkOf(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
