import type { DataDirectory } from '../disk/data-directory.js';
import { Memo } from '../disk/memo.js';
import { analystTokens, type AnalystTokens } from './analyst-tokens.js';
import { appAccounts, type AppAccounts, type AppCredentials } from './apps.js';
import { bulkExportAccounts, type BulkExportAccounts } from './bulk-exports.js';
import { removeApproved, removeRequests } from './request-tokens.js';
import { savedQueries, type SavedQueries } from './saved-queries.js';
import { accountKey, type SecretKey } from './secret-key.js';
import { subscriptionAccounts, type SubscriptionAccounts } from './subscriptions.js';
import { revokeTokens, tokenAccounts, type TokenAccounts, type TokenCredentials } from './tokens.js';
import { mayOpen, userAccounts, type UserAccounts } from './users.js';
import { checkKey, type Vault } from './vault.js';

/** How many pairs of app and token are held at a time between two commits. */
const AT_HAND = 4096;

/** What a signature is checked with; undefined members are unknown. */
export interface Credentials {
  readonly app: AppCredentials | undefined;
  readonly token: TokenCredentials | undefined;
}

/** The private half of a data directory: everything that must never be in the graph. */
export interface Accounts
  extends
    AppAccounts,
    UserAccounts,
    TokenAccounts,
    AnalystTokens,
    SavedQueries,
    SubscriptionAccounts,
    BulkExportAccounts {
  /**
   * App and token of a signed request, read in one snapshot: what another process revoked or removed before
   * is gone at once.
   */
  credentials(consumerKey: string, token: string | undefined): Credentials;
}

/** What protects the secrets of an open data directory, whatever its secret key is by now. */
export function keyOf(directory: DataDirectory): SecretKey {
  return accountKey(directory.accountKey);
}

/**
 * Opens the accounts of a data directory.
 * @param key what keyOf gave
 * @param clock milliseconds since 1970
 * @throws AccountError when the stored secrets were sealed with another key
 */
export function openAccounts(
  directory: DataDirectory,
  key: SecretKey,
  clock: () => number = Date.now,
): Accounts {
  const vault: Vault = { directory, key, clock };
  directory.read((tx) => checkKey(tx, key));
  const recent = new Memo<Credentials>(directory, AT_HAND);
  const tokens = tokenAccounts(vault);
  const ofAnalysts = analystTokens(vault);
  const saved = savedQueries(vault);
  const apps = appAccounts(vault, (tx, app, which) => {
    if (which !== 'without a user') removeRequests(tx, app);
    if (which !== 'by requests')
      tokens.removeTokens(tx, { app }, ({ user }) => which === 'all' || user === undefined);
  });
  const users = userAccounts(vault, {
    remove(tx, id) {
      tokens.removeTokens(tx, { user: id });
      removeApproved(tx, ({ user }) => user === id);
      ofAnalysts.removeAnalystTokens(tx, id);
      saved.removeSavedQueries(tx, id);
    },
    revoke(tx, id) {
      ofAnalysts.removeAnalystTokens(tx, id);
      revokeTokens(tx, { user: id });
      removeApproved(tx, ({ user }) => user === id);
    },
  });
  return {
    ...apps,
    ...users,
    ...tokens,
    ...ofAnalysts,
    ...subscriptionAccounts(vault),
    ...bulkExportAccounts(vault),
    ...saved,
    putUser(tx, user) {
      users.putUser(tx, user);
      if (user.role !== 'analyst') ofAnalysts.removeAnalystTokens(tx, user.id);
      // A record that is taken from a user is taken from the apps that they let into it.
      tokens.removeTokens(
        tx,
        { user: user.id },
        ({ record }) => record !== undefined && !mayOpen(user, record),
      );
    },
    credentials(consumerKey, token) {
      let read: Credentials | undefined;
      // No id and no token has a line feed in it. What is not known is read each time: nobody fills the memory with
      // names that they made up.
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
