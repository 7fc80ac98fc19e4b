import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { ownedKeys, putOwned, removeOwned, type Owner } from '../../store/disk/owner-index.js';
import { liesAhead } from '../../store/disk/clock.js';
import { putAllowance, type Allowance } from './allowances.js';
import { newSecret } from './apps.js';
import type { AccessGiven } from './consents.js';
import type { TokenCredentials } from './tokens.js';
import { holdToKey, type Vault } from './secret-key.js';

export const REQUEST_LIFETIME = 10 * 60 * 1000;

/** A request as the deciding person sees it. */
export interface AccessRequest {
  readonly app: string;
  /** The record that the app named; otherwise the person chooses. */
  readonly record?: string;
}

export type Unopened = 'gone' | 'denied' | 'foreign';

export interface Approval {
  readonly user: string;
  readonly record: string;
  /** Digest of the text that they saw: other wording needs a new decision. */
  readonly wording: string;
  readonly allowed: Allowance;
}

export interface ApprovedRequest extends Omit<Approval, 'allowed'> {
  readonly app: string;
  readonly allowed: string | undefined;
}

interface StoredRequest extends AccessRequest {
  readonly issued: number;
  readonly expires: number;
  readonly secret: string;
  readonly browserBinding?: string;
  readonly user?: string;
  readonly denied?: true;
  readonly approved?: Omit<ApprovedRequest, 'app'> & { readonly verifier: string };
}

const sealIdentity = (id: string): string => `requests/${id}/secret`;

/** Request tokens, which an app holds while a person decides. Only digests of tokens and verifiers are stored. */
export function requestTokens({ key, directory, clock }: Vault) {
  const idOf = (token: string): string => key.lookup(`request ${token}`);
  const markOf = (id: string, verifier: string): string => key.lookup(`verifier ${id} ${verifier}`);
  const stored = (tx: ReadTx, id: string): StoredRequest | undefined =>
    tx.get('requests', id) as StoredRequest | undefined;

  const isOver = ({ expires }: StoredRequest): boolean => !liesAhead(expires, clock(), 2 * REQUEST_LIFETIME);

  const change = <T>(
    token: string,
    browserBinding: string,
    work: (tx: WriteTx, id: string, request: StoredRequest) => T,
  ): Promise<T | Unopened> =>
    directory.transact((tx) => {
      const id = idOf(token);
      const request = stored(tx, id);
      if (!request || isOver(request)) return 'gone';
      // Checked first: other browsers must not learn the outcome.
      if (request.browserBinding !== undefined && request.browserBinding !== browserBinding) return 'foreign';
      if (request.denied) return 'denied';
      return work(tx, id, request);
    });

  return {
    issueRequest: ({ app, record }: AccessRequest) =>
      directory.transact((tx) => {
        holdToKey(tx, key);
        const [token, secret, now] = [newSecret(), newSecret(), clock()];
        const id = idOf(token);
        const request: StoredRequest = {
          app,
          ...(record === undefined ? {} : { record }),
          issued: now,
          expires: now + REQUEST_LIFETIME,
          secret: key.seal(secret, sealIdentity(id)),
        };
        putOwned(tx, 'requests', id, request);
        return { token, secret };
      }),
    requestCredentials(tx: ReadTx, token: string): TokenCredentials | undefined {
      const id = idOf(token);
      const found = stored(tx, id);
      if (!found) return undefined;
      const { app, issued, expires, denied = false } = found;
      return {
        id,
        app,
        issued,
        expires,
        revoked: denied,
        secret: key.unseal(found.secret, sealIdentity(id)),
      };
    },
    /** Opens a request and binds it to the first browser, and to the first `user` signed in there. */
    async openRequest(
      token: string,
      browserBinding: string,
      user?: string,
    ): Promise<AccessRequest | Unopened> {
      // Opening it again needs no write.
      const known = directory.read((tx) => stored(tx, idOf(token)));
      const isBound = known?.browserBinding === browserBinding && (user === undefined || known.user === user);
      if (known && isBound && !known.denied && !isOver(known)) return shown(known);
      return change(token, browserBinding, (tx, id, request) => {
        // Two people can share a session id, and with it one browser.
        if (user !== undefined && (request.user ?? user) !== user) return 'foreign' as const;
        putOwned(tx, 'requests', id, { ...request, browserBinding, ...(user === undefined ? {} : { user }) });
        return shown(request);
      });
    },
    /** Approves it. The same person may approve again until it is exchanged; each time makes a new verifier. */
    approveRequest: (token: string, browserBinding: string, approval: Approval) =>
      change(token, browserBinding, (tx, id, request) => {
        if (request.browserBinding === undefined) return 'gone' as const;
        if (request.record !== undefined && request.record !== approval.record) return 'foreign' as const;
        if (request.user !== undefined && request.user !== approval.user) return 'foreign' as const;
        const verifier = newSecret();
        const allowed = putAllowance(tx, request.app, approval.allowed);
        const approved = { ...approval, allowed, verifier: markOf(id, verifier) };
        putOwned(tx, 'requests', id, { ...request, approved });
        return { verifier };
      }),
    denyRequest: (token: string, browserBinding: string) =>
      change(token, browserBinding, (tx, id, { approved: withdrawn, ...request }) => {
        putOwned(tx, 'requests', id, { ...request, browserBinding, denied: true });
        return shown(request);
      }),
    /** Removes an approved request in the transaction that issues the access token. */
    takeApproved(tx: WriteTx, token: string, app: string, verifier: string): ApprovedRequest | undefined {
      const id = idOf(token);
      const request = stored(tx, id);
      const approved = request?.approved;
      if (!approved || request.denied || request.app !== app || isOver(request)) return undefined;
      // Both are keyed digests, so comparison time reveals nothing about the verifier.
      if (approved.verifier !== markOf(id, verifier)) return undefined;
      removeOwned(tx, 'requests', id);
      const { user, record, wording, allowed } = approved;
      return { app, user, record, wording, allowed };
    },
    withdrawApproved,
    forgetExpiredRequests: () =>
      directory.transact((tx) => {
        for (const { key: id, value } of tx.range('requests')) {
          if (isOver(value as StoredRequest)) removeOwned(tx, 'requests', String(id));
        }
      }),
  };
}

/** Removes the requests and grants of an app. */
export function removeRequests(tx: WriteTx, app: string): void {
  for (const table of ['requests', 'grants'] as const)
    for (const id of ownedKeys(tx, table, { app })) removeOwned(tx, table, id);
}

export function withdrawApproved(tx: WriteTx, { user, app, record }: AccessGiven): void {
  removeApproved(tx, { user }, (approved) => approved.app === app && approved.record === record);
}

/** Removes what a user approved or what was approved for a record, so that no app can exchange it for a token. */
export function removeApproved(
  tx: WriteTx,
  owner: Exclude<Owner, { app: string }>,
  rule: (approved: { readonly app: string; readonly record?: string | undefined }) => boolean = () => true,
): void {
  for (const id of ownedKeys(tx, 'requests', owner)) {
    const { app, approved } = tx.get('requests', id) as StoredRequest;
    if (rule({ app, record: approved?.record })) removeOwned(tx, 'requests', id);
  }
  for (const id of ownedKeys(tx, 'grants', owner))
    if (rule(tx.get('grants', id) as { app: string; record?: string })) removeOwned(tx, 'grants', id);
}

function shown({ app, record }: StoredRequest | AccessRequest): AccessRequest {
  return record === undefined ? { app } : { app, record };
}
