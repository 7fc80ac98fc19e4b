import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeKey, FORMER_KEY_VARIABLE, readSecretKey } from '../../store/disk/key-file.js';
import { keyId } from '../../store/disk/keyring.js';
import { createFile, putFile, withFile } from '../../store/disk/small-files.js';
import { deriveKey, KEY_BYTES, seal, unseal } from '../../store/disk/sealing.js';
import { AccessLogError } from './access-entry.js';
import { CLOSED, isInTheClear, readLine } from './segment-files.js';
import { listSegments, readLines, segmentFile, type PlacedLine } from './segment-files.js';

/** The file with the log's key, sealed once per secret key that opens it, by that key's id. */
const FILE = 'key';
const PLACE = 'key of the access log';

/**
 * Returns the log's key of 32 bytes, which never changes; creates it if there is none. It is stored beside the log,
 * so that the log can be written even when the store cannot be opened.
 * @throws AccessLogError when the directory's secret key does not open it
 * @throws DataDirectoryError when there is no secret key
 */
export async function openLogKey(dir: string, folder: string): Promise<Buffer> {
  const file = join(folder, FILE);
  // The order matters: another process may be creating the key and writing with it right now.
  const isNeeded = holdsSealed(folder);
  const isNew = !existsSync(file);
  if (isNew && isNeeded) {
    throw new AccessLogError(
      `${file} is missing, and entries are sealed with it; put back a copy, or move the folder away to begin a new log.`,
    );
  }
  const secret = await readSecretKey(dir, process.env, { create: isNew });
  if (isNew) await createFile(file, textOf({ [keyId(secret)]: wrapped(secret, randomBytes(KEY_BYTES)) }));
  const wraps = await read(file);
  const former = process.env[FORMER_KEY_VARIABLE] ?? '';
  if (wraps[keyId(secret)] === undefined && former !== '') {
    await addLogSecret(folder, decodeKey(former, FORMER_KEY_VARIABLE), secret);
    await keepLogSecret(folder, secret);
  }
  return unwrap(await read(file), secret, file);
}

/** Lets another secret key open the log. @throws AccessLogError when `old` does not open it */
export async function addLogSecret(folder: string, old: Uint8Array, fresh: Uint8Array): Promise<void> {
  const file = join(folder, FILE);
  if (!existsSync(file)) return;
  const wraps = await read(file);
  await putFile(file, textOf({ ...wraps, [keyId(fresh)]: wrapped(fresh, unwrap(wraps, old, file)) }));
}

/** Leaves one secret key that opens the log. @throws AccessLogError when it does not open it */
export async function keepLogSecret(folder: string, secret: Uint8Array): Promise<void> {
  const file = join(folder, FILE);
  if (!existsSync(file)) return;
  const key = unwrap(await read(file), secret, file);
  await putFile(file, textOf({ [keyId(secret)]: wrapped(secret, key) }));
}

function holdsSealed(folder: string): boolean {
  const isSealed = ({ text }: PlacedLine): boolean => {
    const { stored = CLOSED } = readLine(text) ?? {};
    return stored !== CLOSED && !isInTheClear(stored);
  };
  return listSegments(folder).some((segment) =>
    withFile(segmentFile(folder, segment), (fd) => {
      for (const line of readLines(fd)) if (isSealed(line)) return true;
      return false;
    }),
  );
}

type Wraps = Readonly<Record<string, string>>;

function wrapped(secret: Uint8Array, key: Uint8Array): string {
  return seal(deriveKey(secret, 'wrapping'), key, PLACE).toString('base64url');
}

function unwrap(wraps: Wraps, secret: Uint8Array, file: string): Buffer {
  const sealed = wraps[keyId(secret)];
  if (sealed === undefined)
    throw new AccessLogError(`The secret key is not the one that opens ${file}; put back the one that does.`);
  try {
    return unseal(deriveKey(secret, 'wrapping'), Buffer.from(sealed, 'base64url'), PLACE);
  } catch (cause) {
    throw damaged(file, cause);
  }
}

async function read(file: string): Promise<Wraps> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Wraps;
  } catch (cause) {
    throw damaged(file, cause);
  }
}

function damaged(file: string, cause: unknown): AccessLogError {
  return new AccessLogError(
    `${file} is damaged; put back a copy, or move the folder away to begin a new log.`,
    { cause },
  );
}

function textOf(wraps: Wraps): string {
  return `${JSON.stringify(wraps)}\n`;
}
