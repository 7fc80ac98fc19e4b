import type { DataDirectory, WriteTx } from '../../store/disk/data-directory.js';
import { clinicianMode } from '../../store/disk/clinician-mode.js';
import { Memo } from '../../store/disk/memo.js';
import { analystTokens } from './analyst-tokens.js';
import { appAccounts, type AppCredentials } from './apps.js';
import { bulkExportAccounts, endExportsWith } from './bulk-exports.js';
import { removeApproved, removeRequests } from './request-tokens.js';
import { savedQueries } from './saved-queries.js';
import { smartGrants } from './smart-grants.js';
import { accountKey, type SecretKey, checkKey, type Vault } from './secret-key.js';
import { subscriptionAccounts } from './subscriptions.js';
import { revokeTokens, tokenAccounts, type TokenCredentials } from './tokens.js';
import { closedClasses, forgetClosures } from './closed-classes.js';
import { openRecords, whyOpen, type Openable, type WhyOpen } from './care.js';
import { forgetCare } from './care-index.js';
import { removedUsers } from './removed-users.js';
import { takeRecord, userAccounts, type TokensOfUser, type UserRegistration } from './users.js';

export interface ClosedRecord {
  readonly tokens: number;
  readonly users: number;
  readonly exports: number;
}

/** Ends all access to a record, so that nobody keeps it when the id is reused. @param now milliseconds since 1970 */
export function closeRecord(tx: WriteTx, record: string, now = Date.now()): ClosedRecord {
  removeApproved(tx, { record });
  forgetClosures(tx, record);
  forgetCare(tx, record);
  return {
    tokens: revokeTokens(tx, { record }),
    users: takeRecord(tx, record),
    exports: endExportsWith(tx, record, now),
  };
}

const MAX_CACHED = 4096;

export interface Credentials {
  readonly app: AppCredentials | undefined;
  readonly token: TokenCredentials | undefined;
}

/** The private half of a data directory: nothing in it may reach the graph. */
export type Accounts = ReturnType<typeof openAccounts>;

export function keyOf(directory: DataDirectory): SecretKey {
  return accountKey(directory.accountKey);
}

/**
 * Opens the accounts of a data directory.
 * @param key from keyOf
 * @param clock milliseconds since 1970
 * @throws AccountError when the stored secrets were sealed with another key
 */
export function openAccounts(directory: DataDirectory, key: SecretKey, clock: () => number = Date.now) {
  const vault: Vault = { directory, key, clock };
  directory.read((tx) => checkKey(tx, key));
  const recent = new Memo<Credentials>(directory, MAX_CACHED);
  const openable = new Memo<Openable>(directory, MAX_CACHED);
  const openableBy = (id: string): Openable | undefined =>
    openable.get(id, () => directory.read((tx) => users.openable(tx, id)));
  const reasonToOpen = (id: string, record: string): WhyOpen | undefined => {
    const known = openableBy(id);
    return known && directory.read((tx) => whyOpen(tx, known, record, clock()));
  };
  const mayOpen = (id: string, record: string): boolean => reasonToOpen(id, record) !== undefined;
  const tokens = tokenAccounts(vault);
  const ofAnalysts = analystTokens(vault);
  const saved = savedQueries(vault);
  const apps = appAccounts(vault, (tx, app, which) => {
    if (which !== 'without a user') removeRequests(tx, app);
    if (which !== 'by requests')
      tokens.removeTokens(tx, { app }, ({ user }) => which === 'all' || user === undefined);
  });
  const ofUser: TokensOfUser = {
    remove(tx, id) {
      tokens.removeTokens(tx, { user: id });
      removeApproved(tx, { user: id });
      ofAnalysts.removeAnalystTokens(tx, id);
      saved.removeSavedQueries(tx, id);
    },
    revoke(tx, id) {
      ofAnalysts.removeAnalystTokens(tx, id);
      revokeTokens(tx, { user: id });
      removeApproved(tx, { user: id });
    },
  };
  const users = userAccounts(vault, ofUser);
  /** When a user loses a record, so do the apps that the user let into it. */
  const endTokensOfLost = (tx: WriteTx, user: string): void => {
    const now = users.openable(tx, user);
    tokens.removeTokens(
      tx,
      { user },
      ({ record }) => record !== undefined && !(now && whyOpen(tx, now, record, clock())),
    );
  };
  return {
    ...apps,
    ...users,
    ...removedUsers(vault),
    ...closedClasses(vault, users),
    ...tokens,
    ...ofAnalysts,
    ...subscriptionAccounts(vault),
    ...bulkExportAccounts(vault),
    ...saved,
    smart: smartGrants(vault, tokens.putOpaque),
    putUser(tx: WriteTx, user: UserRegistration): void {
      users.putUser(tx, user);
      if (user.role !== 'analyst') ofAnalysts.removeAnalystTokens(tx, user.id);
      endTokensOfLost(tx, user.id);
    },
    /**
     * Ends what a user opened of these records in an emergency. What is open to them without it stays open.
     * @returns how many
     */
    endEmergencies(tx: WriteTx, user: string, records: readonly string[]): number {
      const ended = users.endEmergencies(tx, user, records);
      if (ended > 0) endTokensOfLost(tx, user);
      return ended;
    },
    /** Ends the tokens that apps and analysts have in the name of a user. */
    revokeTokensOf: (tx: WriteTx, user: string) => ofUser.revoke(tx, user),
    /** Whether a user may open a record now. Known after the first time, so that each request can ask. */
    mayOpen,
    /** Returns why a user may open a record now, if they may. */
    whyOpen: reasonToOpen,
    /** Returns the records that a user may open now; undefined: every record. */
    openRecords: (id: string): string[] | undefined => {
      const known = openableBy(id);
      return known ? directory.read((tx) => openRecords(tx, known, clock())) : [];
    },
    /** Whether every record is open to every clinician. */
    isOpenToClinicians: (): boolean => directory.read(clinicianMode) === 'all',
    /** Whether a token can be used for a record now: it is alive, and its user may still open the record. */
    isTokenUsable: (id: string, record: string): boolean => {
      const { user } = tokens.tokenById(id) ?? {};
      return tokens.isTokenAlive(id) && (user === undefined || mayOpen(user, record));
    },
    /** Reads app and token of a signed request from one snapshot: revocations by other processes count at once. */
    credentials(consumerKey: string, token: string | undefined): Credentials {
      let read: Credentials | undefined;
      // Ids and tokens contain no line feed. Unknown pairs are not cached, so made-up names cannot fill the memory.
      const known = recent.get(`${consumerKey}\n${token ?? ''}`, () => {
        read = directory.read((tx) => ({
          app: apps.appCredentials(tx, consumerKey),
          token: token === undefined ? undefined : tokens.tokenCredentials(tx, token),
        }));
        return read.app && (read.token || token === undefined) ? read : undefined;
      });
      return known ?? read ?? { app: undefined, token: undefined };
    },
  };
}
