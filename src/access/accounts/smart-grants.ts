import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { ownedKeys, putOwned, removeOwned } from '../../store/disk/owner-index.js';
import { AccountError } from './account-ids.js';
import { putAllowance, type Allowance } from './allowances.js';
import { holdToKey, type Vault } from './secret-key.js';
import {
  revokeTokens,
  type AccessToken,
  type Issued,
  type IssuedBearer,
  type TokenRequest,
} from './tokens.js';

/** What a SMART provider keeps of a thing that it issued. */
export interface SmartPayload {
  readonly clientId?: string;
  readonly accountId?: string;
  readonly grantId?: string;
  readonly scope?: string;
  readonly [name: string]: unknown;
}

/** What a person allowed an app by SMART App Launch. */
export interface StoredGrant {
  readonly app: string;
  readonly user: string;
  readonly record?: string | undefined;
  readonly allowed?: string;
  /** The browser with whose session it ends. */
  readonly browserBinding?: string | undefined;
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

interface StoredRow {
  readonly payload: string;
  readonly expires: number;
  readonly consumed?: number;
}

type StoredToken = AccessToken & Issued;

/** The tokens that apps hold are listed and revoked with all others. */
const tokenKinds: ReadonlySet<string> = new Set(['AccessToken', 'ClientCredentials', 'RefreshToken']);
/** Used codes are remembered, so that a second use is noticed. */
const REMEMBERED = 60 * 60 * 1000;
const CODE = 'AuthorizationCode ';
/** Rows that one transaction looks at. */
const PART = 100;
/** What the provider and `newSecret` make; anything else was never issued. */
const ISSUED = /^[\w-]{1,64}$/;

type PutOpaque = (
  tx: WriteTx,
  token: string,
  request: TokenRequest,
  facts: () => Pick<AccessToken, 'scope' | 'grant' | 'isRefresh'> & Issued,
) => IssuedBearer;

/** What a SMART provider stores: tokens among the others, grants by user, app and record, and the rest for minutes. */
export function smartGrants({ key, directory, clock }: Vault, putOpaque: PutOpaque) {
  const rowKey = (kind: string, id: string): string => `${kind} ${key.lookup(`${kind} ${id}`)}`;
  const tokenOf = (tx: ReadTx, id: string): StoredToken | undefined =>
    tx.get('tokens', id) as StoredToken | undefined;

  const putToken = (tx: WriteTx, kind: string, token: string, payload: SmartPayload, lifetime: number) => {
    const { clientId: app = '', accountId: user, grantId, scope } = payload;
    const grant = grantId === undefined ? undefined : grantOf(tx, grantId);
    if (scope === undefined || (grantId !== undefined && (!grant || clock() >= grant.expires))) return false;
    const { record, allowed } = grant ?? {};
    const owner = { app, ...(user !== undefined && { user }), ...(record !== undefined && { record }) };
    // No token outlives what was allowed.
    const left = grant ? Math.min(lifetime, grant.expires - clock()) : lifetime;
    putOpaque(tx, token, { ...owner, allowed, lifetime: left }, () => ({
      scope,
      ...(grantId !== undefined && { grant: grantId }),
      ...(kind === 'RefreshToken' && { isRefresh: true }),
      payload: JSON.stringify(payload),
    }));
    return true;
  };

  return {
    /**
     * Stores what was issued, without its id, which may be a secret. @param seconds until it ends
     * @returns false if the person ended meanwhile what it depends on, or it is there and may be used once only
     */
    put: (kind: string, id: string, { jti: _, ...payload }: SmartPayload, seconds: number) =>
      directory.transact((tx) => {
        holdToKey(tx, key);
        const { clientId: app = '', accountId: user = '', grantId } = payload;
        const expires = clock() + seconds * 1000;
        const row: StoredRow = { payload: JSON.stringify(payload), expires };
        if (kind === 'Grant') {
          putOwned(tx, 'grants', id, { ...grantOf(tx, id), ...row, app, user });
          return true;
        }
        try {
          if (tokenKinds.has(kind)) return putToken(tx, kind, id, payload, seconds * 1000);
        } catch (error) {
          // The app or the user was removed, or the record taken away.
          if (error instanceof AccountError) return false;
          throw error;
        }
        if (grantId !== undefined && !grantOf(tx, grantId)) return false;
        if (kind === 'ReplayDetection' && tx.has('smart', rowKey(kind, id))) return false;
        tx.put('smart', rowKey(kind, id), row);
        return true;
      }),
    /** Binds a grant to a record, to a session, and to what the app was said to need. */
    bind: (
      id: string,
      bound: Pick<StoredGrant, 'record' | 'browserBinding'>,
      app: string,
      needs: Allowance,
    ) =>
      directory.transact((tx) => {
        const allowed = putAllowance(tx, app, needs);
        putOwned(tx, 'grants', id, { ...(grantOf(tx, id) as StoredGrant), ...bound, allowed });
      }),
    grant: (id: string) => directory.read((tx) => grantOf(tx, id)),
    /** Returns what was stored; a token that was used up is returned, one that was revoked is not. */
    find: (kind: string, id: string): SmartPayload | undefined =>
      directory.read((tx) => {
        if (!ISSUED.test(id)) return undefined;
        const isToken = tokenKinds.has(kind);
        const token = isToken ? tokenOf(tx, key.lookup(id)) : undefined;
        if (token?.revoked && token.consumed === undefined) return undefined;
        const row = isToken ? token : kind === 'Grant' ? grantOf(tx, id) : tx.get('smart', rowKey(kind, id));
        const { payload, consumed } = (row ?? {}) as Partial<StoredRow>;
        if (payload === undefined) return undefined;
        return { ...(JSON.parse(payload) as object), jti: id, ...(consumed !== undefined && { consumed }) };
      }),
    /** Uses up a code or refresh token. Its second use ends the grant. @returns whether it was the first */
    consume: (kind: string, id: string) =>
      directory.transact((tx) => {
        const isToken = tokenKinds.has(kind);
        const at = isToken ? key.lookup(id) : rowKey(kind, id);
        const row = tx.get(isToken ? 'tokens' : 'smart', at) as (StoredToken & StoredRow) | undefined;
        if (row && row.consumed === undefined && !row.revoked) {
          const consumed = Math.floor(clock() / 1000);
          // Revoked, so that a backup cannot bring it back.
          if (isToken) tx.put('tokens', at, { ...row, revoked: true, consumed });
          else tx.put('smart', at, { ...row, consumed });
          return true;
        }
        const { grantId } = JSON.parse(row?.payload ?? '{}') as SmartPayload;
        if (grantId !== undefined) endGrant(tx, grantId);
        return false;
      }),
    remove: (kind: string, id: string) =>
      directory.transact((tx) => {
        const at = key.lookup(id);
        if (kind === 'Grant') endGrant(tx, id);
        else if (!tokenKinds.has(kind)) tx.remove('smart', rowKey(kind, id));
        else if (tx.has('tokens', at)) tx.put('tokens', at, { ...tokenOf(tx, at), revoked: true });
      }),
    endGrant: (id: string) =>
      directory.transact((tx) => {
        endGrant(tx, id);
      }),
    /** Returns a secret of the container, which `make` makes once. */
    async secretOnce(name: string, make: () => Promise<string>): Promise<string> {
      const stored = (tx: ReadTx): string | undefined => tx.get('meta', name) as string | undefined;
      const known = directory.read(stored);
      if (known !== undefined) return key.unseal(known, name);
      const made = await make();
      return directory.transact((tx) => {
        holdToKey(tx, key);
        const before = stored(tx);
        if (before === undefined) tx.put('meta', name, key.seal(made, name));
        return before === undefined ? made : key.unseal(before, name);
      });
    },
    /** Removes what has expired; call it regularly. */
    async purge(now = clock()): Promise<void> {
      for (const table of ['smart', 'grants'] as const)
        for (let after: string | undefined; ; await nextTurn()) {
          const range = { limit: PART, ...(after !== undefined && { after }) };
          const part = directory.read((tx) =>
            Array.from(tx.range(table, range), ({ key: at, value }) => ({ at: String(at), value })),
          );
          const ended = part.filter(({ at, value }) => {
            const { expires } = value as StoredRow;
            return expires + (at.startsWith(CODE) ? REMEMBERED : 0) < now;
          });
          if (ended.length > 0)
            await directory.transact((tx) => {
              for (const { at } of ended)
                if (table === 'smart') tx.remove(table, at);
                else removeOwned(tx, table, at);
            });
          after = part.at(-1)?.at;
          if (after === undefined || part.length < PART) break;
        }
    },
  };
}

const grantOf = (tx: ReadTx, id: string): StoredGrant | undefined =>
  tx.get('grants', id) as StoredGrant | undefined;

function endGrant(tx: WriteTx, id: string): void {
  const found = grantOf(tx, id);
  if (!found) return;
  const { record, user } = found;
  revokeTokens(tx, record === undefined ? { user } : { record }, ({ grant }) => grant === id);
  removeOwned(tx, 'grants', id);
}

/** Ends what a user allowed apps for as long as they are signed in. @param browser whose session ends; by default all */
export function endOnline(tx: WriteTx, user: string, browser?: string): void {
  for (const id of ownedKeys(tx, 'grants', { user })) {
    const bound = grantOf(tx, id)?.browserBinding;
    if (bound !== undefined && bound === (browser ?? bound)) endGrant(tx, id);
  }
}
