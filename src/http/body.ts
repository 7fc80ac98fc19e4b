import type { Context } from 'koa';
import { Problem } from '../problem.js';
import type { Verified } from '../oauth/verify.js';
import { readMediaType } from './media-type.js';

/** The largest request body that a call takes, in bytes. */
const BODY_LIMIT = 1024 * 1024;

/** What the bodies of all requests of this process may hold together, in bytes. */
const BUDGET = 48 * 1024 * 1024;

/** A body that has not come after so many milliseconds does not come any more. */
const DEADLINE = 20_000;

/** The body of a request: its bytes, or the fact that they are more than the limit. */
export type RequestBody = Uint8Array | 'too-large';

const EMPTY = new Uint8Array();

/** What is held at the moment: released when the answer is out, or the connection gone. */
let held = 0;

/** Whether a body is a form, whose parameters a signature covers. */
export function isForm(contentType: string | undefined): boolean {
  return (
    contentType !== undefined && readMediaType(contentType)?.essence === 'application/x-www-form-urlencoded'
  );
}

/**
 * Reads the body of a request whose sender is known by now, once.
 * @param verified checks the hash that a signature may cover
 * @throws Problem unauthorized for a body that is not the signed one, and what `readBody` throws
 */
export async function takeBody(
  context: Context,
  limit: number | undefined,
  verified: Verified | undefined,
): Promise<RequestBody> {
  const body = await readBody(context, limit);
  if (body !== 'too-large') verified?.requireBody(body);
  return body;
}

/**
 * Reads a request body of at most `limit` bytes; what comes beyond is not kept. A body that was read already is given
 * again.
 * @throws Problem malformed-request when it breaks off or does not come in time, unavailable when all bodies together
 * are too large
 */
export async function readBody(context: Context, limit = BODY_LIMIT): Promise<RequestBody> {
  const known = context.state['body'] as RequestBody | undefined;
  if (known) return known;
  const { 'content-length': length, 'transfer-encoding': transfer } = context.req.headers;
  // RFC 9112 §6.3: a request with neither has no body.
  if (length === undefined && transfer === undefined) return EMPTY;
  const body = Number(length ?? 0) > limit ? 'too-large' : await collect(context, limit);
  // What was not read is in the way of the next request.
  if (body === 'too-large') context.set('Connection', 'close');
  context.state['body'] = body;
  return body;
}

async function collect(context: Context, limit: number): Promise<RequestBody> {
  const { req, res } = context;
  const chunks: Uint8Array[] = [];
  let size = 0;
  res.once('close', () => (held -= size));
  const late = setTimeout(() => req.destroy(), DEADLINE);
  try {
    // The connection must outlive a body that is too large: it still carries the refusal.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      held += chunk.byteLength;
      if (size > limit) return 'too-large';
      if (held > BUDGET) throw tooMuchAtOnce();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('malformed-request', 'The request body broke off; send it again.', { cause });
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks);
}

function tooMuchAtOnce(): Problem {
  return new Problem('unavailable', 'Too many large requests come at once; try again.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}

/** The bytes of a body that must fit. @throws Problem too-large */
export function bodyBytes(body: RequestBody, limit = BODY_LIMIT): Uint8Array {
  if (body !== 'too-large') return body;
  throw new Problem('too-large', `A request body holds at most ${limit} bytes; send less.`, {
    headers: { Connection: 'close' },
  });
}
