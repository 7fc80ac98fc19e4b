import { createHmac } from 'node:crypto';

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
