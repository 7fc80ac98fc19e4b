import { readSecretKey, type Variables } from '../disk/key-file.js';
import { secretKey, type SecretKey } from './secret-key.js';

export { KEY_FILE } from '../disk/key-file.js';

/**
 * What protects the secrets of a data directory whose secret key was never changed; `keyOf` of accounts.ts is for all.
 * @throws DataDirectoryError as readSecretKey does
 */
export async function loadSecretKey(
  dir: string,
  env: Variables,
  options: { create?: boolean } = {},
): Promise<SecretKey> {
  return secretKey(await readSecretKey(dir, env, options));
}
