import { randomBytes, randomUUID } from 'node:crypto';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import type { Range } from '../../store/disk/transaction.js';
import { AccountError } from './account-ids.js';
import type { AccessToken } from './tokens.js';
import { holdToKey, type Vault } from './secret-key.js';

/** A delivery that was given up. */
export interface DeadLetter {
  /** The changes after `since`, up to `revision`, were not delivered. */
  readonly since: number;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
}

export const shownDeadLetter = ({ since, revision, at, reason }: DeadLetter) => ({
  since,
  revision,
  time: new Date(at).toISOString(),
  reason,
});

export interface Subscription {
  /** Begins with the record, so that a record's subscriptions can be found by prefix. */
  readonly id: string;
  readonly app: string;
  /** The id of the token that the app subscribed with; deliveries stop when it ends. */
  readonly token: string;
  readonly user?: string | undefined;
  readonly record: string;
  readonly url: string;
  readonly created: number;
  readonly position: number;
  readonly failures: number;
  /** No delivery is tried before this time, in milliseconds since 1970. */
  readonly notBefore: number;
  readonly reason?: string | undefined;
  readonly deadLetters: readonly DeadLetter[];
}

export type SubscriptionRequest = Pick<
  Subscription,
  'app' | 'token' | 'user' | 'record' | 'url' | 'position'
>;

/** An app needs one address for a record, and a second while it moves. */
export const MAX_SUBSCRIPTIONS = 5;
const PREFIX = 'whsec_';

type Stored = Omit<Subscription, 'id'> & { readonly secret: string };

const TABLE = 'subscriptions';
const sealIdentity = (id: string): string => `${TABLE}/${id}/secret`;

/** Subscriptions, with the secrets that sign deliveries. */
export function subscriptionAccounts({ directory, key, clock }: Vault) {
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
    /**
     * Stores a subscription. An existing one (same app, record and address) is bound to the new token and continues.
     * @returns the subscription; its secret only when it is new
     * @throws AccountError when the app has reached its limit for the record
     */
    subscribe: (request: SubscriptionRequest) =>
      directory.transact((tx) => {
        // The delivery loop removes those that are over; none of them continues.
        const own = list(tx, { record: request.record, app: request.app }).filter(
          (each) => !isOver(tx, each),
        );
        const same = own.find(({ url }) => url === request.url);
        if (same) return { subscription: renew(tx, same, request.token, request.user) };
        if (own.length >= MAX_SUBSCRIPTIONS)
          throw new AccountError(
            `This app has ${MAX_SUBSCRIPTIONS} subscriptions to the record, which is the most; remove one first.`,
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
          secret: key.seal(secret, sealIdentity(id)),
        };
        tx.put(TABLE, id, value);
        return { subscription: shown(id, value), secret };
      }),
    subscription: (id: string) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    listSubscriptions: (of?: { readonly record: string; readonly app?: string }) =>
      directory.read((tx) => list(tx, of)),
    /** Returns up to `most` subscriptions in the order of ids, from the start or after an id. */
    subscriptionsAfter: (id: string | undefined, most: number) =>
      directory.read((tx) => rows(tx, { ...(id === undefined ? {} : { after: id }), limit: most })),
    subscriptionSecret: (id: string) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && key.unseal(found.secret, sealIdentity(id));
      }),
    /** Changes it, or removes it when `change` returns undefined. @returns the result; undefined when gone or over */
    changeSubscription: (id: string, change: (now: Subscription) => Subscription | undefined) =>
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

function isOver(tx: ReadTx, { token }: Pick<Subscription, 'token'>): boolean {
  const found = tx.get('tokens', token) as Pick<AccessToken, 'revoked'> | undefined;
  return found?.revoked ?? true;
}

const idPrefix = (record: string): string => `${record}.`;

function shown(id: string, { secret: _, ...rest }: Stored): Subscription {
  return { id, ...rest };
}
