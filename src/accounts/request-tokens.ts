import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { liesAhead } from '../disk/lies-ahead.js';
import { putAllowance, type Allowance } from './allowances.js';
import { newSecret } from './apps.js';
import type { AccessGiven } from './consents.js';
import type { TokenCredentials } from './tokens.js';
import { holdToKey, type Vault } from './vault.js';

/** How long an app may take from asking to exchanging: 10 minutes, in milliseconds. */
export const REQUEST_LIFETIME = 10 * 60 * 1000;

/** What an app asks for, as the person who decides sees it. */
export interface AccessRequest {
  readonly app: string;
  /** The record that the app named; without one the person chooses. */
  readonly record?: string;
}

/** Why a browser is shown no request. */
export type Unopened = 'gone' | 'denied' | 'foreign';

/** What a person allowed. */
export interface Approval {
  readonly user: string;
  readonly record: string;
  /** Digest of what they were shown: another wording later is another question. */
  readonly wording: string;
  /** What the app needs by what they were shown. */
  readonly allowed: Allowance;
}

/** What an exchange finds: who was let into which record. */
export interface ApprovedRequest extends Omit<Approval, 'allowed'> {
  readonly app: string;
  /** Digest of what was allowed. */
  readonly allowed: string | undefined;
}

/** Request tokens: what an app holds while a person decides. Neither they nor their verifiers are stored. */
export interface RequestTokens {
  issueRequest(request: AccessRequest): Promise<{ readonly token: string; readonly secret: string }>;
  /** A request token as a signature is checked with it; expired or not. */
  requestCredentials(tx: ReadTx, token: string): TokenCredentials | undefined;
  /**
   * Opens a request in a browser; the first browser that does has it for itself, and so has its first user.
   * @param user who is signed in there
   */
  openRequest(token: string, browserBinding: string, user?: string): Promise<AccessRequest | Unopened>;
  /**
   * Allows it. The same person may do so again until the app has exchanged it, which makes a new verifier.
   * @returns the verifier
   */
  approveRequest(
    token: string,
    browserBinding: string,
    approval: Approval,
  ): Promise<{ verifier: string } | Unopened>;
  /** Denies it for good. */
  denyRequest(token: string, browserBinding: string): Promise<AccessRequest | Unopened>;
  /** Takes an approved request away, in the transaction that issues the access token. */
  takeApproved(tx: WriteTx, token: string, app: string, verifier: string): ApprovedRequest | undefined;
  /** Takes away what an app could still exchange for an access that ends now. */
  withdrawApproved(tx: WriteTx, access: AccessGiven): void;
  forgetExpiredRequests(): Promise<void>;
}

interface StoredRequest extends AccessRequest {
  readonly issued: number;
  readonly expires: number;
  readonly secret: string;
  /** The browser that opened it first. */
  readonly browserBinding?: string;
  /** Who was the first to be signed in there. */
  readonly user?: string;
  readonly denied?: true;
  readonly approved?: Omit<ApprovedRequest, 'app'> & { readonly verifier: string };
}

const place = (id: string): string => `requests/${id}/secret`;

/** The request tokens of a data directory. */
export function requestTokens({ key, directory, clock }: Vault): RequestTokens {
  const idOf = (token: string): string => key.lookup(`request ${token}`);
  const markOf = (id: string, verifier: string): string => key.lookup(`verifier ${id} ${verifier}`);
  const stored = (tx: ReadTx, id: string): StoredRequest | undefined =>
    tx.get('requests', id) as StoredRequest | undefined;

  const isOver = ({ expires }: StoredRequest): boolean => !liesAhead(expires, clock(), 2 * REQUEST_LIFETIME);

  /** Changes a request that this browser may see. */
  const change = <T>(
    token: string,
    browserBinding: string,
    work: (tx: WriteTx, id: string, request: StoredRequest) => T,
  ): Promise<T | Unopened> =>
    directory.transact((tx) => {
      const id = idOf(token);
      const request = stored(tx, id);
      if (!request || isOver(request)) return 'gone';
      // Whose request it is comes first: what became of it is not for others.
      if (request.browserBinding !== undefined && request.browserBinding !== browserBinding) return 'foreign';
      if (request.denied) return 'denied';
      return work(tx, id, request);
    });

  return {
    issueRequest: ({ app, record }) =>
      directory.transact((tx) => {
        holdToKey(tx, key);
        const [token, secret, now] = [newSecret(), newSecret(), clock()];
        const id = idOf(token);
        const request: StoredRequest = {
          app,
          ...(record === undefined ? {} : { record }),
          issued: now,
          expires: now + REQUEST_LIFETIME,
          secret: key.seal(secret, place(id)),
        };
        tx.put('requests', id, request);
        return { token, secret };
      }),
    requestCredentials(tx, token) {
      const id = idOf(token);
      const found = stored(tx, id);
      if (!found) return undefined;
      const { app, issued, expires, denied = false } = found;
      return { id, app, issued, expires, revoked: denied, secret: key.unseal(found.secret, place(id)) };
    },
    async openRequest(token, browserBinding, user) {
      // Opening it again is only a look.
      const known = directory.read((tx) => stored(tx, idOf(token)));
      const isBound = known?.browserBinding === browserBinding && (user === undefined || known.user === user);
      if (known && isBound && !known.denied && !isOver(known)) return shown(known);
      return change(token, browserBinding, (tx, id, request) => {
        // Two who came by one session id are one browser, but not one person.
        if (user !== undefined && (request.user ?? user) !== user) return 'foreign' as const;
        tx.put('requests', id, { ...request, browserBinding, ...(user === undefined ? {} : { user }) });
        return shown(request);
      });
    },
    approveRequest: (token, browserBinding, approval) =>
      change(token, browserBinding, (tx, id, request) => {
        if (request.browserBinding === undefined) return 'gone' as const;
        if (request.record !== undefined && request.record !== approval.record) return 'foreign' as const;
        if (request.user !== undefined && request.user !== approval.user) return 'foreign' as const;
        const verifier = newSecret();
        const allowed = putAllowance(tx, request.app, approval.allowed);
        const approved = { ...approval, allowed, verifier: markOf(id, verifier) };
        tx.put('requests', id, { ...request, approved });
        return { verifier };
      }),
    denyRequest: (token, browserBinding) =>
      change(token, browserBinding, (tx, id, { approved: withdrawn, ...request }) => {
        tx.put('requests', id, { ...request, browserBinding, denied: true });
        return shown(request);
      }),
    takeApproved(tx, token, app, verifier) {
      const id = idOf(token);
      const request = stored(tx, id);
      const approved = request?.approved;
      if (!approved || request.denied || request.app !== app || isOver(request)) return undefined;
      // Both are keyed digests, so how long the comparison takes says nothing about the verifier.
      if (approved.verifier !== markOf(id, verifier)) return undefined;
      tx.remove('requests', id);
      const { user, record, wording, allowed } = approved;
      return { app, user, record, wording, allowed };
    },
    withdrawApproved,
    forgetExpiredRequests: () =>
      directory.transact((tx) => {
        for (const { key: id, value } of tx.range('requests')) {
          if (isOver(value as StoredRequest)) tx.remove('requests', id);
        }
      }),
  };
}

/** Takes all requests of an app away. */
export function removeRequests(tx: WriteTx, app: string): void {
  for (const { key: id, value } of tx.range('requests'))
    if ((value as StoredRequest).app === app) tx.remove('requests', id);
}

/** Takes away what an app could still exchange for an access that ends. */
export function withdrawApproved(tx: WriteTx, { user, app, record }: AccessGiven): void {
  removeApproved(
    tx,
    (approved) => approved.app === app && approved.user === user && approved.record === record,
  );
}

/** Takes approved requests away that a rule names, so that no app exchanges them. */
export function removeApproved(
  tx: WriteTx,
  rule: (approved: Pick<ApprovedRequest, 'app' | 'user' | 'record'>) => boolean,
): void {
  for (const { key: id, value } of tx.range('requests')) {
    const { app, approved } = value as StoredRequest;
    if (approved && rule({ ...approved, app })) tx.remove('requests', id);
  }
}

function shown({ app, record }: StoredRequest | AccessRequest): AccessRequest {
  return record === undefined ? { app } : { app, record };
}
