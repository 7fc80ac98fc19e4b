import { Problem } from '../problem.js';
import { isLong, type RequestBody } from './body.js';
import { QueryQueue } from './respond/query-queue.js';
import { Tally } from './tally.js';

/** How many long bodies may wait, and how many of them of one sender. */
const WAITING = 64;
const WAITING_OF_ONE = 8;

/** Runs what requests with long bodies ask for. */
export type LongBodies = <T>(sender: string, body: RequestBody, work: () => Promise<T>) => Promise<T>;

/**
 * Makes what runs long bodies one after the other, the senders by turns, and leaves the time that one took to everybody
 * else before the next: however many come at once, others wait for a step of one of them. Short ones do not wait.
 * @param queue in whose order they are run; tests watch it
 */
export function longBodies(queue = new QueryQueue(WAITING)): LongBodies {
  const waiting = new Tally();
  return async (sender, body, work) => {
    if (!isLong(body)) return work();
    if (waiting.of(sender) >= WAITING_OF_ONE) throw tooMany();
    waiting.add(sender, 1);
    try {
      return await queue.run(sender, () => {
        queue.pass();
        return work();
      });
    } finally {
      waiting.add(sender, -1);
    }
  };
}

function tooMany(): Problem {
  return new Problem(
    'too-many-requests',
    `More than ${WAITING_OF_ONE} long bodies of this sender wait; send them one after the other.`,
    { headers: { 'Retry-After': '1' } },
  );
}
