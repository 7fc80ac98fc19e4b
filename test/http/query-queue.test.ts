import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { QueryQueue, QueueFull } from '../../src/http/respond/query-queue.js';
import { SingleFlight } from '../../src/http/respond/response-cache.js';

describe('the lane of cold queries', () => {
  /** Runs seven queries of two milliseconds, by a clock that they move. @returns in which turn each of them ran */
  async function turnsOfSeven(after: (lane: QueryQueue) => void = () => undefined): Promise<number[]> {
    let time = 0;
    const lane = new QueryQueue(256, () => time);
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    let running = 0;
    const work = async (): Promise<void> => {
      expect(++running).toBe(1);
      await Promise.resolve();
      seen.push(turns);
      time += 2;
      after(lane);
      running--;
    };
    await Promise.all(Array.from({ length: 7 }, () => lane.run('a', work)));
    counting = false;
    return seen;
  }

  it('runs one at a time, and lets the event loop turn after four milliseconds of them', async () => {
    const seen = await turnsOfSeven();
    const first = seen[0] ?? 0;
    expect(seen.map((turn) => turn - first)).toEqual([0, 0, 1, 1, 2, 2, 3]);
  });

  it('runs one in a turn while answers go out that need no query', async () => {
    const seen = await turnsOfSeven((lane) => lane.pass());
    expect(new Set(seen).size).toBe(7);
  });

  it('takes turns by call: a list does not wait for all searches that came before it', async () => {
    const lane = new QueryQueue();
    const order: string[] = [];
    const run = (call: string, name: string): Promise<void> =>
      lane.run(call, async () => {
        await nextTurn();
        order.push(name);
      });
    await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => run('search', `search ${n}`)),
      run('list', 'list 0'),
      run('list', 'list 1'),
    ]);
    expect(order.slice(0, 5)).toEqual(['search 0', 'search 1', 'list 0', 'search 2', 'list 1']);
    expect(order).toHaveLength(12);
  });

  it('leaves half of the time to answers that need no query, where there are any', async () => {
    const waits = async (others: boolean): Promise<number> => {
      const lane = new QueryQueue();
      const times: number[] = [];
      const work = async (): Promise<void> => {
        const start = performance.now();
        times.push(start);
        while (performance.now() - start < 15);
        await Promise.resolve();
        if (others) setImmediate(() => lane.pass());
        times.push(performance.now());
      };
      await Promise.all([lane.run('a', work), lane.run('a', work)]);
      return (times[2] ?? 0) - (times[1] ?? 0);
    };
    expect(await waits(true)).toBeGreaterThanOrEqual(13);
    const idle = [await waits(false), await waits(false), await waits(false)];
    expect(Math.min(...idle)).toBeLessThan(13);
  });

  it('refuses with 503 and Retry-After whatever comes when too many wait, and goes on afterwards', async () => {
    const lane = new QueryQueue(3);
    const work = (): Promise<string> => nextTurn('done');
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => lane.run('a', work)));
    // One runs, three wait.
    expect(all.map(({ status }) => status).join(' ')).toBe(
      'fulfilled fulfilled fulfilled fulfilled rejected rejected',
    );
    for (const refused of all.slice(4)) {
      expect(refused).toMatchObject({
        reason: { status: 503, kind: 'unavailable', headers: { 'Retry-After': '1' } },
      });
    }
    expect(await lane.run('a', work)).toBe('done');
  });

  it('is filled by nobody for others: who has most waiting makes room', async () => {
    const lane = new QueryQueue(3);
    const order: string[] = [];
    const run = (turn: string, name: string): Promise<void> =>
      lane.run(turn, async () => {
        await nextTurn();
        order.push(name);
      });
    const all = await Promise.allSettled([
      ...Array.from({ length: 4 }, (_, n) => run('a', `a ${n}`)),
      run('b', 'b 0'),
      // As many as anybody: that would be taking turns in being refused.
      run('b', 'b 1'),
      run('a', 'a 4'),
    ]);
    expect(order).toEqual(['a 0', 'a 1', 'b 0', 'a 2']);
    const refused = all.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    expect(refused).toEqual([3, 5, 6]);
    expect(all[3]).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '1' } } });
  });

  it('goes on after a failure, which is told to who asked', async () => {
    const lane = new QueryQueue();
    const [failed, thrown, fine] = await Promise.allSettled([
      lane.run('a', () => Promise.reject(new Error('broken'))),
      lane.run('a', () => {
        throw new Error('thrown');
      }),
      lane.run('a', () => Promise.resolve('fine')),
    ]);
    expect(failed).toMatchObject({ reason: { message: 'broken' } });
    expect(thrown).toMatchObject({ reason: { message: 'thrown' } });
    expect(fine).toMatchObject({ value: 'fine' });
  });
});

describe('a single flight', () => {
  it('is shared by all who ask while it lasts, and made anew for the next', async () => {
    const flights = new SingleFlight<number>();
    let made = 0;
    const make = async (): Promise<number> => {
      await nextTurn();
      return ++made;
    };
    expect(
      await Promise.all([flights.join('a', make), flights.join('a', make), flights.join('b', make)]),
    ).toEqual([1, 1, 2]);
    expect(await flights.join('a', make)).toBe(3);
  });

  it('is made anew by who waited where only who made it is refused', async () => {
    const lane = new QueryQueue(4);
    const flights = new SingleFlight<string>((error) => error instanceof QueueFull);
    const ask = (app: string, key: string): Promise<string> =>
      flights.join(key, () =>
        lane.run(app, async () => {
          await nextTurn();
          return app;
        }),
      );
    const answers = await Promise.allSettled([
      ...Array.from({ length: 5 }, (_, n) => ask('a', `a ${n}`)),
      // These wait for the last one of the other app, which makes room for another request of theirs.
      ask('b', 'a 4'),
      ask('c', 'a 4'),
      ask('b', 'of its own'),
    ]);
    expect(answers.slice(4)).toMatchObject([
      { reason: { status: 503 } },
      { value: 'b' },
      { value: 'b' },
      { value: 'b' },
    ]);
  });

  it('fails for all who wait where what is made fails', async () => {
    const flights = new SingleFlight<string>((error) => error instanceof QueueFull);
    let made = 0;
    const broken = (): Promise<string> => {
      made++;
      return Promise.reject(new Error('broken'));
    };
    const all = await Promise.allSettled([flights.join('a', broken), flights.join('a', broken)]);
    expect([made, ...all.map(({ status }) => status)]).toEqual([1, 'rejected', 'rejected']);
  });

  it('forgets a failure', async () => {
    const flights = new SingleFlight<string>();
    const broken = (): Promise<string> => Promise.reject(new Error('broken'));
    await expect(Promise.all([flights.join('a', broken), flights.join('a', broken)])).rejects.toThrow(
      'broken',
    );
    expect(await flights.join('a', () => Promise.resolve('fine'))).toBe('fine');
  });
});
