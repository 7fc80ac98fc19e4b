import { scryptSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { deriveKey } from '../disk/sealing.js';

export type BackupKey =
  | { readonly kind: 'secret'; readonly secret: Uint8Array }
  | { readonly kind: 'passphrase'; readonly passphrase: string };

/** scrypt parameters (RFC 7914): 128 MB, about half a second per guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const CHECK_BYTES = 8;

/** The keys of one backup file. `check` tells a wrong key from damage. */
export interface FileKeys {
  readonly sealing: KeyObject;
  readonly check: string;
}

/** Caches derived keys: a backup is read more than once, and scrypt takes half a second. */
const recent = new WeakMap<BackupKey, { readonly salt: Buffer; readonly keys: FileKeys }>();

export function fileKeys(key: BackupKey, salt: Buffer): FileKeys {
  const known = recent.get(key);
  if (known?.salt.equals(salt)) return known.keys;
  const keys = derive(key, salt);
  recent.set(key, { salt, keys });
  return keys;
}

function derive(key: BackupKey, salt: Buffer): FileKeys {
  const secret =
    key.kind === 'secret' ? Buffer.concat([key.secret, salt]) : scryptSync(key.passphrase, salt, 32, COST);
  const check = deriveKey(secret, 'backup check')
    .export()
    .toString('hex')
    .slice(0, 2 * CHECK_BYTES);
  return { sealing: deriveKey(secret, 'backup'), check };
}

/** @throws DataDirectoryError when a backup needs another key */
export function refuseOtherKey(
  file: string,
  header: { key: BackupKey['kind']; check: string },
  { kind }: BackupKey,
  found: string,
): void {
  // A damaged check may have the right number of characters but not of bytes.
  const [needs, has] = [Buffer.from(header.check), Buffer.from(found)];
  const isRight = header.key === kind && needs.length === has.length && timingSafeEqual(needs, has);
  if (isRight) return;
  const needed =
    header.key === 'secret'
      ? 'it needs the secret key that its data directory had when it was written: name a new data directory with --data, and put that key at secret.key in it'
      : kind === 'passphrase'
        ? 'its passphrase is another one: give the file that holds it with --passphrase-file'
        : 'it needs its passphrase: give the file that holds it with --passphrase-file';
  throw new DataDirectoryError(`The backup ${file} cannot be opened: ${needed}. Nothing was changed.`);
}
