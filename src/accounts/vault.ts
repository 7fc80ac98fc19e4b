import type { DataDirectory, ReadTx, WriteTx } from '../disk/data-directory.js';
import { AccountError } from './account-error.js';
import type { SecretKey } from './secret-key.js';

/** Where accounts are kept and what seals them: shared by apps, users and tokens. */
export interface Vault {
  readonly directory: DataDirectory;
  readonly key: SecretKey;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const KEY_CHECK = 'secret-key-check';

/**
 * Ties a data directory to its key: the first secret written leaves a sealed mark, and no secret is sealed with
 * another key afterwards. Call it in every transaction that seals.
 * @throws AccountError when the key is another one
 */
export function holdToKey(tx: WriteTx, key: SecretKey): void {
  if (tx.get('meta', KEY_CHECK) === undefined) tx.put('meta', KEY_CHECK, key.seal(KEY_CHECK, KEY_CHECK));
  else checkKey(tx, key);
}

/** @throws AccountError when secrets of this data directory were sealed with another key */
export function checkKey(tx: ReadTx, key: SecretKey): void {
  const mark = tx.get('meta', KEY_CHECK);
  if (mark === undefined) return;
  try {
    key.unseal(String(mark), KEY_CHECK);
  } catch (cause) {
    throw new AccountError(
      'The secret key is not the one that sealed the secrets of this data directory; put back its secret.key file or CHARTGRAPH_SECRET_KEY.',
      { cause },
    );
  }
}
