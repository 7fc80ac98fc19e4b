import { randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { ownedKeys, putOwned, removeOwned } from '../../store/disk/owner-index.js';
import { liesAhead } from '../../store/disk/clock.js';
import { holdToKey, type Vault, type SecretKey } from './secret-key.js';
import { AccountError, isUserId } from './account-ids.js';
import { endOnline } from './smart-grants.js';

/** Sessions end after 30 minutes without use, and after 12 hours in any case. In milliseconds. */
export const SESSION_IDLE = 30 * 60 * 1000;
export const SESSION_LIFETIME = 12 * 60 * 60 * 1000;
/** The shortest interval between writes of the last use, so that reading pages does not always write. */
const USE_NOTED_EVERY = 60 * 1000;

export interface Session {
  readonly user: string;
  /** Stays the same when signing in changes the id, so that the browser keeps what it had opened. */
  readonly browserBinding: string;
  /** Undefined for a password. */
  readonly signOn?: SignOn | undefined;
}

/** What an identity provider said of the person whose session it is. */
export interface SignOn {
  readonly issuer: string;
  /** Names the session at the provider when it ends (RP-Initiated Logout 1.0 §2). */
  readonly idToken: string;
  readonly hasSecondFactor: boolean;
  /** When they last proved there who they are, in milliseconds since 1970; 0 if it does not say. */
  readonly proved: number;
}

export interface ListedSession {
  /** Identifies the session, but cannot be used to sign in. */
  readonly handle: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly used: number;
  readonly isOwn: boolean;
}

interface StoredSession extends Session {
  /** passwordMark at the sign-in: changing the password ends the session. */
  readonly password: string;
  readonly since: number;
  readonly used: number;
}

/** Browser sessions; only keyed digests of their ids are stored. */
export function sessionAccounts({ key, directory, clock }: Vault) {
  const sessionKey = (id: string): string => key.lookup(`session ${id}`);
  const hasEnded = ({ since, used }: StoredSession): boolean =>
    !liesAhead(Math.min(since + SESSION_LIFETIME, used + SESSION_IDLE), clock(), 2 * SESSION_IDLE);
  const isAlive = (tx: ReadTx, stored: StoredSession): boolean =>
    !hasEnded(stored) && passwordMark(tx, key, stored.user) === stored.password;
  const alive = (tx: ReadTx, id: string): StoredSession | undefined => {
    const stored = tx.get('sessions', sessionKey(id)) as StoredSession | undefined;
    return stored && isAlive(tx, stored) ? stored : undefined;
  };
  const bindingOf = (tx: ReadTx, id: string): string =>
    alive(tx, id)?.browserBinding ?? key.lookup(`browserBinding ${id}`);

  return {
    /** 256 random bits for a browser that has no id. Nothing is stored before sign-in. */
    newId: () => randomBytes(32).toString('base64url'),
    /** Returns undefined when nobody is signed in under the id, or the session has ended. */
    session: (id: string) =>
      directory.read((tx) => {
        const stored = alive(tx, id);
        if (!stored) return undefined;
        const { user, browserBinding, signOn, since } = stored;
        return { user, browserBinding, signOn, since };
      }),
    browserBinding: (id: string) => directory.read((tx) => bindingOf(tx, id)),
    /** Forms must send this token back, which proves that they are the browser's own; it is as secret as the id. */
    csrfToken: (id: string) => key.lookup(`csrf ${id}`),
    async touch(id: string): Promise<void> {
      const stored = directory.read((tx) => alive(tx, id));
      if (!stored || clock() - stored.used < USE_NOTED_EVERY) return;
      await directory.transact((tx) => {
        const current = alive(tx, id);
        if (current) putOwned(tx, 'sessions', sessionKey(id), { ...current, used: clock() });
      });
    },
    passwordMark: (user: string) => directory.read((tx) => passwordMark(tx, key, user)),
    /**
     * Signs a user in under a new id, and ends the session of the old one.
     * @param mark passwordMark from before the password check, during which the password may change
     * @param signOn what an identity provider said in place of a password
     * @param browserBinding of the user's session, if a new password has just ended it
     * @returns the new id
     * @throws PasswordChanged when the password has changed, or the user was removed
     */
    signIn(
      oldId: string,
      user: string,
      mark?: string,
      signOn?: SignOn,
      browserBinding?: string,
    ): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      return directory.transact((tx) => {
        holdToKey(tx, key);
        const before = alive(tx, oldId);
        // Someone who signs in over another user's session must not get what that user had opened.
        const sameBrowser = !before || before.user === user;
        const binding = sameBrowser
          ? (browserBinding ?? bindingOf(tx, oldId))
          : key.lookup(`browserBinding ${id}`);
        const now = clock();
        const password = passwordMark(tx, key, user);
        if (mark !== undefined && mark !== password) throw new PasswordChanged();
        if (password === undefined) throw new TypeError('only a known user can sign in');
        if (before && !sameBrowser) endOnline(tx, before.user, before.browserBinding);
        removeOwned(tx, 'sessions', sessionKey(oldId));
        const stored: StoredSession = {
          user,
          browserBinding: binding,
          password,
          since: now,
          used: now,
          signOn,
        };
        putOwned(tx, 'sessions', sessionKey(id), stored);
        tx.put('users', user, { ...(tx.get('users', user) as object), signedIn: now });
        return id;
      });
    },
    signOut: (id: string) =>
      directory.transact((tx) => {
        end(tx, sessionKey(id));
      }),
    /** Lists a user's sessions, last used first. @param own id of the asking session */
    listSessions: (user: string, own: string) =>
      directory.read((tx) =>
        ownedKeys(tx, 'sessions', { user })
          .map((handle) => ({ handle, stored: tx.get('sessions', handle) as StoredSession }))
          .filter(({ stored }) => isAlive(tx, stored))
          .map(({ handle, stored: { since, used } }) => ({
            handle,
            since,
            used,
            isOwn: handle === sessionKey(own),
          }))
          .sort((a, b) => b.used - a.used),
      ),
    endSession: (user: string, handle: string) =>
      directory.transact((tx) => {
        // The handle comes from outside, so it must belong to one of the user's sessions.
        const isOfUser = ownedKeys(tx, 'sessions', { user }).includes(handle);
        if (isOfUser) end(tx, handle);
        return isOfUser;
      }),
    forgetEnded: () =>
      directory.transact((tx) => {
        for (const { key: at, value } of tx.range('sessions')) {
          if (hasEnded(value as StoredSession)) removeOwned(tx, 'sessions', String(at));
        }
      }),
  };
}

/** Ends a session, and what its user allowed apps for as long as it lasts. */
function end(tx: WriteTx, at: string): void {
  const { user, browserBinding } = (tx.get('sessions', at) ?? {}) as Partial<StoredSession>;
  if (user !== undefined) endOnline(tx, user, browserBinding);
  removeOwned(tx, 'sessions', at);
}

export function endSessions(tx: WriteTx, user: string): void {
  for (const key of ownedKeys(tx, 'sessions', { user })) removeOwned(tx, 'sessions', key);
  endOnline(tx, user);
}

interface Markable {
  readonly password?: string;
  readonly made?: string;
}

/** A keyed digest of the stored password, which differs after each change and for each user without one; undefined for an unknown user. */
export function passwordMark(tx: ReadTx, key: SecretKey, user: string): string | undefined {
  const stored = isUserId(user) ? (tx.get('users', user) as Markable | undefined) : undefined;
  return stored && markOf(key, stored);
}

export function markOf(key: SecretKey, { password, made }: Markable): string {
  return key.lookup(`password ${password ?? made ?? ''}`);
}

/** The password changed after it was used as proof. */
export class PasswordChanged extends AccountError {
  constructor() {
    super('The password was changed meanwhile. Sign in again with the new one.');
  }
}

export const PROOF_LIFETIME = 5 * 60 * 1000;
/** Long enough for a second factor at the provider. */
const SIGN_ON_LIFETIME = 10 * 60 * 1000;

export interface Proof {
  readonly user: string;
  readonly expires: number;
  readonly mark: string;
  readonly signOn?: SignOn | undefined;
}

/** A sign-in at an identity provider that has begun. */
export interface BegunSignOn {
  readonly returnUrl: string;
  readonly expires: number;
}

/** Proofs that a browser holds between the steps of a sign-in; nothing is stored. */
export function signInProofs({ directory, key, clock }: Vault) {
  const placeOf = (sessionId: string): string => `password-proof ${sessionId}`;
  const statePlace = (sessionId: string): string => `sign-on ${sessionId}`;
  const markOf = (user: string): string => directory.read((tx) => passwordMark(tx, key, user)) ?? '';
  const unsealed = <T>(text: string, place: string): T | undefined => {
    try {
      return JSON.parse(key.unseal(text, place)) as T;
    } catch {
      return undefined;
    }
  };
  return {
    /**
     * @param sessionId of the browser that sent the password; the proof works in no other
     * @param mark passwordMark from before the password check; by default the current one
     * @param signOn what an identity provider said in place of a password
     */
    issueProof: (user: string, sessionId: string, mark = markOf(user), signOn?: SignOn) =>
      key.seal(
        JSON.stringify({ user, expires: clock() + PROOF_LIFETIME, mark, signOn } satisfies Proof),
        placeOf(sessionId),
      ),
    /** Returns what was proved in this browser within PROOF_LIFETIME, if the password has not changed. */
    readProof(proof: string, sessionId: string): Pick<Proof, 'user' | 'signOn'> | undefined {
      const proved = unsealed<Proof>(proof, placeOf(sessionId));
      return proved && clock() < proved.expires && proved.mark === markOf(proved.user) ? proved : undefined;
    },
    /**
     * Begins a sign-in at an identity provider.
     * @returns the `state` of its request, which only this browser can bring back
     */
    issueState: (begun: Omit<BegunSignOn, 'expires'>, sessionId: string) =>
      key.seal(
        JSON.stringify({ ...begun, expires: clock() + SIGN_ON_LIFETIME } satisfies BegunSignOn),
        statePlace(sessionId),
      ),
    readState(state: string, sessionId: string): Omit<BegunSignOn, 'expires'> | undefined {
      const begun = unsealed<BegunSignOn>(state, statePlace(sessionId));
      return begun && clock() < begun.expires ? begun : undefined;
    },
    /** What binds the answer of the provider to a state: its nonce, and the verifier of PKCE (RFC 7636 §4.1). */
    signOnChecks: (state: string, sessionId: string) => {
      const digest = (of: string): string => key.lookup(`${of} ${sessionId} ${state}`);
      return { state, nonce: digest('nonce'), verifier: digest('verifier a') + digest('verifier b') };
    },
  };
}
