import { isIP } from 'node:net';
import type { Context } from 'koa';
import proxyAddr from 'proxy-addr';

/**
 * Finds the address of each client, for `clientAddress`.
 * @param trusted addresses and networks (as 10.0.0.0/8) of the proxies whose X-Forwarded-For is believed; of all others
 * it is not looked at, since anybody can send one
 */
export function clientAddresses(trusted: readonly string[]): (context: Context) => void {
  const isTrusted = proxyAddr.compile([...trusted]);
  return (context) => {
    const { remoteAddress = '' } = context.req.socket;
    const isBehindProxy = trusted.length > 0 && remoteAddress !== '';
    const found = isBehindProxy ? proxyAddr(context.req, isTrusted) : remoteAddress;
    // A proxy may have written something else than an address, such as `unknown`.
    context.state['clientAddress'] = isBehindProxy && isIP(found) === 0 ? remoteAddress : found;
  };
}

/** Whether an address is one of the proxies that are trusted, as `clientAddresses` takes them. */
export function proxies(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trusted]);
  return (address) => isIP(address) !== 0 && isTrusted(address, 0);
}

/** The address of the client of a request, behind the proxies that are trusted: the one that is counted and logged. */
export function clientAddress(context: Context): string {
  return (context.state['clientAddress'] as string | undefined) ?? context.ip;
}
