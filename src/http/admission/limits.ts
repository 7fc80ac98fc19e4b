import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Verified } from '../../access/oauth/verify.js';
import { Problem } from '../../model/problem.js';
import { inSteps, type Pause } from '../../store/steps.js';
import { traceOf, type Route } from '../request-context.js';
import { QueryQueue } from '../respond/query-queue.js';
import { createBodies, hasBody, isForm, isLong, type RequestBody, Tally } from './bodies.js';
import { addressOf, addTime, senderBudgets, senderOf } from './sender-budgets.js';

/*
 * What a request passes, so that no sender takes the time or memory of the others:
 *
 *        request
 *           │   a form: budget of its address ·················· sender-budgets.ts         429
 *           ▼
 *        who sends it, and what they may do ···················· ../pipeline.ts            401 403 400 404
 *           │   a body: budget of its sender ··················· sender-budgets.ts         429
 *           ▼
 *        the body, in the memory for all and for each sender ··· bodies.ts                 413 429 503
 *           │   a long one: one at a time, senders by turns ···· this file                 429
 *           ▼
 *        the handler and its answer
 *           │   long work: in steps, on the budget, by turns ··· this file                 429
 *           │   a query: one at a time, calls and apps by turns  ../respond/query-queue.ts 503
 *           │   a stream: one of so many ······················· streams.ts                429 503
 *           ▼
 *        the time it took, or its refusal, goes on the budget
 *
 * A request without a body that ends within one step passes the query queue alone. Pages for visitors who have not
 * signed in have limits of their own: a flood from an address must not keep the others behind it from signing in.
 */

export type Admission = ReturnType<typeof createAdmission>;

/** Makes the limits of a process, as in the picture. @param perSecond as in `SenderBounds` */
export function createAdmission(perSecond: number) {
  const bodies = createBodies();
  const budgets = senderBudgets({ perSecond });
  const inTurns = senderTurns();
  const hasBudget = ({ credentials }: Route): boolean => credentials !== 'session';
  return {
    bodies,
    /** Admits a form, which is read before the sender is authenticated. @throws Problem too-many-requests */
    admitForm: (context: Context, route: Route) =>
      hasBudget(route) && isForm(context.req.headers['content-type'])
        ? budgets.admit(context, addressOf(context))
        : undefined,
    /** Admits and reads a body after authentication. @throws Problem */
    async readBody(context: Context, route: Route, verified: Verified | undefined): Promise<RequestBody> {
      if (hasBudget(route)) await budgets.admit(context, senderOf(context));
      return bodies.take(context, route.bodyLimit, verified);
    },
    /** Answers a request with a body when its turn comes, and charges its sender. @throws Problem */
    async run(context: Context, route: Route, body: RequestBody, answer: () => Promise<void>): Promise<void> {
      const isLimited = hasBudget(route);
      if (!isLimited && !isLong(body)) return answer();
      const sender = senderOf(context);
      const attempt = async (): Promise<boolean> => {
        // Earlier requests of the same sender may have used up the budget.
        if (isLimited && budgets.isSpent(sender)) return false;
        await answer();
        if (isLimited) budgets.accepted(context, sender);
        return true;
      };
      // Queries of analysts take long, but run in another process.
      const { analyst } = traceOf(context);
      while (!(await (analyst || !isLong(body) ? attempt() : inTurns(sender, attempt))))
        await budgets.admit(context, sender);
    },
    /**
     * Runs long work of a request in steps, and charges its sender. After the first step, senders take turns. The work
     * must not wait for other work that does. @throws Problem too-many-requests, unavailable
     */
    async inSteps<T>(context: Context, work: (pause: Pause) => Promise<T>): Promise<T> {
      const sender = senderOf(context);
      await budgets.admit(context, sender);
      let end: (() => void) | undefined;
      const turn = (): Promise<() => void> =>
        new Promise((begin, fail) => {
          inTurns(sender, () => new Promise<void>((resolve) => begin(resolve))).catch(fail);
        });
      let used = process.cpuUsage();
      const pause = inSteps(async () => {
        addTime(context, process.cpuUsage(used));
        if (end) await nextTurn();
        else {
          end = await turn();
          // Earlier requests of the same sender may have used up the budget.
          if (budgets.isSpent(sender)) end();
          await budgets.admit(context, sender);
        }
        used = process.cpuUsage();
      });
      try {
        return await work(pause);
      } finally {
        addTime(context, process.cpuUsage(used));
        budgets.accepted(context, sender);
        end?.();
      }
    },
    /** Charges a refusal to its sender. @returns the error to answer with */
    refused(context: Context, route: Route, error: unknown): unknown {
      // Proved senders are not charged for refusals without a body: they may ask for what they cannot see.
      const { principal, analyst } = traceOf(context);
      const isCounted = hasBudget(route) && !analyst && (hasBody(context) || !principal);
      return isCounted ? budgets.refused(context, senderOf(context), error) : error;
    },
  };
}

/** Long bodies and long work that may wait: of all senders, and of one. */
const MAX_WAITING = 64;
const MAX_WAITING_OF_ONE = 8;

/** Makes a function that runs long work one at a time, senders in turn, with a pause after each. */
export function senderTurns(): <T>(sender: string, work: () => Promise<T>) => Promise<T> {
  const queue = new QueryQueue(MAX_WAITING);
  const waiting = new Tally();
  return async (sender, work) => {
    if (waiting.of(sender) >= MAX_WAITING_OF_ONE)
      throw new Problem(
        'too-many-requests',
        `More than ${MAX_WAITING_OF_ONE} long requests of this sender wait; send them one after the other.`,
        { retryAfter: 1 },
      );
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
