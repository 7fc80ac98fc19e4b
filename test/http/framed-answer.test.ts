import type { Context } from 'koa';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FramedAnswer } from '../../src/http/answer.js';
import type { RequestContext } from '../../src/http/request-context.js';
import { framedResponder } from '../../src/http/respond/respond.js';
import { QueryQueue } from '../../src/http/respond/query-queue.js';
import { ResponseCache } from '../../src/http/respond/response-cache.js';

/** What is written to a response, as Koa keeps it. */
interface Written {
  body?: unknown;
  readonly fields: Record<string, string>;
}

let state = 'one';
let made = 0;
let outcomes: string[] = [];
/** What is done while the common part is made. */
let meanwhile: () => void = () => undefined;
let respond: ReturnType<typeof framedResponder>;

const answerFor = (reader: string, key = 'a'): FramedAnswer => ({
  kind: 'framed',
  headers: {},
  mediaType: 'text/html; charset=utf-8',
  key,
  state: () => state,
  make: async () => {
    made++;
    const content = `content of ${key}, ${state}`;
    await new Promise((resolve) => setImmediate(resolve));
    meanwhile();
    return content;
  },
  frame: () => [`${reader}: `, '.'],
});

async function ask(reader: string, key?: string): Promise<Written> {
  const fields: Record<string, string> = {};
  const written: Written = { fields };
  const set = (name: string | Record<string, string>, value = ''): void => {
    Object.assign(fields, typeof name === 'string' ? { [name]: value } : name);
  };
  const context = Object.assign(written, { method: 'GET', set }) as unknown as Context;
  await respond({ context } as RequestContext, answerFor(reader, key));
  return { ...written, body: String(written.body) };
}

beforeEach(() => {
  [state, made, outcomes, meanwhile] = ['one', 0, [], () => undefined];
  respond = framedResponder({
    cache: new ResponseCache(1 << 20),
    queue: new QueryQueue(),
    metrics: { cache: (outcome) => outcomes.push(outcome) },
  });
});

describe('an answer with a frame', () => {
  it('is made once in a state, and each reader gets it in a frame of their own', async () => {
    const bodies = [await ask('Ann'), await ask('Ben')].map(({ body }) => body);
    expect(bodies).toEqual(['Ann: content of a, one.', 'Ben: content of a, one.']);
    expect([made, outcomes]).toEqual([1, ['miss', 'hit']]);
  });

  it('is made anew in another state, and for another key', async () => {
    await ask('Ann');
    state = 'two';
    expect((await ask('Ann')).body).toBe('Ann: content of a, two.');
    expect((await ask('Ann', 'b')).body).toBe('Ann: content of b, two.');
    expect(made).toBe(3);
  });

  it('is made once for all who ask at the same time', async () => {
    const all = await Promise.all(['Ann', 'Ben', 'Cyd'].map((reader) => ask(reader)));
    expect(all.map(({ body }) => body)).toEqual(
      ['Ann', 'Ben', 'Cyd'].map((who) => `${who}: content of a, one.`),
    );
    expect(made).toBe(1);
  });

  it('is not cached when something was written while it was made', async () => {
    meanwhile = () => {
      state = 'two';
    };
    await ask('Ann');
    state = 'one';
    await ask('Ann');
    expect([made, outcomes]).toEqual([2, ['miss', 'miss']]);
  });

  it('is not for caches of browsers, and has no tag', async () => {
    const { fields } = await ask('Ann');
    expect(fields).toEqual({ 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' });
  });
});
