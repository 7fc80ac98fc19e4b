import type { LookupFunction } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AccessEntry } from '../../access/log/access-entry.js';
import type { AccessLog } from '../../access/log/access-log.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { Subscription } from '../../access/accounts/subscriptions.js';
import { leaseHolder, takeLease } from '../../store/disk/lease.js';
import { faultFacts } from '../../http/fault-facts.js';
import type { MetricValues } from '../../http/container-metrics.js';
import { WebhookMetrics, type DeliveryOutcome } from '../metrics/webhook-metrics.js';
import type { Ontology } from '../../model/ontology/model.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import { CommitWatch } from '../../store/commit-watch.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { DueDeliveries, type DueDelivery } from './due-deliveries.js';
import { afterDelivery, afterFailure, type DeliveredRange } from './due-deliveries.js';
import { allowedAddresses, isLocal, type IsAllowed, checkedLookup } from './receiver-address.js';
import { sendDelivery, signDelivery } from './send-delivery.js';

export interface DeliveryParts {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly accounts: Accounts;
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly log: Logger;
  readonly networks?: readonly string[] | undefined;
  /** Milliseconds until each retry. */
  readonly delays?: readonly number[] | undefined;
  readonly clock?: () => number;
}

const TICK_MS = 1000;
const MAX_AT_ONCE = 32;
const MAX_PER_RECEIVER = 4;
const TURN_MS = 4;
/** Pause when an outcome could not be stored; otherwise it would be sent endlessly, filling the access log. */
const PAUSE_MS = 60_000;

/**
 * Tells apps about changes in records that they subscribed to: one delivery at a time per subscription, in order, until
 * accepted. Stores acceptance before sending the next, so a killed process repeats deliveries but loses none.
 */
export class Deliveries {
  readonly #watch: CommitWatch;
  readonly #due: DueDeliveries;
  readonly #metrics: WebhookMetrics;
  readonly #isAllowed: IsAllowed;
  readonly #lookup: LookupFunction;
  readonly #holder: string;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, { readonly origin: string; readonly done: Promise<void> }>();
  /** Subscriptions with work to do and their receivers, the longest known first. */
  readonly #waiting = new Map<string, string>();
  readonly #paused = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #mustLookAgain = false;

  constructor(private readonly parts: DeliveryParts) {
    const { primary, networks = [], clock = Date.now } = parts;
    this.#watch = new CommitWatch(primary.directory);
    this.#due = new DueDeliveries({ ...parts, clock });
    this.#metrics = new WebhookMetrics(() => this.#due.counts);
    this.#isAllowed = allowedAddresses(networks, isLocal(new URL(primary.base)));
    this.#lookup = checkedLookup(this.#isAllowed);
    this.#holder = leaseHolder(primary.directory);
  }

  start(): void {
    this.#watch.add(() => this.#look());
    this.#timer = setInterval(() => this.#look(), TICK_MS).unref();
    this.#look();
  }

  /** Aborts deliveries; they are repeated after the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch.close();
    clearInterval(this.#timer);
    await this.#pass;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  numbers(): Promise<MetricValues> {
    return this.#metrics.values();
  }

  #look(): void {
    if (this.#stop.signal.aborted) return;
    this.#mustLookAgain = this.#pass !== undefined;
    this.#pass ??= this.#findAndDeliver()
      .catch((error: unknown) => this.#fault(error))
      .finally(() => {
        this.#pass = undefined;
        if (this.#mustLookAgain) this.#look();
      });
  }

  async #findAndDeliver(): Promise<void> {
    let began = performance.now();
    for (const found of this.#due.find()) {
      for (const { id, url } of found) this.#waiting.set(id, new URL(url).origin);
      if (performance.now() - began > TURN_MS) {
        await nextTurn();
        began = performance.now();
      }
      if (this.#stop.signal.aborted) return;
    }
    for (const [id, origin] of this.#waiting) {
      if (this.#stop.signal.aborted || this.#running.size >= MAX_AT_ONCE) return;
      // Running ones are checked when they end.
      if (!this.#running.has(id)) {
        if (this.#pauses(id) || this.#deliveriesTo(origin) >= MAX_PER_RECEIVER) continue;
        await this.#take(id);
      }
      this.#waiting.delete(id);
    }
  }

  #pauses(id: string): boolean {
    const until = this.#paused.get(id);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#paused.delete(id);
    return false;
  }

  #deliveriesTo(origin: string): number {
    let count = 0;
    for (const each of this.#running.values()) if (each.origin === origin) count++;
    return count;
  }

  async #take(id: string): Promise<void> {
    const { accounts, primary, clock = Date.now } = this.parts;
    const subscription = accounts.subscription(id);
    const due = subscription && this.#due.of(subscription);
    if (!due || !(await takeLease(primary.directory, 'deliveries', this.#holder, clock()))) return;
    if (due === 'ended') await this.#end(subscription);
    else this.#begin(subscription, due);
  }

  #begin(subscription: Subscription, { url, ...range }: DueDelivery): void {
    const { id } = subscription;
    const { origin } = url;
    const done = this.#deliver(subscription, url, range)
      .catch((error: unknown) => {
        this.#paused.set(id, performance.now() + PAUSE_MS);
        this.#fault(error);
      })
      .finally(() => {
        this.#running.delete(id);
        this.#waiting.set(id, origin);
        this.#look();
      });
    this.#running.set(id, { origin, done });
  }

  async #deliver(subscription: Subscription, url: URL, range: DeliveredRange): Promise<void> {
    const { accounts, accessLog, primary, delays, clock = Date.now } = this.parts;
    const { id, record } = subscription;
    const { since, revision } = range;
    const secret = accounts.subscriptionSecret(id);
    if (secret === undefined) return;
    const address = recordIri(primary.base, record);
    const body = JSON.stringify({
      type: 'record.changed',
      timestamp: new Date(clock()).toISOString(),
      data: {
        subscription: `${address}/subscriptions/${id}`,
        record: address,
        since,
        revision,
        changes: `${address}/changes?since=${since}`,
      },
    });
    const entry = { ...entryOf(subscription), to: url.origin + url.pathname, revision };
    await accessLog.record({ ...entry, action: 'notify', outcome: 'begun' });
    const headers = signDelivery(secret, { id: `${id}.${since}.${revision}`, body, now: clock() });
    const sent = await sendDelivery(
      url,
      { headers, body },
      { isAllowed: this.#isAllowed, lookup: this.#lookup, stop: this.#stop.signal },
    );
    // Our own abort says nothing about the receiver.
    if (this.#stop.signal.aborted && 'reason' in sent) return;
    const status = 'status' in sent ? sent.status : undefined;
    const isTaken = status !== undefined && status >= 200 && status < 300;
    const reason = 'reason' in sent ? sent.reason : `status-${sent.status}`;
    await accessLog.record({
      ...entry,
      action: 'notify',
      outcome: isTaken ? 'done' : 'failed',
      status,
      ...(isTaken ? {} : { reason }),
    });
    let outcome: DeliveryOutcome = isTaken ? 'taken' : 'failed';
    await accounts.changeSubscription(id, (now) => {
      // A replay was requested meanwhile.
      if (now.position !== since) return now;
      if (status === 410) return undefined;
      if (isTaken) return afterDelivery(now, range);
      const failed = afterFailure(now, range, { now: clock(), reason, ...(delays ? { delays } : {}) });
      if (failed.failures === 0) outcome = 'dead';
      return failed;
    });
    this.#metrics.delivered(outcome);
  }

  async #end(subscription: Subscription): Promise<void> {
    const { accounts, accessLog } = this.parts;
    await accessLog.record({ ...entryOf(subscription), action: 'subscription.ended', outcome: 'done' });
    await accounts.changeSubscription(subscription.id, () => undefined);
    this.#due.forget(subscription);
  }

  #fault(error: unknown): void {
    this.parts.log.error(faultFacts(error), 'a delivery could not be made and is tried again');
  }
}

function entryOf({ id, app, user, token, record }: Subscription): Omit<AccessEntry, 'action' | 'outcome'> {
  return { app, user, tokenId: token, record, resource: `${recordPart(record)}/subscriptions/${id}` };
}
