import { randomBytes } from 'node:crypto';
import type { ReadTx } from '../disk/data-directory.js';
import { liesAhead } from '../disk/lies-ahead.js';
import { passwordMark, PasswordChanged } from './password-mark.js';
import { holdToKey, type Vault } from './vault.js';

/** A session that is not used ends after 30 minutes, and every one after 12 hours. In milliseconds. */
export const SESSION_IDLE = 30 * 60 * 1000;
export const SESSION_LIFETIME = 12 * 60 * 60 * 1000;
/** How often the time of last use is written, so that reading pages is not a write each time. */
const USE_NOTED_EVERY = 60 * 1000;

/** A signed-in browser. */
export interface Session {
  readonly user: string;
  /** Stays the same while the id changes at sign-in: what the browser opened before still belongs to it. */
  readonly browserBinding: string;
}

/** A session as its user sees it. */
export interface ListedSession {
  /** Names it, but signs nobody in. */
  readonly handle: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly used: number;
  /** Whether it is the one that asks. */
  readonly isOwn: boolean;
}

/** Sessions of browsers. Their ids are stored nowhere, only keyed digests of them. */
export interface SessionAccounts {
  /** A new random session id, 256 bits, for a browser that has none. Nothing is stored before sign-in. */
  newId(): string;
  /** The session of an id; undefined when nobody is signed in with it or it has ended. */
  session(id: string): Session | undefined;
  /** The browserBinding of a browser, signed in or not. */
  browserBinding(id: string): string;
  /** What a form must bring along to be taken for the browser's own; as secret as the id. */
  csrfToken(id: string): string;
  /** Notes that the session is in use. */
  touch(id: string): Promise<void>;
  /** Stands for the password that a user has now, for what is proved with it; undefined where there is no such user. */
  passwordMark(user: string): string | undefined;
  /**
   * Signs a user in under a new id, and ends the session of the old one.
   * @param mark passwordMark of before the password was checked, where it was: checking takes its time
   * @returns the new id
   * @throws PasswordChanged when the password is another one by now, or the user was removed
   */
  signIn(oldId: string, user: string, mark?: string): Promise<string>;
  signOut(id: string): Promise<void>;
  /** The sessions of a user, the one last used first. @param id of the session that asks */
  listSessions(user: string, id: string): ListedSession[];
  /** Ends a session of a user, by its handle. @returns whether there was one */
  endSession(user: string, handle: string): Promise<boolean>;
  forgetEnded(): Promise<void>;
}

interface StoredSession extends Session {
  /** A digest of the stored password: a changed password ends the session. */
  readonly password: string;
  readonly since: number;
  readonly used: number;
}

/** The sessions of a data directory. */
export function sessionAccounts({ key, directory, clock }: Vault): SessionAccounts {
  const place = (id: string): string => key.lookup(`session ${id}`);
  const hasEnded = ({ since, used }: StoredSession): boolean =>
    !liesAhead(Math.min(since + SESSION_LIFETIME, used + SESSION_IDLE), clock(), 2 * SESSION_IDLE);
  const isAlive = (tx: ReadTx, stored: StoredSession): boolean =>
    !hasEnded(stored) && passwordMark(tx, key, stored.user) === stored.password;
  const alive = (tx: ReadTx, id: string): StoredSession | undefined => {
    const stored = tx.get('sessions', place(id)) as StoredSession | undefined;
    return stored && isAlive(tx, stored) ? stored : undefined;
  };
  const lineageOf = (tx: ReadTx, id: string): string =>
    alive(tx, id)?.browserBinding ?? key.lookup(`browserBinding ${id}`);

  return {
    newId: () => randomBytes(32).toString('base64url'),
    session: (id) =>
      directory.read((tx) => {
        const stored = alive(tx, id);
        return stored && { user: stored.user, browserBinding: stored.browserBinding };
      }),
    browserBinding: (id) => directory.read((tx) => lineageOf(tx, id)),
    csrfToken: (id) => key.lookup(`csrf ${id}`),
    async touch(id) {
      const stored = directory.read((tx) => alive(tx, id));
      if (!stored || clock() - stored.used < USE_NOTED_EVERY) return;
      await directory.transact((tx) => {
        const current = alive(tx, id);
        if (current) tx.put('sessions', place(id), { ...current, used: clock() });
      });
    },
    passwordMark: (user) => directory.read((tx) => passwordMark(tx, key, user)),
    signIn(oldId, user, mark) {
      const id = randomBytes(32).toString('base64url');
      return directory.transact((tx) => {
        holdToKey(tx, key);
        const before = alive(tx, oldId);
        // Who signs in over somebody else's session does not get what that one had opened.
        const sameBrowser = !before || before.user === user;
        const browserBinding = sameBrowser ? lineageOf(tx, oldId) : key.lookup(`browserBinding ${id}`);
        const now = clock();
        const password = passwordMark(tx, key, user);
        if (mark !== undefined && mark !== password) throw new PasswordChanged();
        if (password === undefined) throw new TypeError('only a known user can sign in');
        tx.remove('sessions', place(oldId));
        const stored: StoredSession = { user, browserBinding, password, since: now, used: now };
        tx.put('sessions', place(id), stored);
        return id;
      });
    },
    signOut: (id) => directory.transact((tx) => tx.remove('sessions', place(id))),
    listSessions: (user, own) =>
      directory.read((tx) =>
        [...tx.range('sessions')]
          .map((row) => ({ handle: String(row.key), stored: row.value as StoredSession }))
          .filter(({ stored }) => isAlive(tx, stored) && stored.user === user)
          .map(({ handle, stored: { since, used } }) => ({
            handle,
            since,
            used,
            isOwn: handle === place(own),
          }))
          .sort((a, b) => b.used - a.used),
      ),
    endSession: (user, handle) =>
      directory.transact((tx) => {
        // What was sent as a handle may be anything: it is looked for among those there are.
        const rows = [...tx.range('sessions')];
        const found = rows.find((row) => row.key === handle && (row.value as StoredSession).user === user);
        if (found) tx.remove('sessions', handle);
        return found !== undefined;
      }),
    forgetEnded: () =>
      directory.transact((tx) => {
        for (const { key: at, value } of tx.range('sessions')) {
          if (hasEnded(value as StoredSession)) tx.remove('sessions', at);
        }
      }),
  };
}
