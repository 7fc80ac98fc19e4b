import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.js';

/** The largest request body that any call takes, in bytes. */
const BODY_LIMIT = 1024 * 1024;

const EMPTY = { bytes: new Uint8Array() };

/** The body of a request: its bytes, or the fact that they are more than the limit. */
export type RequestBody = { readonly bytes: Uint8Array } | 'too-large';

/**
 * Reads a request body of at most `limit` bytes; what comes beyond is not kept.
 * @throws Problem malformed-request when the connection breaks in the middle.
 */
export async function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<RequestBody> {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  // RFC 9112 §6.3: a request with neither has no body.
  if (length === undefined && transfer === undefined) return EMPTY;
  if (Number(length ?? 0) > limit) return 'too-large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // The connection must outlive a body that is too large: it still carries the refusal.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit) return 'too-large';
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new Problem('malformed-request', 'The request body broke off; send it again.', { cause });
  }
  return { bytes: Buffer.concat(chunks) };
}

/** The bytes of a body that must fit. @throws Problem too-large */
export function bodyBytes(body: RequestBody): Uint8Array {
  if (body === 'too-large') {
    throw new Problem('too-large', `A request body holds at most ${BODY_LIMIT} bytes; send less.`, {
      headers: { Connection: 'close' },
    });
  }
  return body.bytes;
}
