import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import type { Context } from 'koa';
import { expect, it } from 'vitest';
import { createBodies } from '../../src/http/admission/bodies.js';
import { createAdmission } from '../../src/http/admission/limits.js';
import { traceOf } from '../../src/http/request-context.js';
import type { Pause } from '../../src/store/steps.js';

/** A request of somebody who has signed in. */
function requestOf(user: string): Context & { readonly res: EventEmitter } {
  const res = new EventEmitter();
  const context = { state: {}, res, req: { resume: () => undefined }, set: () => undefined, ip: '::1' };
  traceOf(context as unknown as Context).visitor = { user: { id: user } } as never;
  return context as never;
}

/** Keeps the processor busy for longer than a step: a sender is charged for its time, and not for that of others. */
function spin(ms: number): void {
  const [end, before] = [performance.now() + ms, process.cpuUsage()];
  const used = (): number => process.cpuUsage(before).user / 1000;
  while (performance.now() < end || used() < ms);
}

it('long work lets others run after each step, and other long work when it is over', async () => {
  const { inSteps } = createAdmission(1000);
  const order: string[] = [];
  const work = (name: string) => async (pause: Pause) => {
    for (let step = 1; step <= 2; step++) {
      spin(10);
      await pause();
      order.push(`${name}${step}`);
    }
  };
  let turns = 0;
  const count = (async () => {
    while (order.length < 4) {
      await nextTurn();
      turns++;
    }
  })();
  await Promise.all([inSteps(requestOf('a'), work('a')), inSteps(requestOf('b'), work('b'))]);
  await count;
  expect(order).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect(turns).toBeGreaterThan(3);
});

it('its sender is charged, and refused once the budget is spent, while others are not', async () => {
  const { inSteps } = createAdmission(1);
  await inSteps(requestOf('a'), async (pause) => {
    for (let step = 0; step < 10; step++) {
      spin(20);
      await pause();
    }
  });
  const done = (): Promise<string> => Promise.resolve('done');
  await expect(inSteps(requestOf('a'), done)).rejects.toMatchObject({ status: 429 });
  expect(await inSteps(requestOf('b'), done)).toBe('done');
});

it('long answers that nobody takes are bounded, for one sender and for all', async () => {
  const { holdAnswer } = createBodies({ budget: 2 << 20, share: 1 / 4, deadline: 1 });
  const first = requestOf('a');
  holdAnswer(first, 4 << 20);
  expect(() => holdAnswer(requestOf('a'), 1 << 20)).toThrow(
    expect.objectContaining({ status: 429 }) as Error,
  );
  expect(() => holdAnswer(requestOf('b'), 4 << 20)).toThrow(
    expect.objectContaining({ status: 503 }) as Error,
  );
  holdAnswer(requestOf('b'), 1000);
  first.res.emit('close');
  await wait(0);
  holdAnswer(requestOf('c'), 1 << 20);
});
