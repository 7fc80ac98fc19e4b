import { createHmac } from 'node:crypto';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { AddressRefused, checkedLookup, isRefusedAddress, type IsAllowed } from './receiver-address.js';

/** What came of an attempt: the status of the answer, or why there was none, in a word. */
export type Sent = { readonly status: number } | { readonly reason: string };

/** Milliseconds until the header fields of the answer are there. */
const PATIENCE = 10_000;

/**
 * Posts a delivery and looks at nothing of the answer but its status: no redirection is followed, no body is read.
 * @param stop ends the attempt
 */
export function sendDelivery(
  url: URL,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { isAllowed, stop }: { readonly isAllowed: IsAllowed; readonly stop: AbortSignal },
): Promise<Sent> {
  if (isRefusedAddress(url, isAllowed)) return Promise.resolve({ reason: 'address-refused' });
  const limit = AbortSignal.timeout(PATIENCE);
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? secure : plain)(url, {
      method: 'POST',
      headers: {
        ...message.headers,
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(message.body)),
        'User-Agent': 'Chartgraph',
      },
      // A connection of its own: its address is checked when it is made.
      agent: false,
      lookup: checkedLookup(isAllowed),
      signal: AbortSignal.any([limit, stop]),
      maxHeaderSize: 16 * 1024,
    });
    request.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0 });
      response.destroy();
    });
    // 101 has events of its own: nobody asked for another protocol.
    request.once('upgrade', ({ statusCode = 0 }, socket) => {
      resolve({ status: statusCode });
      socket.destroy();
    });
    request.on('error', (error) => {
      const reason =
        error instanceof AddressRefused ? 'address-refused' : limit.aborted ? 'timeout' : 'unreachable';
      resolve({ reason });
    });
    // Whatever else may end it: who waits for an attempt keeps its place from others.
    request.once('close', () => resolve({ reason: 'unreachable' }));
    request.end(message.body);
  });
}

/**
 * The header fields of a signed delivery, as Standard Webhooks has them: HMAC-SHA256 over id, time and body.
 * @param secret with its prefix, as the receiver has it
 * @param now milliseconds since 1970
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
