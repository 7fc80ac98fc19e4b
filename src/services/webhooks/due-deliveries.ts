import type { Accounts } from '../../access/accounts/accounts.js';
import type { Subscription, DeadLetter } from '../../access/accounts/subscriptions.js';
import { isAlive } from '../../access/accounts/tokens.js';
import { liesAhead } from '../../store/disk/clock.js';
import type { SubscriptionCounts } from '../metrics/webhook-metrics.js';
import type { Ontology } from '../../model/ontology/model.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri, recordPath } from '../../records/resource-paths.js';
import { changesSince, lastRevision } from '../../store/change-log.js';
import { atOnce } from '../../store/steps.js';
import { lastChangeUnder, untold } from '../../store/past.js';
import { pastStores } from '../../store/past-store.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { appOrigins, type AppOrigins } from '../../http/cors.js';
import { callsOfApps, type CallsOfApp } from '../../http/authorize.js';
import { closedViews, type ClosedViews } from '../../http/closed-view.js';
import { readableBy } from '../../http/handlers/changes-of-record.js';
import { isLocal, receiverUrl } from './receiver-address.js';

export interface DueParts {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly accounts: Pick<
    Accounts,
    'listSubscriptions' | 'subscriptionsAfter' | 'tokenById' | 'isTokenUsable' | 'closedTo'
  >;
  readonly clock: () => number;
}

export type DueDelivery = DeliveredRange & { readonly url: URL };

const READ_AT_ONCE = 50;
/** Rest between scans, in multiples of a scan's duration: they take a fiftieth of a processor. */
const REST_FACTOR = 50;

/** Finds due subscriptions: of changed records after each commit, others (retries, replays) now and then. */
export class DueDeliveries {
  readonly #isDemo: boolean;
  readonly #origins: AppOrigins;
  readonly #callsOfApp: CallsOfApp;
  readonly #views: ClosedViews;
  #quiet = new Map<string, number>();
  #seen: number;
  #rest = 0;
  #counts: SubscriptionCounts = { all: 0, failing: 0, deadLetters: 0 };

  constructor(private readonly parts: DueParts) {
    const { primary, ontology } = parts;
    this.#isDemo = isLocal(new URL(primary.base));
    this.#origins = appOrigins(primary);
    this.#callsOfApp = callsOfApps(ontology, primary);
    this.#views = closedViews({ ...parts, past: pastStores(primary, undefined) });
    this.#seen = primary.directory.read(lastRevision);
  }

  get counts(): SubscriptionCounts {
    return this.#counts;
  }

  /** Yields due subscriptions in small groups, often empty. Take all before asking again. */
  *find(): Generator<readonly Subscription[]> {
    const { accounts, primary } = this.parts;
    const { paths, revision, complete } = primary.directory.read((tx) => changesSince(tx, this.#seen));
    this.#seen = revision;
    if (performance.now() >= this.#rest || !complete) {
      yield* this.#inAll();
      return;
    }
    const records = new Set(Array.from(paths, (path) => recordPath(path, '')?.recordId));
    for (const record of records) {
      if (record !== undefined) yield accounts.listSubscriptions({ record }).filter((each) => this.of(each));
    }
  }

  *#inAll(): Generator<readonly Subscription[]> {
    let taken = 0;
    let [all, failing, deadLetters] = [0, 0, 0];
    // Other processes remove subscriptions: forget those that are gone.
    const quiet = new Map<string, number>();
    for (let after: string | undefined, isMore = true; isMore;) {
      const began = performance.now();
      const some = this.parts.accounts.subscriptionsAfter(after, READ_AT_ONCE);
      const due = some.filter((each) => this.of(each));
      all += some.length;
      for (const each of some) {
        if (each.failures > 0) failing++;
        deadLetters += each.deadLetters.length;
        const known = this.#quiet.get(each.id);
        if (known !== undefined) quiet.set(each.id, known);
      }
      taken += performance.now() - began;
      yield due;
      after = some.at(-1)?.id;
      isMore = some.length === READ_AT_ONCE;
    }
    this.#quiet = quiet;
    this.#counts = { all, failing, deadLetters };
    this.#rest = performance.now() + REST_FACTOR * taken;
  }

  /** Returns the due delivery; `ended` if none will ever be due; undefined for none now. */
  of(subscription: Subscription): DueDelivery | 'ended' | undefined {
    const { id, app, record, position, notBefore } = subscription;
    const { accounts, ontology, clock } = this.parts;
    const token = accounts.tokenById(subscription.token);
    const primary = this.#views(record, { app, user: token?.user })?.primary ?? this.parts.primary;
    if (!token || token.revoked || !primary.has(recordIri(primary.base, record))) return 'ended';
    const url = receiverUrl(subscription.url, this.#isDemo);
    if (!url || !this.#origins.isOf(app, url.origin)) return 'ended';
    // It resumes with the app's next token.
    if (liesAhead(notBefore, clock(), MAX_DELAY) || !isAlive(token, clock())) return undefined;
    if (!accounts.isTokenUsable(token.id, record)) return undefined;
    return primary.directory.read((tx) => {
      const last = primary.revision(recordPart(record));
      const reason = untold(tx, position);
      // A restore has undone what the app was told last.
      if (reason?.why === 'lost') return { since: position, revision: Math.max(last, reason.from), url };
      if (last <= Math.max(position, this.#quiet.get(id) ?? 0)) return undefined;
      // History is gone: the app finds out when it asks for the changes.
      if (reason) return { since: position, revision: last, url };
      const mayRead = readableBy(ontology, this.#callsOfApp(app, token.allowed));
      const lastChange = atOnce(lastChangeUnder(tx, recordPart(record), position, mayRead));
      if (lastChange !== undefined) return { since: position, revision: lastChange, url };
      this.#quiet.set(id, last);
      return undefined;
    });
  }

  get known(): number {
    return this.#quiet.size;
  }

  forget({ id }: Subscription): void {
    this.#quiet.delete(id);
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds until each retry; after the last, three days in all, the delivery is dead. */
const DELAYS: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

const MAX_DELAY = Math.max(...DELAYS);

/** Older ones are dropped; at most one arrives in three days. */
const MAX_DEAD_LETTERS = 20;

export type DeliveredRange = Pick<DeadLetter, 'since' | 'revision'>;

export function afterDelivery(subscription: Subscription, { revision }: DeliveredRange): Subscription {
  const { reason: _, ...others } = subscription;
  return { ...others, position: revision, failures: 0, notBefore: 0 };
}

/** Schedules a retry after a failed delivery, or adds a dead letter. @param now milliseconds since 1970 */
export function afterFailure(
  subscription: Subscription,
  range: DeliveredRange,
  { now, reason, delays = DELAYS }: { now: number; reason: string; delays?: readonly number[] },
): Subscription {
  const delay = delays[subscription.failures];
  const failures = subscription.failures + 1;
  if (delay !== undefined) return { ...subscription, failures, reason, notBefore: now + delay };
  const dead = { ...range, at: now, reason };
  const deadLetters = [...subscription.deadLetters, dead].slice(-MAX_DEAD_LETTERS);
  return { ...afterDelivery(subscription, range), reason, deadLetters };
}

/** Returns a subscription that repeats all changes after one. */
export function replayed(subscription: Subscription, since: number): Subscription {
  const { reason: _, ...others } = subscription;
  const deadLetters = subscription.deadLetters.filter(({ revision }) => revision <= since);
  return { ...others, position: since, failures: 0, notBefore: 0, deadLetters };
}
