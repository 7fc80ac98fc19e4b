import type { Context } from 'koa';
import { Problem } from '../problem.js';
import type { Verified } from '../oauth/verify.js';
import { readMediaType } from './media-type.js';
import { traceOf } from './request-context.js';
import { senderOf } from './sender-budgets.js';
import { Tally } from './tally.js';

/** The largest request body that a call takes, in bytes. */
const BODY_LIMIT = 1024 * 1024;

/** What bounds the bodies of all requests of a process. */
export interface BodyBounds {
  /** What they may hold together, in bytes; those of strangers a quarter of that beside it. */
  readonly budget: number;
  /** Which part of that one sender may hold with several bodies. */
  readonly share: number;
  /** A body that has not come after so many milliseconds does not come any more. */
  readonly deadline: number;
}

const BOUNDS: BodyBounds = { budget: 48 * 1024 * 1024, share: 1 / 4, deadline: 20_000 };

/** The body of a request: its bytes, or the fact that they are more than the limit. */
export type RequestBody = Uint8Array | 'too-large';

/** The body of a request that has none. */
export const NO_BODY: Uint8Array = new Uint8Array();

/** Whether a body is a form, whose parameters a signature covers. */
export function isForm(contentType: string | undefined): boolean {
  return (
    contentType !== undefined && readMediaType(contentType)?.essence === 'application/x-www-form-urlencoded'
  );
}

/** Bodies of so many bytes are long: whatever a shorter one holds takes some milliseconds. */
const LONG = 32 * 1024;

/** Whether a body is long, and will be read. */
export const isLong = (body: RequestBody): boolean => body !== 'too-large' && body.byteLength >= LONG;

/** Reads the bodies of requests. */
export interface Bodies {
  /**
   * Reads the body of a request whose sender was asked to be known, once.
   * @param verified checks the hash that a signature may cover
   * @param isKnown whether they are: a stranger may come to a page, too
   * @throws Problem unauthorized for a body that is not the signed one, and what `read` throws
   */
  take(
    context: Context,
    limit: number | undefined,
    verified: Verified | undefined,
    isKnown: boolean,
  ): Promise<RequestBody>;
  /**
   * Reads the body of a stranger, of at most `limit` bytes; what comes beyond is not kept. A body that was read already
   * is given again.
   * @throws Problem malformed-request when it breaks off or does not come in time, unavailable when all bodies
   * together are too large
   */
  read(context: Context, limit?: number): Promise<RequestBody>;
}

/** Bytes that are held, by all and by each sender, and may be. */
interface Pool {
  readonly held: Tally;
  readonly budget: number;
}

/** Makes what reads the bodies of the requests of a process. */
export function createBodies({ budget, share, deadline }: BodyBounds = BOUNDS): Bodies {
  /** What is held at the moment: released when the answer is out, or the connection gone. */
  const known: Pool = { held: new Tally(), budget };
  /** Strangers must not use up what those have who proved who they are. */
  const strangers: Pool = { held: new Tally(), budget: budget / 4 };

  const read = async (pool: Pool, context: Context, limit = BODY_LIMIT): Promise<RequestBody> => {
    const before = context.state['body'] as RequestBody | undefined;
    if (before) return before;
    if (!hasBody(context)) return NO_BODY;
    const length = Number(context.req.headers['content-length'] ?? 0);
    const body = length > limit ? 'too-large' : await collect(pool, context, limit);
    // What was not read is in the way of the next request.
    if (body === 'too-large') context.set('Connection', 'close');
    context.state['body'] = body;
    return body;
  };

  const collect = async (pool: Pool, context: Context, limit: number): Promise<RequestBody> => {
    const { req, res } = context;
    const chunks: Uint8Array[] = [];
    const sender = senderOf(context);
    let size = 0;
    res.once('close', () => pool.held.add(sender, -size));
    const late = setTimeout(() => req.destroy(), deadline);
    try {
      // The connection must outlive a body that is too large: it still carries the refusal.
      for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        pool.held.add(sender, chunk.byteLength);
        if (size > limit) return 'too-large';
        if (pool.held.all > pool.budget) throw tooMuchAtOnce(context);
        // However large the only body of a sender is, it may come.
        const held = pool.held.of(sender);
        if (held > size && held > pool.budget * share) throw tooMuchOfOne(context);
        chunks.push(chunk);
      }
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      throw new Problem('malformed-request', 'The request body broke off; send it again.', { cause });
    } finally {
      clearTimeout(late);
      // What still comes of a body that is refused is not kept.
      req.resume();
    }
    return Buffer.concat(chunks);
  };

  return {
    read: (context, limit) => read(strangers, context, limit),
    take: async (context, limit, verified, isKnown) => {
      const body = await read(isKnown ? known : strangers, context, limit);
      if (body !== 'too-large') verified?.requireBody(body);
      return body;
    },
  };
}

/** Whether a request has a body of at least a byte: one with neither of the two fields has none (RFC 9112 §6.3). */
export function hasBody({ req: { headers } }: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

function tooMuchAtOnce(context: Context): Problem {
  traceOf(context).refusal = 'body-budget';
  return new Problem('unavailable', 'Too many large requests come at once; try again.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}

function tooMuchOfOne(context: Context): Problem {
  traceOf(context).refusal = 'body-budget';
  return new Problem(
    'too-many-requests',
    'Too many large requests of this sender come at once; send them one after the other.',
    { headers: { 'Retry-After': '1', Connection: 'close' } },
  );
}

/** The bytes of a body that must fit. @throws Problem too-large */
export function bodyBytes(body: RequestBody, limit = BODY_LIMIT): Uint8Array {
  if (body !== 'too-large') return body;
  throw new Problem('too-large', `A request body holds at most ${limit} bytes; send less.`, {
    headers: { Connection: 'close' },
  });
}
