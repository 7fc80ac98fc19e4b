import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import {
  indexToken,
  isIndexed,
  tokenIdsOf,
  unindexToken,
  type TokenOwner,
} from '../../store/disk/token-index.js';
import type { Range } from '../../store/disk/transaction.js';
import { putAllowance, type Allowance } from './allowances.js';
import { newSecret } from './apps.js';
import { AccountError, isRecordId } from './account-ids.js';
import { checkScope } from './scopes.js';
import { withdrawApproved } from './request-tokens.js';
import { openableBy, whyOpen } from './care.js';
import type { User } from './users.js';
import { holdToKey, type Vault } from './secret-key.js';

export const TOKEN_LIFETIME = 30 * 24 * 60 * 60 * 1000;
const REMEMBERED = TOKEN_LIFETIME;
/**
 * Background apps take a token for each record that they visit, and nobody looks for those. By SMART App Launch, an app
 * takes one every hour.
 */
const REMEMBERED_BRIEFLY = 24 * 60 * 60 * 1000;

/** A token as lists show it: the id identifies it, but cannot sign. */
export interface AccessToken {
  readonly id: string;
  readonly app: string;
  readonly user?: string;
  readonly record?: string;
  /** Milliseconds since 1970. */
  readonly issued: number;
  readonly expires: number;
  readonly revoked: boolean;
  /**
   * The digest of the allowance that its user was shown. Undefined when no user gave it, and for old tokens: then
   * only the app's manifest counts.
   */
  readonly allowed?: string;
  /** The administrator who issued it without asking its user; '' for an operator. */
  readonly issuedBy?: string;
  /** SMART scopes of a bearer token (RFC 6750), which cannot sign. */
  readonly scope?: string;
  /** What the user allowed by SMART App Launch, with which the token ends. */
  readonly grant?: string;
  /** It gives other tokens, and opens nothing itself. */
  readonly isRefresh?: boolean;
}

export interface TokenCredentials extends AccessToken {
  readonly secret: string;
}

/** `lifetime` in milliseconds, default TOKEN_LIFETIME. */
export interface TokenRequest {
  readonly app: string;
  readonly user?: string;
  readonly record?: string;
  readonly lifetime?: number;
  readonly allowed?: string | undefined;
  readonly issuedBy?: string | undefined;
}

export interface BearerRequest extends TokenRequest {
  readonly user: string;
  readonly scope: string;
}

/** The token is shown only here. */
export interface IssuedBearer {
  readonly id: string;
  readonly token: string;
  readonly expires: number;
}

/** So is its secret. */
export interface IssuedToken extends IssuedBearer {
  readonly secret: string;
}

/** A recognizable prefix, so that people who come across a leaked token know what it is. */
const BEARER_PREFIX = 'cgb_';

/** The most tokens read before others get a turn: a large container has hundreds of thousands. */
const PART = 100;

/** Of tokens of SMART App Launch: what the provider keeps with it, as JSON, and when the token was used up, in seconds. */
export interface Issued {
  readonly payload?: string;
  readonly consumed?: number;
}

type StoredToken = Omit<AccessToken, 'id'> & { readonly secret?: string } & Issued;

/** The id comes from outside and may be anything. */
const tokenId = /^[0-9a-f]{32}$/;

const sealIdentity = (id: string): string => `tokens/${id}/secret`;

/** @param now milliseconds since 1970 */
export function isAlive(token: Pick<AccessToken, 'revoked' | 'expires'>, now: number): boolean {
  return !token.revoked && now < token.expires;
}

/** Access tokens, bound to app, user and record; only their digests are stored. */
export function tokenAccounts(vault: Vault) {
  const { key, directory, clock } = vault;
  const list = (tx: ReadTx, range?: Range): AccessToken[] =>
    [...tx.range('tokens', range)].map((row) => shown(String(row.key), row.value as StoredToken));
  // The id is a keyed digest of the token, so one table serves both lookups, by token and by id.
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

  const byId = (id: string): AccessToken | undefined => {
    const found = directory.read((tx) => stored(tx, id));
    return found && shown(id, found);
  };
  const put = (
    tx: WriteTx,
    token: string,
    request: TokenRequest,
    proof: (id: string) => Pick<StoredToken, 'secret' | 'scope' | 'grant' | 'isRefresh' | 'payload'>,
  ): IssuedBearer => {
    const now = clock();
    check(tx, request, now);
    holdToKey(tx, key);
    const id = key.lookup(token);
    const { app, user, record, allowed, issuedBy, lifetime = TOKEN_LIFETIME } = request;
    const value: StoredToken = {
      app,
      ...(user === undefined ? {} : { user }),
      ...(record === undefined ? {} : { record }),
      ...(allowed === undefined ? {} : { allowed }),
      ...(issuedBy === undefined ? {} : { issuedBy }),
      issued: now,
      expires: now + lifetime,
      revoked: false,
      ...proof(id),
    };
    tx.put('tokens', id, value);
    indexToken(tx, id, value);
    return { id, token, expires: value.expires };
  };
  const putToken = (tx: WriteTx, request: TokenRequest): IssuedToken => {
    const secret = newSecret();
    const sealed = (id: string) => ({ secret: key.seal(secret, sealIdentity(id)) });
    return { ...put(tx, newSecret(), request, sealed), secret };
  };

  return {
    /**
     * Issues a token.
     * @throws AccountError for an unknown app or user, an invalid record id, or a record that the user may not open
     */
    putToken,
    /** Issues a bearer token. @throws AccountError as putToken, or for scopes that it cannot have */
    putBearer(tx: WriteTx, { scope, ...request }: BearerRequest): IssuedBearer {
      checkScope(scope, request.record !== undefined);
      return put(tx, BEARER_PREFIX + newSecret(), request, () => ({ scope }));
    },
    putOpaque: put,
    /** Returns a bearer token that is alive. The token of a signature, which others may have seen, has no scope. */
    bearer(token: string): AccessToken | undefined {
      const found = byId(key.lookup(token));
      return found?.scope !== undefined && !found.isRefresh && isAlive(found, clock()) ? found : undefined;
    },
    issueToken: (request: TokenRequest) => directory.transact((tx) => putToken(tx, request)),
    /** Revokes a token by id; it stays listed. @returns whether it existed */
    revoke: (id: string) =>
      directory.transact((tx) => {
        const found = stored(tx, id);
        if (!found) return false;
        tx.put('tokens', id, { ...found, revoked: true });
        // Otherwise the app could exchange an approved request, or a refresh token, for a new token.
        const { app, user, record, grant } = found;
        if (user !== undefined) withdrawApproved(tx, { user, app, record });
        if (user !== undefined && grant !== undefined)
          revokeTokens(tx, { user }, (token) => token.grant === grant);
        return true;
      }),
    token: (token: string) => byId(key.lookup(token)),
    isTokenAlive: (id: string): boolean => {
      const found = directory.read((tx) => stored(tx, id));
      return found !== undefined && isAlive(found, clock());
    },
    tokenById: byId,
    listTokens: () => directory.read(list).sort((a, b) => a.issued - b.issued),
    /** Lists the tokens of a user, or all, oldest first; yields to the event loop meanwhile. */
    async tokensOf(user: string | undefined): Promise<AccessToken[]> {
      const found: AccessToken[] = [];
      const parts = user === undefined ? inParts() : inPartsOf({ user });
      for await (const part of parts) found.push(...part);
      return found.sort((a, b) => a.issued - b.issued);
    },
    tokenCredentials(tx: ReadTx, token: string): TokenCredentials | undefined {
      const id = key.lookup(token);
      const found = stored(tx, id);
      if (found?.secret === undefined) return undefined;
      return { ...shown(id, found), secret: key.unseal(found.secret, sealIdentity(id)) };
    },
    /** Removes tokens that expired more than 30 days ago, or a day ago if they have no user or a grant; call it regularly. */
    async purgeExpired(now = clock()): Promise<void> {
      for await (const part of inParts()) {
        const ended = part.filter(
          ({ user, grant, expires }) =>
            expires + (user === undefined || grant !== undefined ? REMEMBERED_BRIEFLY : REMEMBERED) < now,
        );
        // Unindexed tokens of an earlier version go unnoticed if it removed as many: the count stays the same.
        const unknown = directory.read((tx) => part.filter((token) => !isIndexed(tx, token.id, token)));
        if (ended.length + unknown.length === 0) continue;
        await directory.transact((tx) => {
          for (const token of unknown) if (stored(tx, token.id)) indexToken(tx, token.id, token);
          for (const token of ended) drop(tx, token);
        });
      }
    },
    removeTokens(tx: WriteTx, owner: TokenOwner, rule: (token: AccessToken) => boolean = () => true): void {
      for (const token of tokensIn(tx, tokenIdsOf(tx, owner))) if (rule(token)) drop(tx, token);
    },
  };
}

/**
 * Revokes the tokens of an app, a user or a record, or those of them that match the rule; they stay listed.
 * @returns the number of tokens
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

/** Binds an app's tokens from users to what those users allowed, before its manifest changes. */
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

function shown(id: string, { secret: _, payload: __, consumed: ___, ...stored }: StoredToken): AccessToken {
  return { id, ...stored };
}

function check(
  tx: ReadTx,
  { app, user, record, lifetime = TOKEN_LIFETIME }: TokenRequest,
  now: number,
): void {
  if (tx.get('apps', app) === undefined) throw new AccountError(`There is no app ${JSON.stringify(app)}.`);
  if (record !== undefined && !isRecordId(record)) {
    throw new AccountError(`${JSON.stringify(record)} cannot be the id of a record.`);
  }
  if (user !== undefined) checkUser(tx, user, record, now);
  if (!(lifetime > 0))
    throw new AccountError('The lifetime of a token is a positive number of milliseconds.');
}

function checkUser(tx: ReadTx, id: string, record: string | undefined, now: number): void {
  const user = tx.get('users', id) as Omit<User, 'id'> | undefined;
  if (!user) throw new AccountError(`There is no user ${JSON.stringify(id)}.`);
  if (record === undefined || whyOpen(tx, openableBy(tx, user), record, now)) return;
  throw new AccountError(
    user.role === 'person' || user.role === 'clinician'
      ? `Record ${record} is not given to ${id}; chartgraph user grant ${id} --record ${record} gives it to them.`
      : `${id} is ${user.role} and opens no records; tokens for one are issued in the name of a clinician or of a person it is given to.`,
  );
}
