import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { longBodies } from '../../src/http/admission/limits.js';

const LONG = new Uint8Array(40_000);
const SHORT = new Uint8Array(1_000);

/** Work that goes on until it is told to end. */
function started(): { work: () => Promise<string>; end: () => void; has: () => boolean } {
  let [begun, end] = [false, (): void => undefined];
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async (): Promise<string> => {
    begun = true;
    await ended;
    return 'done';
  };
  return { work, end: () => end(), has: () => begun };
}

describe('long bodies', () => {
  it('are taken one at a time, and short ones do not wait for them', async () => {
    const take = longBodies();
    const [first, second] = [started(), started()];
    const done = [take('a', LONG, first.work), take('b', LONG, second.work)];
    expect(await take('c', SHORT, () => Promise.resolve('short'))).toBe('short');
    expect(await take('c', 'too-large', () => Promise.resolve('refused'))).toBe('refused');
    await nextTurn();
    expect([first.has(), second.has()]).toEqual([true, false]);
    first.end();
    second.end();
    expect(await Promise.all(done)).toEqual(['done', 'done']);
  });

  it('of several senders come by turns, however many of one came first', async () => {
    const take = longBodies();
    const order: string[] = [];
    const all = ['a', 'a', 'a', 'b', 'c'].map((sender) =>
      take(sender, LONG, async () => {
        await nextTurn();
        order.push(sender);
      }),
    );
    await Promise.all(all);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a']);
  });

  it('of one sender wait up to a number, and those beyond it are refused', async () => {
    const take = longBodies();
    const held = started();
    const waiting = Array.from({ length: 8 }, () => take('a', LONG, held.work));
    await expect(take('a', LONG, held.work)).rejects.toMatchObject({
      status: 429,
      headers: { 'Retry-After': '1' },
      message: expect.stringMatching(/send them one after the other\.$/u),
    });
    const other = take('b', LONG, held.work);
    held.end();
    expect(await Promise.all([...waiting, other])).toHaveLength(9);
    expect(await take('a', LONG, () => Promise.resolve('again'))).toBe('again');
  });

  it('that are refused let the next one pass', async () => {
    const take = longBodies();
    await expect(take('a', LONG, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await take('a', LONG, () => Promise.resolve('next'))).toBe('next');
  });
});
