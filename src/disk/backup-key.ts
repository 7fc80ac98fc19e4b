import { scryptSync, timingSafeEqual } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.js';
import { deriveKey } from './sealing.js';
import type { KeyObject } from 'node:crypto';

/** What opens a backup: the secret key of the data directory that it is of, or a passphrase. */
export type BackupKey =
  | { readonly kind: 'secret'; readonly secret: Uint8Array }
  | { readonly kind: 'passphrase'; readonly passphrase: string };

/** scrypt (RFC 7914) with 128 MB: a guess costs about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const CHECK_BYTES = 8;

/** The keys of one backup file, whose salt no other has: what seals its chunks, and what tells a wrong key from damage. */
export interface FileKeys {
  readonly sealing: KeyObject;
  readonly check: string;
}

/** A backup is read more than once, and a passphrase should not be worked on more than once. */
const recent = new WeakMap<BackupKey, { readonly salt: Buffer; readonly keys: FileKeys }>();

/** Derives them. @param salt random bytes from the header */
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

/** @throws DataDirectoryError when a backup needs another key than the one at hand */
export function refuseOtherKey(
  file: string,
  header: { key: BackupKey['kind']; check: string },
  { kind }: BackupKey,
  found: string,
): void {
  // A damaged one may have as many characters and not as many bytes.
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
