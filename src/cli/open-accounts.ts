import { keyOf, openAccounts, type Accounts } from '../accounts/accounts.js';
import type { SecretKey } from '../accounts/secret-key.js';
import { withData, type OpenData } from './open-data.js';
import type { Settings } from './settings.js';

/** An open data directory with its private half. */
export interface OpenAccounts extends OpenData {
  accounts: Accounts;
  key: SecretKey;
}

/** Opens the data directory and its accounts, runs `work` and closes them; as withData. */
export function withAccounts<T>(
  settings: Settings,
  work: (open: OpenAccounts) => Promise<T> | T,
  options: { create?: boolean } = {},
): Promise<T> {
  return withData(
    settings,
    (open) => {
      const key = keyOf(open.directory);
      return work({ ...open, key, accounts: openAccounts(open.directory, key) });
    },
    options,
  );
}
