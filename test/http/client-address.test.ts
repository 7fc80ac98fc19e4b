import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientAddresses } from '../../src/http/request-context.js';

function addressOf(trusted: readonly string[], remoteAddress: string, forwarded?: string): string {
  const req = {
    socket: { remoteAddress },
    connection: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage;
  const context = { req, state: {}, ip: remoteAddress } as unknown as Context;
  clientAddresses(trusted)(context);
  return clientAddress(context);
}

describe('the address of a client', () => {
  it.each([
    ['nobody is trusted', [], '10.0.0.1', '192.0.2.1', '10.0.0.1'],
    ['the proxy is trusted', ['10.0.0.0/8'], '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['the proxy is trusted, as IPv4 in IPv6', ['10.0.0.0/8'], '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['the client made up addresses before it', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
    ['two proxies are trusted', ['10.0.0.1', '10.0.0.2'], '10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['a stranger sends the field', ['10.0.0.1'], '192.0.2.9', '192.0.2.1', '192.0.2.9'],
    ['the proxy says no address', ['10.0.0.1'], '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the proxy says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  ])('when %s', (_, trusted, remote, forwarded, expected) => {
    expect(addressOf(trusted, remote, forwarded)).toBe(expected);
  });
});
