import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { indexToken, isIndexed, tokenIdsOf, unindexToken, type TokenOwner } from '../disk/token-index.js';
import type { Range } from '../disk/transaction.js';
import { putAllowance, type Allowance } from './allowances.js';
import { newSecret } from './apps.js';
import { AccountError } from './account-error.js';
import { isRecordId } from './account-ids.js';
import { withdrawApproved } from './request-tokens.js';
import { mayOpen, type User } from './users.js';
import { holdToKey, type Vault } from './vault.js';

/** How long an access token lives unless told otherwise: 30 days, in milliseconds. */
export const TOKEN_LIFETIME = 30 * 24 * 60 * 60 * 1000;
/** How long an expired token is still listed, in milliseconds. */
const REMEMBERED = TOKEN_LIFETIME;
/** One of a background app, which asks for one for each record that it comes to: nobody gave it, so nobody looks for it. */
const REMEMBERED_WITHOUT_USER = 24 * 60 * 60 * 1000;

/** An access token as lists show it: its id finds it, but nobody can sign with it. */
export interface AccessToken {
  readonly id: string;
  readonly app: string;
  /** Who gave access; a token of a background app has no user. */
  readonly user?: string;
  readonly record?: string;
  /** Milliseconds since 1970. */
  readonly issued: number;
  readonly expires: number;
  readonly revoked: boolean;
  /**
   * The digest of what its user was shown that the app needs. Undefined for a token that nobody gave, and for one of
   * before there was such a thing: then the manifest of the app alone counts.
   */
  readonly allowed?: string;
}

/** An access token with its secret. */
export interface TokenCredentials extends AccessToken {
  readonly secret: string;
}

/** What a new token is bound to; `lifetime` in milliseconds, default TOKEN_LIFETIME. */
export interface TokenRequest {
  readonly app: string;
  readonly user?: string;
  readonly record?: string;
  readonly lifetime?: number;
  /** What putAllowance gave. */
  readonly allowed?: string | undefined;
}

/** A new token: the only time that it and its secret are seen. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
  readonly secret: string;
  readonly expires: number;
}

/** Access tokens, bound to app, user and record. The token itself is stored nowhere. */
export interface TokenAccounts {
  /**
   * Issues a token, in a transaction that the caller has.
   * @throws AccountError when there is no such app or user, the record id cannot be one, or the user may not open it
   */
  putToken(tx: WriteTx, request: TokenRequest): IssuedToken;
  /** Issues a token and writes it. @throws AccountError as putToken */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /** Revokes a token by its id; it stays listed. @returns whether there was such a token */
  revoke(id: string): Promise<boolean>;
  /** The token, whether or not it is still valid. @param token the `oauth_token` that an app sends */
  token(token: string): AccessToken | undefined;
  /** Whether the token with an id, as a principal has it, can be used now. */
  isTokenAlive(id: string): boolean;
  /** The token with an id, valid or not. */
  tokenById(id: string): AccessToken | undefined;
  /** All tokens, the oldest first, in one go: for commands. */
  listTokens(): AccessToken[];
  /** The tokens in the name of a user, or of everybody, the oldest first; others have their turn while they are read. */
  tokensOf(user: string | undefined): Promise<AccessToken[]>;
  /** A token with its secret, read in a transaction that the caller has; valid or not. */
  tokenCredentials(tx: ReadTx, token: string): TokenCredentials | undefined;
  /**
   * Removes tokens that expired more than 30 days ago, without a user a day ago; to be called now and then.
   * @param now milliseconds since 1970
   */
  purgeExpired(now?: number): Promise<void>;
  /** Removes the tokens of an app or of a user, or those of them that a rule names. */
  removeTokens(tx: WriteTx, owner: TokenOwner, rule?: (token: AccessToken) => boolean): void;
}

/** Tokens that are read before others have their turn: a large container has hundreds of thousands. */
const PART = 100;

type StoredToken = Omit<AccessToken, 'id'> & { readonly secret: string };

/** What can be the id of a token: whoever asks for one may send anything. */
const tokenId = /^[0-9a-f]{32}$/;

const place = (id: string): string => `tokens/${id}/secret`;

/** Whether a token can be used at a time (milliseconds since 1970). */
export function isAlive(token: Pick<AccessToken, 'revoked' | 'expires'>, now: number): boolean {
  return !token.revoked && now < token.expires;
}

/** The access tokens of a data directory. */
export function tokenAccounts(vault: Vault): TokenAccounts {
  const { key, directory, clock } = vault;
  const list = (tx: ReadTx, range?: Range): AccessToken[] =>
    [...tx.range('tokens', range)].map((row) => shown(String(row.key), row.value as StoredToken));
  // The id is a keyed digest of the token, so one key serves both: diagnostic a token and naming it.
  const stored = (tx: ReadTx, id: string): StoredToken | undefined =>
    tokenId.test(id) ? (tx.get('tokens', id) as StoredToken | undefined) : undefined;

  async function* inParts(): AsyncGenerator<AccessToken[]> {
    for (let after: string | undefined; ; await nextTurn()) {
      const range = { limit: PART, ...(after === undefined ? {} : { after }) };
      const part = directory.read((tx) => list(tx, range));
      yield part;
      after = part.at(-1)?.id;
      if (after === undefined || part.length < PART) return;
    }
  }

  async function* inPartsOf(owner: TokenOwner): AsyncGenerator<AccessToken[]> {
    const ids = directory.read((tx) => tokenIdsOf(tx, owner));
    for (let at = 0; at < ids.length; at += PART, await nextTurn())
      yield directory.read((tx) => tokensIn(tx, ids.slice(at, at + PART)));
  }

  const accounts: TokenAccounts = {
    putToken(tx, request) {
      check(tx, request);
      holdToKey(tx, key);
      const now = clock();
      const token = newSecret();
      const secret = newSecret();
      const id = key.lookup(token);
      const { app, user, record, allowed, lifetime = TOKEN_LIFETIME } = request;
      const value: StoredToken = {
        app,
        ...(user === undefined ? {} : { user }),
        ...(record === undefined ? {} : { record }),
        ...(allowed === undefined ? {} : { allowed }),
        issued: now,
        expires: now + lifetime,
        revoked: false,
        secret: key.seal(secret, place(id)),
      };
      tx.put('tokens', id, value);
      indexToken(tx, id, value);
      return { id, token, secret, expires: value.expires };
    },
    issueToken: (request) => directory.transact((tx) => accounts.putToken(tx, request)),
    revoke: (id) =>
      directory.transact((tx) => {
        const found = stored(tx, id);
        if (!found) return false;
        tx.put('tokens', id, { ...found, revoked: true });
        // What the app could still exchange for another one.
        const { app, user, record } = found;
        if (user !== undefined) withdrawApproved(tx, { user, app, record });
        return true;
      }),
    token: (token) =>
      directory.read((tx) => {
        const id = key.lookup(token);
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    isTokenAlive: (id) => {
      const found = directory.read((tx) => stored(tx, id));
      return found !== undefined && isAlive(found, clock());
    },
    tokenById: (id) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    listTokens: () => directory.read(list).sort((a, b) => a.issued - b.issued),
    async tokensOf(user) {
      const found: AccessToken[] = [];
      const parts = user === undefined ? inParts() : inPartsOf({ user });
      for await (const part of parts) found.push(...part);
      return found.sort((a, b) => a.issued - b.issued);
    },
    tokenCredentials(tx, token) {
      const id = key.lookup(token);
      const found = stored(tx, id);
      return found && { ...shown(id, found), secret: key.unseal(found.secret, place(id)) };
    },
    async purgeExpired(now = clock()) {
      for await (const part of inParts()) {
        const ended = part.filter(
          ({ user, expires }) => expires + (user === undefined ? REMEMBERED_WITHOUT_USER : REMEMBERED) < now,
        );
        // Those that an earlier version issued in between, if as many were removed, show in no count.
        const unknown = directory.read((tx) => part.filter((token) => !isIndexed(tx, token.id, token)));
        if (ended.length + unknown.length === 0) continue;
        await directory.transact((tx) => {
          for (const token of unknown) if (stored(tx, token.id)) indexToken(tx, token.id, token);
          for (const token of ended) drop(tx, token);
        });
      }
    },
    removeTokens(tx, owner, rule = () => true) {
      for (const token of tokensIn(tx, tokenIdsOf(tx, owner))) if (rule(token)) drop(tx, token);
    },
  };
  return accounts;
}

/**
 * Revokes the tokens of an app, of a user or for a record, or those of them that a rule names; they stay listed.
 * @returns how many
 */
export function revokeTokens(
  tx: WriteTx,
  owner: TokenOwner,
  rule: (token: AccessToken) => boolean = () => true,
): number {
  let revoked = 0;
  for (const token of tokensIn(tx, tokenIdsOf(tx, owner))) {
    if (token.revoked || !rule(token)) continue;
    tx.put('tokens', token.id, { ...(tx.get('tokens', token.id) as StoredToken), revoked: true });
    revoked++;
  }
  return revoked;
}

/**
 * Binds the tokens of an app that users gave and that are not bound yet to what they were allowed: before its manifest
 * says something else.
 */
export function bindTokens(tx: WriteTx, app: string, allowance: Allowance): void {
  const allowed = putAllowance(tx, app, allowance);
  for (const { id, user, allowed: bound } of tokensIn(tx, tokenIdsOf(tx, { app }))) {
    if (user === undefined || bound !== undefined) continue;
    tx.put('tokens', id, { ...(tx.get('tokens', id) as StoredToken), allowed });
  }
}

function tokensIn(tx: ReadTx, ids: readonly string[]): AccessToken[] {
  return ids.flatMap((id) => {
    const found = tx.get('tokens', id) as StoredToken | undefined;
    return found ? [shown(id, found)] : [];
  });
}

function drop(tx: WriteTx, token: AccessToken): void {
  tx.remove('tokens', token.id);
  unindexToken(tx, token.id, token);
}

function shown(id: string, stored: StoredToken): AccessToken {
  const { app, user, record, allowed, issued, expires, revoked } = stored;
  return {
    id,
    app,
    ...(user === undefined ? {} : { user }),
    ...(record === undefined ? {} : { record }),
    ...(allowed === undefined ? {} : { allowed }),
    issued,
    expires,
    revoked,
  };
}

function check(tx: ReadTx, { app, user, record, lifetime = TOKEN_LIFETIME }: TokenRequest): void {
  if (tx.get('apps', app) === undefined) throw new AccountError(`There is no app ${JSON.stringify(app)}.`);
  if (record !== undefined && !isRecordId(record)) {
    throw new AccountError(`${JSON.stringify(record)} cannot be the id of a record.`);
  }
  if (user !== undefined) checkUser(tx, user, record);
  if (!(lifetime > 0))
    throw new AccountError('The lifetime of a token is a positive number of milliseconds.');
}

function checkUser(tx: ReadTx, id: string, record: string | undefined): void {
  const user = tx.get('users', id) as Omit<User, 'id'> | undefined;
  if (!user) throw new AccountError(`There is no user ${JSON.stringify(id)}.`);
  if (record === undefined || mayOpen(user, record)) return;
  throw new AccountError(
    user.role === 'person'
      ? `Record ${record} is not given to ${id}; give it to them first.`
      : `${id} is ${user.role} and opens no records; tokens for one are issued in the name of a clinician or of a person it is given to.`,
  );
}
