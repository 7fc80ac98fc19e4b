import type { Context } from 'koa';
import { describe, expect, it } from 'vitest';
import { accessEntry } from '../../src/http/request-log.js';
import { senderBudgets, senderOf, type SenderBudgets } from '../../src/http/admission/sender-budgets.js';
import { Problem, type ProblemKind } from '../../src/model/problem.js';

/** A request whose body kept the process busy for so long. */
const request = (busy = 0): Context =>
  ({ state: { trace: { busy } }, req: { headers: {}, resume: () => undefined } }) as unknown as Context;

/** Budgets of 10 ms a second, 1000 ms at most, with a clock that a test moves. */
function budgets(hold = 0): { all: SenderBudgets; pass(seconds: number): void } {
  let now = 0;
  return {
    all: senderBudgets({ perSecond: 10, hold, clock: () => now }),
    pass: (seconds) => {
      now += seconds * 1000;
    },
  };
}

/** Why a sender is not admitted; undefined when it is. */
async function refusal(all: SenderBudgets, sender: string): Promise<Problem | undefined> {
  try {
    await all.admit(request(), sender);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const refuse = (all: SenderBudgets, sender: string, kind: ProblemKind): Promise<unknown> =>
  all.refused(request(), sender, new Problem(kind, 'No.'));

describe('the budget of a sender', () => {
  it('is not touched by bodies that take little', async () => {
    const { all } = budgets();
    for (let count = 0; count < 10_000; count++) all.accepted(request(10), 'a');
    expect(await refusal(all, 'a')).toBeUndefined();
  });

  it('is spent by long bodies, and says when to come back', async () => {
    const { all, pass } = budgets();
    for (let count = 0; count < 9; count++) all.accepted(request(110), 'a');
    expect(await refusal(all, 'a')).toBeUndefined();
    all.accepted(request(210), 'a');
    const refused = await refusal(all, 'a');
    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '11' } });
    expect(refused?.message).toMatch(/wait 11 s, then send fewer or smaller ones\.$/u);
    pass(10.5);
    expect(await refusal(all, 'a')).toBeUndefined();
  });

  it('is spent by refusals, those of things that changed apart', async () => {
    const { all } = budgets();
    for (const kind of ['not-found', 'conflict', 'precondition-failed', 'unavailable'] as const)
      for (let count = 0; count < 1001; count++) await refuse(all, 'a', kind);
    expect(await refusal(all, 'a')).toBeUndefined();
    for (let count = 0; count < 1000; count++)
      expect(await refuse(all, 'a', 'unauthorized')).toMatchObject({ status: 401 });
    expect(await refuse(all, 'a', 'unauthorized')).toMatchObject({ status: 429 });
    expect(await refusal(all, 'a')).toMatchObject({ status: 429 });
  });

  it('counts what a refused body took, too', async () => {
    const { all } = budgets();
    const error = new Problem('unprocessable', 'No.');
    expect(await all.refused(request(1000), 'a', error)).toBe(error);
    expect(await refusal(all, 'a')).toMatchObject({ status: 429 });
  });

  it('is nobody else’s', async () => {
    const { all } = budgets();
    all.accepted(request(5000), 'a');
    expect(await refusal(all, 'a')).toBeDefined();
    expect(await refusal(all, 'b')).toBeUndefined();
  });

  it('is full again after 200 s at the latest', async () => {
    const { all, pass } = budgets();
    all.accepted(request(1e9), 'a');
    expect(await refusal(all, 'a')).toMatchObject({ headers: { 'Retry-After': '101' } });
    pass(200);
    all.accepted(request(1000), 'a');
    expect(await refusal(all, 'a')).toBeUndefined();
  });

  it('is forgotten when ten thousand others were seen since', async () => {
    const { all } = budgets();
    all.accepted(request(5000), 'a');
    for (let count = 0; count < 10_000; count++) all.accepted(request(11), `other ${count}`);
    expect(await refusal(all, 'a')).toBeUndefined();
  });

  it('holds a thousand requests back at a time, and ends the connections of the others', async () => {
    const { all } = budgets(50);
    all.accepted(request(5000), 'a');
    const refused = await Promise.all(Array.from({ length: 1010 }, () => refusal(all, 'a')));
    expect(refused.filter((problem) => problem?.headers['Connection'] === 'close')).toHaveLength(10);
    all.accepted(request(5000), 'a');
    expect((await refusal(all, 'a'))?.headers).not.toHaveProperty('Connection');
  });
});

describe('a sender', () => {
  const from = (trace: object): Context =>
    ({ state: { trace, clientAddress: '192.0.2.1' } }) as unknown as Context;

  it('is a token that a user gave, or the app of one that nobody gave: it makes those itself', () => {
    const app = 'robot@example.org';
    expect(senderOf(from({ principal: { app, token: { id: 't1', user: 'person' } } }))).toBe('token t1');
    expect(senderOf(from({ principal: { app, token: { id: 't2' } } }))).toBe(`app ${app}`);
    expect(senderOf(from({ principal: { app } }))).toBe(`app ${app}`);
    expect(senderOf(from({}))).toBe('address 192.0.2.1');
  });

  it('who asks for what no path can name leaves no such name in the access log', () => {
    const route = { method: 'GET', path: '/records/{record_id}/notes/{note_id}', call: { scope: 'record' } };
    const resourceOf = (note_id: string) => {
      const context = {
        ...from({ route, parameters: { record_id: '1', note_id } }),
        response: { get: () => '' },
      };
      return accessEntry(context as unknown as Context, 401)?.resource;
    };
    expect(resourceOf('n1')).toBe('/records/1/notes/n1');
    for (const none of ['.', '..', 'a b']) expect(resourceOf(none)).toBeUndefined();
  });

  it('who is slowed leaves no entry in the access log, unless it has proved who it is', () => {
    const call = { scope: 'record', iri: 'urn:call' };
    const route = { method: 'GET', path: '/records/{record_id}/problems/', call };
    const entryOf = (trace: object, status: number) => {
      const context = {
        ...from({ route, parameters: { record_id: '1' }, ...trace }),
        response: { get: () => '' },
      };
      return accessEntry(context as unknown as Context, status);
    };
    expect(entryOf({}, 429)).toBeUndefined();
    expect(entryOf({}, 401)).toMatchObject({ outcome: 'refused', status: 401 });
    expect(entryOf({ principal: { app: 'a' } }, 429)).toMatchObject({ outcome: 'refused', app: 'a' });
  });
});
