import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Context } from 'koa';
import { networkOf } from '../accounts/network-of.js';
import { Problem } from '../problem.js';
import { clientAddress } from './client-address.js';
import { traceOf } from './request-context.js';

/** What senders may cost a process, in milliseconds of its time. */
export interface SenderBounds {
  /** What a budget grows by in a second. It holds a hundred times as much at most. */
  readonly perSecond: number;
  /** How long a request that is slowed waits for its refusal, in milliseconds; default a second. */
  readonly hold?: number;
  /** Milliseconds that pass; default those of this process. */
  readonly clock?: () => number;
}

/** What one sender may do with the time of the process, in the limits of its budget. */
export interface SenderBudgets {
  /**
   * Lets a request pass whose sender has something left.
   * @throws Problem too-many-requests, after a while
   */
  admit(context: Context, sender: string): Promise<void>;
  /** Whether a sender has nothing left. */
  isSpent(sender: string): boolean;
  /** Takes what the steps for an accepted body took, beyond what every body has for free. */
  accepted(context: Context, sender: string): void;
  /**
   * Takes what a refused request took.
   * @param error why it is refused
   * @returns what to say instead: that the sender has to wait, where nothing was left before
   */
  refused(context: Context, sender: string, error: unknown): Promise<unknown>;
}

/** Seconds after which an empty budget is full again. */
const FULL_AFTER = 100;
/** Milliseconds that each body may take without being counted: statements of records take one or two. */
const FREE = 10;
/** What a refusal counts beside the time for its body, in milliseconds. */
const REFUSAL = 1;
/** Budgets that are not full, at a time; of more senders the one that was seen longest ago is forgotten. */
const MOST_SENDERS = 10_000;
/** Requests that wait for their refusal at a time; further ones are refused at once, and lose their connection. */
const MOST_HELD = 1_000;

/** Refusals that a well-meant request meets now and then, of things that have changed; those of budgets are ours. */
const EXPECTED: ReadonlySet<number> = new Set([404, 409, 412, 429]);

/**
 * The budgets of those who send bodies or are refused. They slow whoever costs the others time: bodies that hold the
 * process up, and requests that prove nothing. A request without a body that is signed meets none of it.
 */
export function senderBudgets({
  perSecond,
  hold = 1000,
  clock = () => performance.now(),
}: SenderBounds): SenderBudgets {
  const most = perSecond * FULL_AFTER;
  const spent = new LRUCache<string, { readonly ms: number; readonly at: number }>({ max: MOST_SENDERS });
  let held = 0;

  /** What a sender has spent and not got back. */
  const debtOf = (sender: string): number => {
    const entry = spent.get(sender);
    return entry ? Math.max(0, entry.ms - ((clock() - entry.at) / 1000) * perSecond) : 0;
  };
  const charge = (sender: string, ms: number): void => {
    // Nobody waits longer than a budget takes to fill.
    spent.set(sender, { ms: Math.min(2 * most, debtOf(sender) + ms), at: clock() });
  };
  const isOver = (sender: string): boolean => debtOf(sender) >= most;
  const slowed = async (context: Context, sender: string): Promise<Problem> => {
    traceOf(context).refusal = 'sender-budget';
    const seconds = Math.floor((debtOf(sender) - most) / perSecond) + 1;
    const headers: Record<string, string> = { 'Retry-After': String(seconds) };
    if (held < MOST_HELD) {
      held++;
      // Who asks again as soon as it is answered is answered once a second. What comes of its body is not kept.
      context.req.resume();
      await wait(hold);
      held--;
    } else headers['Connection'] = 'close';
    return new Problem(
      'too-many-requests',
      `Requests of this sender were refused too often, or took too long; wait ${seconds} s, then send fewer or smaller ones.`,
      { headers },
    );
  };

  return {
    isSpent: isOver,
    async admit(context, sender) {
      if (isOver(sender)) throw await slowed(context, sender);
    },
    accepted(context, sender) {
      const ms = (traceOf(context).busy ?? 0) - FREE;
      if (ms > 0) charge(sender, ms);
    },
    async refused(context, sender, error) {
      if (!(error instanceof Problem) || error.status >= 500 || EXPECTED.has(error.status)) return error;
      const wasOver = isOver(sender);
      charge(sender, REFUSAL + (traceOf(context).busy ?? 0));
      return wasOver ? slowed(context, sender) : error;
    },
  };
}

/** Whose budget a request is on: that of the token of a user, or of the app, that it has proved, else that of its address. */
export function senderOf(context: Context): string {
  const { principal, analyst } = traceOf(context);
  if (analyst) return `user ${analyst.user.id}`;
  // Those without a user an app makes for itself, as many as it likes.
  if (principal?.token?.user !== undefined) return `token ${principal.token.id}`;
  return principal ? `app ${principal.app}` : addressOf(context);
}

/** The address of a request as a sender. */
export function addressOf(context: Context): string {
  return `address ${networkOf(clientAddress(context))}`;
}
