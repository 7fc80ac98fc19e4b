import type { Accounts } from '../../accounts/accounts.js';
import type { Subscription } from '../../accounts/subscriptions.js';
import { isAlive } from '../../accounts/tokens.js';
import { liesAhead } from '../../disk/lies-ahead.js';
import type { SubscriptionCounts } from '../../metrics/webhook-metrics.js';
import type { Ontology } from '../../ontology/model.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri, recordPath } from '../../records/resource-paths.js';
import { changesSince, lastRevision } from '../../store/change-log.js';
import { lastChangeUnder, untold } from '../../store/past.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { appOrigins, type AppOrigins } from '../app-origins.js';
import { callsOfApps, type CallsOfApp } from '../app-requirements.js';
import { readableBy } from '../handlers/changes-of-record.js';
import { LONGEST_DELAY, type DeliveredRange } from './delivery-schedule.js';
import { isLocal, receiverUrl } from './receiver-address.js';

/** What finding is done with. */
export interface DueParts {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly accounts: Pick<Accounts, 'listSubscriptions' | 'subscriptionsAfter' | 'tokenById'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** A delivery that is to be made now, and where to. */
export type DueDelivery = DeliveredRange & { readonly url: URL };

/** Subscriptions that are read together. */
const READ_AT_ONCE = 50;
/**
 * Between two looks at all subscriptions is so many times what one takes: however many there are, looking takes a
 * fiftieth of a processor.
 */
const REST = 50;

/**
 * Finds the subscriptions that something is to be done for. Those to records that have changed are looked at with the
 * next commit, all others now and then: they wait for another attempt, were asked to tell again, or have ended.
 */
export class DueDeliveries {
  readonly #parts: DueParts;
  readonly #isDemo: boolean;
  readonly #origins: AppOrigins;
  readonly #callsOfApp: CallsOfApp;
  /** Up to which change there was nothing to tell, by subscription. */
  #quiet = new Map<string, number>();
  /** Up to which change it is known which records have changed. */
  #seen: number;
  /** Milliseconds of `performance.now` before which not all are looked at again. */
  #rest = 0;
  #counts: SubscriptionCounts = { all: 0, failing: 0, deadLetters: 0 };

  constructor(parts: DueParts) {
    const { primary, ontology } = parts;
    this.#parts = parts;
    this.#isDemo = isLocal(new URL(primary.base));
    this.#origins = appOrigins(primary);
    this.#callsOfApp = callsOfApps(ontology, primary);
    this.#seen = primary.directory.read(lastRevision);
  }

  /** How many there were when all were last looked at. */
  get counts(): SubscriptionCounts {
    return this.#counts;
  }

  /** The subscriptions that something is to be done for, a few at a time and often none. Take all before asking again. */
  *find(): Generator<readonly Subscription[]> {
    const { accounts, primary } = this.#parts;
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
    // Apps remove subscriptions in other processes: only those that are still there are known on.
    const quiet = new Map<string, number>();
    for (let after: string | undefined, isMore = true; isMore;) {
      const began = performance.now();
      const some = this.#parts.accounts.subscriptionsAfter(after, READ_AT_ONCE);
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
    this.#rest = performance.now() + REST * taken;
  }

  /** What is to be delivered; `ended` when nothing ever will be; undefined while there is nothing. */
  of(subscription: Subscription): DueDelivery | 'ended' | undefined {
    const { id, app, record, position, notBefore } = subscription;
    const { primary, accounts, ontology, clock } = this.#parts;
    const token = accounts.tokenById(subscription.token);
    if (!token || token.revoked || !primary.has(recordIri(primary.base, record))) return 'ended';
    const url = receiverUrl(subscription.url, this.#isDemo);
    if (!url || !this.#origins.isOf(app, url.origin)) return 'ended';
    // An app that lets its token expire goes on where it was with the next one.
    if (liesAhead(notBefore, clock(), LONGEST_DELAY) || !isAlive(token, clock())) return undefined;
    return primary.directory.read((tx) => {
      const last = primary.revision(recordPart(record));
      const reason = untold(tx, position);
      // What the app was told last is not so any more, whether or not something has changed since.
      if (reason?.why === 'lost') return { since: position, revision: Math.max(last, reason.from), url };
      if (last <= Math.max(position, this.#quiet.get(id) ?? 0)) return undefined;
      // Nobody knows any more what there was to tell: the app finds out when it asks for the changes.
      if (reason) return { since: position, revision: last, url };
      const mayRead = readableBy(ontology, this.#callsOfApp(app, token.allowed));
      const told = lastChangeUnder(tx, recordPart(record), position, mayRead);
      if (told !== undefined) return { since: position, revision: told, url };
      this.#quiet.set(id, last);
      return undefined;
    });
  }

  /** How many subscriptions it knows something of. */
  get known(): number {
    return this.#quiet.size;
  }

  /** Forgets a subscription that has ended. */
  forget({ id }: Subscription): void {
    this.#quiet.delete(id);
  }
}
