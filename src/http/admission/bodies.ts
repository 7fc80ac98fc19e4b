import type { Context } from 'koa';
import { Problem } from '../../model/problem.js';
import type { Verified } from '../../access/oauth/verify.js';
import { readMediaType } from '../media-type.js';
import { traceOf } from '../request-context.js';
import { senderOf } from './sender-budgets.js';

const BODY_LIMIT = 1024 * 1024;

export interface BodyBounds {
  /** Bytes that bodies may take together. Unproved senders get a quarter as much, apart from this. */
  readonly budget: number;
  /** The part of the budget that one sender may hold with several bodies. */
  readonly share: number;
  /** Milliseconds until an unfinished body is cut off. */
  readonly deadline: number;
}

const BOUNDS: BodyBounds = { budget: 48 * 1024 * 1024, share: 1 / 4, deadline: 20_000 };

/** The bytes, or that they exceed the limit. */
export type RequestBody = Uint8Array | 'too-large';

export const NO_BODY: Uint8Array = new Uint8Array();

/** Whether a body is a form: a signature covers the parameters of forms. */
export function isForm(contentType: string | undefined): boolean {
  return (
    contentType !== undefined && readMediaType(contentType)?.essence === 'application/x-www-form-urlencoded'
  );
}

/** Parsing a shorter body takes only a few milliseconds. */
const LONG = 32 * 1024;

/** Whether a body is long but within the limit. */
export const isLong = (body: RequestBody): boolean => body !== 'too-large' && body.byteLength >= LONG;

export type Bodies = ReturnType<typeof createBodies>;

interface Pool {
  readonly held: Tally;
  readonly budget: number;
}

export function createBodies({ budget, share, deadline }: BodyBounds = BOUNDS) {
  // Released when the answer is out, or the connection gone.
  const known: Pool = { held: new Tally(), budget };
  // A separate budget, so that unproved senders cannot use up that of proved ones.
  const strangers: Pool = { held: new Tally(), budget: budget / 4 };

  // Readers that take nothing keep their answers in memory.
  const answers: Pool = { held: new Tally(), budget: 4 * budget };

  const read = async (pool: Pool, context: Context, limit = BODY_LIMIT): Promise<RequestBody> => {
    const before = context.state['body'] as RequestBody | undefined;
    if (before) return before;
    if (!hasBody(context)) return NO_BODY;
    const length = Number(context.req.headers['content-length'] ?? 0);
    const body = length > limit ? 'too-large' : await collect(pool, context, limit);
    // The unread rest would be taken for the next request.
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
    const timer = setTimeout(() => req.destroy(), deadline);
    try {
      // Keep the connection of a body that is too large: it still carries the error response.
      for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        pool.held.add(sender, chunk.byteLength);
        if (size > limit) return 'too-large';
        if (pool.held.all > pool.budget)
          throw overBudget(context, 'unavailable', 'Too many large requests come at once; try again.');
        // The only body of a sender may exceed its share.
        const held = pool.held.of(sender);
        if (held > size && held > pool.budget * share)
          throw overBudget(
            context,
            'too-many-requests',
            'Too many large requests of this sender come at once; send them one after the other.',
          );
        chunks.push(chunk);
      }
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      throw new Problem('malformed-request', 'The request body broke off; send it again.', { cause });
    } finally {
      clearTimeout(timer);
      req.resume();
    }
    return Buffer.concat(chunks);
  };

  return {
    /** Counts a long answer until it is out. @throws Problem too-many-requests, unavailable */
    holdAnswer(context: Context, bytes: number): void {
      if (bytes < BODY_LIMIT) return;
      const sender = senderOf(context);
      answers.held.add(sender, bytes);
      context.res.once('close', () => answers.held.add(sender, -bytes));
      const held = answers.held.of(sender);
      if (held > bytes && held > answers.budget * share)
        throw overBudget(
          context,
          'too-many-requests',
          'Take the long answers that you asked for before, then ask again.',
        );
      if (answers.held.all > answers.budget)
        throw overBudget(context, 'unavailable', 'Too many long answers are under way; try again.');
    },
    /** Reads the body of an unproved sender. @throws Problem malformed-request, unavailable, too-many-requests */
    read: (context: Context, limit?: number) => read(strangers, context, limit),
    /**
     * Reads the body after authentication. @param verified checks its hash @throws Problem unauthorized, and as `read`
     */
    take: async (
      context: Context,
      limit: number | undefined,
      verified: Verified | undefined,
    ): Promise<RequestBody> => {
      const { analyst, visitor } = traceOf(context);
      const isKnown = (verified ?? analyst ?? visitor?.user) !== undefined;
      const body = await read(isKnown ? known : strangers, context, limit);
      if (body !== 'too-large') verified?.requireBody(body);
      return body;
    },
  };
}

/** RFC 9112 §6.3: a request with neither field has no body. */
export function hasBody({ req: { headers } }: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer } = headers;
  return transfer !== undefined || (length !== undefined && length !== '0');
}

function overBudget(context: Context, kind: 'unavailable' | 'too-many-requests', detail: string): Problem {
  traceOf(context).refusal = 'body-budget';
  return new Problem(kind, detail, { retryAfter: 1, headers: { Connection: 'close' } });
}

/** Returns the bytes of a body within the limit. @throws Problem too-large */
export function bodyBytes(body: RequestBody, limit = BODY_LIMIT): Uint8Array {
  if (body !== 'too-large') return body;
  throw new Problem('too-large', `A request body holds at most ${limit} bytes; send less.`, {
    headers: { Connection: 'close' },
  });
}

/** Counts per owner; an owner at zero takes no memory. */
export class Tally {
  readonly #counts = new Map<string, number>();
  all = 0;

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** @param by negative to subtract */
  add(owner: string, by: number): void {
    this.all += by;
    const count = this.of(owner) + by;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}
