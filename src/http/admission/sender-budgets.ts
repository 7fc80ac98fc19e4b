import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Context } from 'koa';
import { networkOf } from '../../access/accounts/sign-in-limits.js';
import { Problem } from '../../model/problem.js';
import { clientAddress, traceOf } from '../request-context.js';

/** Processor time that senders may use, in milliseconds. */
export interface SenderBounds {
  /** Milliseconds that a budget gains per second. A full budget holds a hundred times as much. */
  readonly perSecond: number;
  /** Milliseconds that a slowed request waits for its refusal. Default: a second. */
  readonly hold?: number;
  readonly clock?: () => number;
}

export type SenderBudgets = ReturnType<typeof senderBudgets>;

/** Seconds until an empty budget is full again. */
const FULL_AFTER = 100;
/** Milliseconds that are free for each request: statements of records take one or two. */
const FREE = 10;
/** Milliseconds charged for a refusal, in addition to the time for its body. */
const REFUSAL = 1;
/** Only spent budgets are stored; beyond this number, the sender seen longest ago is forgotten. */
const MAX_SENDERS = 10_000;
/** Requests that wait for their refusal. Beyond this number, they are refused at once and the connection is closed. */
const MAX_HELD = 1_000;

/** Statuses that well-behaved clients run into; 429 is our own. */
const EXPECTED: ReadonlySet<number> = new Set([404, 409, 412, 429]);

/** Budgets that slow down senders which take much processor time or are often refused. */
export function senderBudgets({ perSecond, hold = 1000, clock = () => performance.now() }: SenderBounds) {
  const capacity = perSecond * FULL_AFTER;
  const spent = new LRUCache<string, { readonly ms: number; readonly at: number }>({ max: MAX_SENDERS });
  let held = 0;

  const debtOf = (sender: string): number => {
    const entry = spent.get(sender);
    return entry ? Math.max(0, entry.ms - ((clock() - entry.at) / 1000) * perSecond) : 0;
  };
  const charge = (sender: string, ms: number): void => {
    // Caps the debt, so that no sender waits longer than a budget takes to fill.
    spent.set(sender, { ms: Math.min(2 * capacity, debtOf(sender) + ms), at: clock() });
  };
  const isOver = (sender: string): boolean => debtOf(sender) >= capacity;
  const slowed = async (context: Context, sender: string): Promise<Problem> => {
    traceOf(context).refusal = 'sender-budget';
    const seconds = Math.floor((debtOf(sender) - capacity) / perSecond) + 1;
    const headers: Record<string, string> = { 'Retry-After': String(seconds) };
    if (held < MAX_HELD) {
      held++;
      // A sender that retries at once gets one answer a second. The rest of its body is discarded.
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
    /** Lets a sender pass that has budget left. @throws Problem too-many-requests, after a delay */
    async admit(context: Context, sender: string): Promise<void> {
      if (isOver(sender)) throw await slowed(context, sender);
    },
    /** Charges the time that a request took beyond what is free. */
    accepted(context: Context, sender: string): void {
      const trace = traceOf(context);
      const ms = (trace.busy ?? 0) - FREE;
      trace.busy = 0;
      if (ms > 0) charge(sender, ms);
    },
    /** Charges a refusal. @returns the error, or the request to wait if the budget was already empty */
    async refused(context: Context, sender: string, error: unknown): Promise<unknown> {
      if (!(error instanceof Problem) || error.status >= 500 || EXPECTED.has(error.status)) return error;
      const wasOver = isOver(sender);
      charge(sender, REFUSAL + (traceOf(context).busy ?? 0));
      return wasOver ? slowed(context, sender) : error;
    },
  };
}

/** Returns the sender whose budget a request uses: who signed in, a user's token, the app, or the address. */
export function senderOf(context: Context): string {
  const { principal, analyst, visitor } = traceOf(context);
  const user = analyst?.user ?? visitor?.user;
  if (user) return `user ${user.id}`;
  // An app can issue itself any number of tokens without a user, so those share one budget.
  if (principal?.token?.user !== undefined) return `token ${principal.token.id}`;
  return principal ? `app ${principal.app}` : addressOf(context);
}

export function addressOf(context: Context): string {
  return `address ${networkOf(clientAddress(context))}`;
}

/** Runs a step and charges its processor time; only up to its first wait, since others may run then. */
export function counted<T>(context: Context, step: () => T): T {
  const start = process.cpuUsage();
  try {
    return step();
  } finally {
    addTime(context, process.cpuUsage(start));
  }
}

/** Adds processor time to what a request took. */
export function addTime(context: Context, { user, system }: NodeJS.CpuUsage): void {
  const trace = traceOf(context);
  trace.busy = (trace.busy ?? 0) + (user + system) / 1000;
}
