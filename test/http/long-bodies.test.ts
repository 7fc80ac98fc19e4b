import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { senderTurns } from '../../src/http/admission/limits.js';

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

describe('long work', () => {
  it('is taken one at a time', async () => {
    const take = senderTurns();
    const [first, second] = [started(), started()];
    const done = [take('a', first.work), take('b', second.work)];
    await nextTurn();
    expect([first.has(), second.has()]).toEqual([true, false]);
    first.end();
    second.end();
    expect(await Promise.all(done)).toEqual(['done', 'done']);
  });

  it('of several senders come by turns, however many of one came first', async () => {
    const take = senderTurns();
    const order: string[] = [];
    const all = ['a', 'a', 'a', 'b', 'c'].map((sender) =>
      take(sender, async () => {
        await nextTurn();
        order.push(sender);
      }),
    );
    await Promise.all(all);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a']);
  });

  it('of one sender wait up to a number, and those beyond it are refused', async () => {
    const take = senderTurns();
    const held = started();
    const waiting = Array.from({ length: 8 }, () => take('a', held.work));
    await expect(take('a', held.work)).rejects.toMatchObject({
      status: 429,
      headers: { 'Retry-After': '1' },
      message: expect.stringMatching(/send them one after the other\.$/u),
    });
    const other = take('b', held.work);
    held.end();
    expect(await Promise.all([...waiting, other])).toHaveLength(9);
    expect(await take('a', () => Promise.resolve('again'))).toBe('again');
  });

  it('that are refused let the next one pass', async () => {
    const take = senderTurns();
    await expect(take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await take('a', () => Promise.resolve('next'))).toBe('next');
  });
});
