import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AccessEntry } from '../../access-log/access-entry.js';
import type { AccessLog } from '../../access-log/access-log.js';
import type { Accounts } from '../../accounts/accounts.js';
import type { Subscription } from '../../accounts/subscriptions.js';
import { isAlive } from '../../accounts/tokens.js';
import { takeLease } from '../../disk/lease.js';
import type { Ontology } from '../../ontology/model.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import { CommitWatch } from '../../store/commit-watch.js';
import { historyBegins } from '../../store/past.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { appOrigins, type AppOrigins } from '../app-origins.js';
import { callsOfApps, type CallsOfApp } from '../app-requirements.js';
import { changesAfter, readableBy } from '../handlers/changes-of-record.js';
import { afterDelivery, afterFailure, type DeliveredRange } from './delivery-schedule.js';
import { allowedAddresses, isLocal, receiverUrl, type IsAllowed } from './receiver-address.js';
import { sendDelivery } from './send-delivery.js';
import { signDelivery } from './sign-delivery.js';

/** What deliveries are made of. */
export interface DeliveryParts {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly accounts: Accounts;
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly log: Logger;
  /** Networks that deliveries may go to beside the internet. */
  readonly networks?: readonly string[] | undefined;
  /** Milliseconds until the next attempt, after each that failed. */
  readonly delays?: readonly number[];
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Milliseconds between two looks for what is due again. */
const TICK = 1000;
/** Deliveries that are under way at a time: all, and to one receiver. */
const MOST_AT_ONCE = 32;
const MOST_OF_RECEIVER = 4;
/** Milliseconds that looking may take before others have their turn. */
const TURN = 4;
/** Changes of a record that are looked at together. */
const LOOKED_AT = 1000;

/**
 * Tells apps that records have changed which they subscribed to: for each subscription one delivery at a time, in the
 * order of the changes, until it is taken. What was taken is stored before anything else is sent, so a process that is
 * killed repeats a delivery and loses none.
 */
export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #watch: CommitWatch;
  readonly #origins: AppOrigins;
  readonly #callsOfApp: CallsOfApp;
  readonly #isAllowed: IsAllowed;
  readonly #isDemo: boolean;
  readonly #holder: string;
  readonly #stop = new AbortController();
  /** Deliveries under way, by subscription, with their receivers. */
  readonly #running = new Map<string, { readonly origin: string; readonly done: Promise<void> }>();
  /** Up to which change there was nothing to tell, by subscription. */
  readonly #quiet = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;

  constructor(parts: DeliveryParts) {
    const { primary, ontology, networks = [] } = parts;
    this.#parts = parts;
    this.#watch = new CommitWatch(primary.directory);
    this.#origins = appOrigins(primary);
    this.#callsOfApp = callsOfApps(ontology, primary);
    this.#isDemo = isLocal(new URL(primary.base));
    this.#isAllowed = allowedAddresses(networks, this.#isDemo);
    // A server that is started again on the same directory goes on at once.
    this.#holder = `${hostname()} ${primary.directory.dir}`;
  }

  /** Begins to deliver: what is due now, and what comes. */
  start(): void {
    this.#watch.add(() => this.#look());
    this.#timer = setInterval(() => this.#look(), TICK).unref();
    this.#look();
  }

  /** Ends what is under way; it is delivered again when somebody starts. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch.close();
    clearInterval(this.#timer);
    await this.#pass;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  #look(): void {
    if (this.#stop.signal.aborted) return;
    this.#pass ??= this.#deliverDue()
      .catch((error: unknown) => this.#fault(error))
      .finally(() => {
        this.#pass = undefined;
      });
  }

  async #deliverDue(): Promise<void> {
    const { accounts, primary, clock = Date.now } = this.#parts;
    const { directory } = primary;
    let began = performance.now();
    for (const subscription of accounts.listSubscriptions()) {
      if (performance.now() - began > TURN) {
        await nextTurn();
        began = performance.now();
      }
      const { id, notBefore } = subscription;
      if (this.#stop.signal.aborted || this.#running.size >= MOST_AT_ONCE) return;
      if (this.#running.has(id) || notBefore > clock()) continue;
      const due = this.#dueOf(subscription);
      if (!due) continue;
      if (!(await takeLease(directory, 'deliveries', this.#holder, clock()))) return;
      if (due === 'ended') await this.#end(subscription);
      else if (!this.#isBusy(due.url)) this.#begin(subscription, due.url, due);
    }
  }

  #isBusy({ origin }: URL): boolean {
    return [...this.#running.values()].filter((each) => each.origin === origin).length >= MOST_OF_RECEIVER;
  }

  /** What is to be delivered; `ended` when nothing ever will be; undefined while there is nothing. */
  #dueOf(subscription: Subscription): (DeliveredRange & { readonly url: URL }) | 'ended' | undefined {
    const { id, app, record, position } = subscription;
    const { primary, accounts, ontology, clock = Date.now } = this.#parts;
    const token = accounts.tokenById(subscription.token);
    if (!token || token.revoked || !primary.has(recordIri(primary.base, record))) return 'ended';
    const url = receiverUrl(subscription.url, this.#isDemo);
    if (!url || !this.#origins.isOf(app, url.origin)) return 'ended';
    // An app that lets its token expire goes on where it was with the next one.
    if (!isAlive(token, clock())) return undefined;
    return primary.directory.read((tx) => {
      const last = primary.revision(recordPart(record));
      if (last <= Math.max(position, this.#quiet.get(id) ?? 0)) return undefined;
      const begins = historyBegins(tx);
      // Nobody knows any more what there was to tell: the app finds out when it asks for the changes.
      if (!begins || begins.revision > position) return { since: position, revision: last, url };
      const mayRead = readableBy(ontology, this.#callsOfApp(app));
      let told: number | undefined;
      for (let from = position, isPart = true; isPart;) {
        const found = changesAfter(tx, { record, mayRead }, from, LOOKED_AT, primary.base);
        told = found.changes.at(-1)?.revision ?? told;
        ({ revision: from, isPart } = found);
      }
      if (told !== undefined) return { since: position, revision: told, url };
      this.#quiet.set(id, last);
      return undefined;
    });
  }

  #begin(subscription: Subscription, url: URL, { since, revision }: DeliveredRange): void {
    const done = this.#deliver(subscription, url, { since, revision })
      .catch((error: unknown) => this.#fault(error))
      .finally(() => {
        this.#running.delete(subscription.id);
        this.#look();
      });
    this.#running.set(subscription.id, { origin: url.origin, done });
  }

  async #deliver(subscription: Subscription, url: URL, range: DeliveredRange): Promise<void> {
    const { accounts, accessLog, primary, delays, clock = Date.now } = this.#parts;
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
      { isAllowed: this.#isAllowed, stop: this.#stop.signal },
    );
    // What was broken off by ourselves says nothing of the receiver.
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
    await accounts.changeSubscription(id, (now) => {
      // Somebody asked meanwhile to be told again.
      if (now.position !== since) return now;
      if (status === 410) return undefined;
      return isTaken
        ? afterDelivery(now, range)
        : afterFailure(now, range, { now: clock(), reason, ...(delays ? { delays } : {}) });
    });
  }

  async #end(subscription: Subscription): Promise<void> {
    const { accounts, accessLog } = this.#parts;
    await accessLog.record({ ...entryOf(subscription), action: 'subscription.ended', outcome: 'done' });
    await accounts.changeSubscription(subscription.id, () => undefined);
    this.#quiet.delete(subscription.id);
  }

  #fault(error: unknown): void {
    const name = error instanceof Error ? error.name : typeof error;
    this.#parts.log.error({ error: name }, 'a delivery could not be made and is tried again');
  }
}

/** Whom and what a delivery is about. */
function entryOf({ id, app, user, token, record }: Subscription): Omit<AccessEntry, 'action' | 'outcome'> {
  return { app, user, tokenId: token, record, resource: `${recordPart(record)}/subscriptions/${id}` };
}
