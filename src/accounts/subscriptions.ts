import { randomBytes, randomUUID } from 'node:crypto';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import type { Range } from '../disk/transaction.js';
import { AccountError } from './account-error.js';
import type { AccessToken } from './tokens.js';
import { holdToKey, type Vault } from './vault.js';

/** A delivery that was given up: what the app was not told. */
export interface DeadLetter {
  /** The changes after this one, up to the other. */
  readonly since: number;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why the last attempt failed, in a word. */
  readonly reason: string;
}

/** It as JSON, for apps and for commands. */
export const shownDeadLetter = ({ since, revision, at, reason }: DeadLetter) => ({
  since,
  revision,
  time: new Date(at).toISOString(),
  reason,
});

/** That an app is to be told, at an address, when a record changes. */
export interface Subscription {
  /** Begins with the record, so that those to a record are found without the others. */
  readonly id: string;
  readonly app: string;
  /** The id of the token that the app subscribed with: no longer than that may be used is anything delivered. */
  readonly token: string;
  readonly user?: string | undefined;
  readonly record: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** All changes up to this one were delivered. */
  readonly position: number;
  /** Attempts of the next delivery that failed. */
  readonly failures: number;
  /** Before this nothing is tried, in milliseconds since 1970. */
  readonly notBefore: number;
  /** Why the last attempt failed. */
  readonly reason?: string | undefined;
  /** The newest last. */
  readonly deadLetters: readonly DeadLetter[];
}

/** What a new subscription is made of; `position` is the change after which it begins. */
export type SubscriptionRequest = Pick<
  Subscription,
  'app' | 'token' | 'user' | 'record' | 'url' | 'position'
>;

/** Subscriptions, with the secrets that deliveries are signed with. */
export interface SubscriptionAccounts {
  /**
   * Stores a subscription. That of the same app to the same record and address is bound to the new token, and goes on
   * where it was.
   * @returns it, with its secret where it is new: the only time that the secret is seen
   * @throws AccountError when the app has as many to the record as it may
   */
  subscribe(request: SubscriptionRequest): Promise<{ subscription: Subscription; secret?: string }>;
  subscription(id: string): Subscription | undefined;
  /** All, or those to a record, of all apps or one; the oldest first. */
  listSubscriptions(of?: { readonly record: string; readonly app?: string }): Subscription[];
  /** So many at most, in the order of ids: the first, or those that come after an id. */
  subscriptionsAfter(id: string | undefined, most: number): Subscription[];
  /** The secret of a subscription, as its receiver has it. */
  subscriptionSecret(id: string): string | undefined;
  /** Changes a subscription; undefined removes it. @returns what it is then; undefined when there is none, or it is over */
  changeSubscription(
    id: string,
    change: (now: Subscription) => Subscription | undefined,
  ): Promise<Subscription | undefined>;
}

/** An app needs one address for a record, and another one while it moves. */
export const MOST_SUBSCRIPTIONS = 5;
/** How the secrets of Standard Webhooks begin. */
const PREFIX = 'whsec_';

type Stored = Omit<Subscription, 'id'> & { readonly secret: string };

const TABLE = 'subscriptions';
const place = (id: string): string => `${TABLE}/${id}/secret`;

/** The subscriptions of a data directory. */
export function subscriptionAccounts({ directory, key, clock }: Vault): SubscriptionAccounts {
  const stored = (tx: ReadTx, id: string): Stored | undefined => tx.get(TABLE, id) as Stored | undefined;
  const rows = (tx: ReadTx, range: Range): Subscription[] =>
    Array.from(tx.range(TABLE, range), ({ key: id, value }) => shown(String(id), value as Stored));
  const list = (tx: ReadTx, of?: { record: string; app?: string }): Subscription[] =>
    rows(tx, of ? { prefix: idPrefix(of.record) } : {})
      .filter(({ app, record }) => !of || (app === (of.app ?? app) && record === of.record))
      .sort((a, b) => a.created - b.created);
  const renew = (
    tx: WriteTx,
    { id }: Subscription,
    token: string,
    user: string | undefined,
  ): Subscription => {
    const renewed = { ...(stored(tx, id) as Stored), token, user };
    tx.put(TABLE, id, renewed);
    return shown(id, renewed);
  };
  return {
    subscribe: (request) =>
      directory.transact((tx) => {
        // Those that are over are taken away by whoever delivers, and nobody goes on with them.
        const own = list(tx, { record: request.record, app: request.app }).filter(
          (each) => !isOver(tx, each),
        );
        const same = own.find(({ url }) => url === request.url);
        if (same) return { subscription: renew(tx, same, request.token, request.user) };
        if (own.length >= MOST_SUBSCRIPTIONS)
          throw new AccountError(
            `This app has ${MOST_SUBSCRIPTIONS} subscriptions to the record, which is the most; remove one first.`,
          );
        holdToKey(tx, key);
        const id = idPrefix(request.record) + randomUUID();
        const secret = PREFIX + randomBytes(32).toString('base64');
        const value: Stored = {
          ...request,
          created: clock(),
          failures: 0,
          notBefore: 0,
          deadLetters: [],
          secret: key.seal(secret, place(id)),
        };
        tx.put(TABLE, id, value);
        return { subscription: shown(id, value), secret };
      }),
    subscription: (id) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    listSubscriptions: (of) => directory.read((tx) => list(tx, of)),
    subscriptionsAfter: (id, most) =>
      directory.read((tx) => rows(tx, { ...(id === undefined ? {} : { after: id }), limit: most })),
    subscriptionSecret: (id) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && key.unseal(found.secret, place(id));
      }),
    changeSubscription: (id, change) =>
      directory.transact((tx) => {
        const found = stored(tx, id);
        if (!found) return undefined;
        const changed = change(shown(id, found));
        if (!changed) {
          tx.remove(TABLE, id);
          return undefined;
        }
        if (isOver(tx, found)) return undefined;
        const { id: _, ...value } = changed;
        tx.put(TABLE, id, { ...value, secret: found.secret } satisfies Stored);
        return changed;
      }),
  };
}

/** Whether nothing is delivered any more, since the token that a subscription is bound to was revoked or removed. */
function isOver(tx: ReadTx, { token }: Pick<Subscription, 'token'>): boolean {
  const found = tx.get('tokens', token) as Pick<AccessToken, 'revoked'> | undefined;
  return found?.revoked ?? true;
}

const idPrefix = (record: string): string => `${record}.`;

function shown(id: string, { secret: _, ...rest }: Stored): Subscription {
  return { id, ...rest };
}
