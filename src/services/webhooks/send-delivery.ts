import { createHmac } from 'node:crypto';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AddressRefused, checkedLookup, isRefusedAddress, type IsAllowed } from './receiver-address.js';

/** The status, or a word why there is none. */
export type Sent = { readonly status: number } | { readonly reason: string };

const RESPONSE_TIMEOUT_MS = 10_000;

/** Posts a delivery and reads only the status; follows no redirects. @param stop aborts it */
export function sendDelivery(
  url: URL,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  {
    isAllowed,
    lookup = checkedLookup(isAllowed),
    stop,
  }: { readonly isAllowed: IsAllowed; readonly lookup?: LookupFunction; readonly stop: AbortSignal },
): Promise<Sent> {
  if (isRefusedAddress(url, isAllowed)) return Promise.resolve({ reason: 'address-refused' });
  const limit = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? secure : plain)(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...message.headers,
        'Content-Length': String(Buffer.byteLength(message.body)),
        'User-Agent': 'Chartgraph',
      },
      agent: false,
      lookup,
      signal: AbortSignal.any([limit, stop]),
      maxHeaderSize: 16 * 1024,
    });
    request.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0 });
      response.destroy();
    });
    request.once('upgrade', ({ statusCode = 0 }, socket) => {
      resolve({ status: statusCode });
      socket.destroy();
    });
    request.on('error', (error) => {
      const reason =
        error instanceof AddressRefused ? 'address-refused' : limit.aborted ? 'timeout' : 'unreachable';
      resolve({ reason });
    });
    // In any case, since a pending attempt blocks its slot.
    request.once('close', () => resolve({ reason: 'unreachable' }));
    request.end(message.body);
  });
}

/**
 * Signs a delivery by Standard Webhooks: HMAC-SHA256 over id, time and body.
 * @param secret with its prefix @param now milliseconds since 1970
 * @returns the header fields
 */
export function signDelivery(
  secret: string,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
