import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { createFile, putFile } from './put-file.js';
import { KEY_BYTES } from './sealing.js';

/** The key file's name in the data directory. */
export const KEY_FILE = 'secret.key';
/** The environment variable that may hold the key instead. */
export const KEY_VARIABLE = 'CHARTGRAPH_SECRET_KEY';
/**
 * May hold the secret key of before: of several gateways one changes the key of them all, and the others have access logs
 * that the new key does not open yet.
 */
export const FORMER_KEY_VARIABLE = 'CHARTGRAPH_FORMER_SECRET_KEY';
/** Holds the secret key that is to take the place of the one in `KEY_VARIABLE`. */
export const NEW_KEY_VARIABLE = 'CHARTGRAPH_NEW_SECRET_KEY';
const ONLY_OWNER = 0o600;

/** The environment of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The 32 bytes of the secret key of a data directory: `CHARTGRAPH_SECRET_KEY` where it is set, else the file
 * `secret.key`, which is created with mode 0600 when there is none.
 * @param dir the data directory; it must exist
 * @param options.create false where something was sealed already: a new key would open none of it
 * @throws DataDirectoryError when what is there is not a key or cannot be read, or when others may read the file and its
 * mode cannot be tightened; also when the key is missing and may not be created. No message holds key material.
 */
export async function readSecretKey(
  dir: string,
  env: Variables,
  { create = true }: { create?: boolean } = {},
): Promise<Buffer> {
  const given = env[KEY_VARIABLE];
  if (given !== undefined && given !== '') return decodeKey(given, KEY_VARIABLE);
  const file = join(dir, KEY_FILE);
  const text = (await readKeyFile(file)) ?? (create ? await createKeyFile(file) : undefined);
  if (text === undefined) {
    throw new DataDirectoryError(
      `${file} is missing, and the secrets of this data directory are sealed with it; put it back, or set ${KEY_VARIABLE}.`,
    );
  }
  return decodeKey(text, file);
}

/** The key as it is now, in the middle of something that cannot wait. @throws DataDirectoryError as readSecretKey does */
export function readSecretKeyNow(dir: string, env: Variables): Buffer {
  const given = env[KEY_VARIABLE];
  if (given !== undefined && given !== '') return decodeKey(given, KEY_VARIABLE);
  const file = join(dir, KEY_FILE);
  return decodeKey(readFileSync(file, 'utf8'), file);
}

/** Whether a data directory has a key, without reading it. */
export async function hasSecretKey(dir: string, env: Variables): Promise<boolean> {
  if ((env[KEY_VARIABLE] ?? '') !== '') return true;
  return stat(join(dir, KEY_FILE)).then(
    () => true,
    () => false,
  );
}

/** Puts another key in the place of that in the file; a reader, or a power loss, finds the old one or the new one. */
export async function replaceSecretKey(dir: string, key: Uint8Array): Promise<void> {
  await putFile(join(dir, KEY_FILE), textOf(key));
}

/** Reads 32 bytes written as 64 hexadecimal digits or as base64 (with either alphabet). @param source for the message */
export function decodeKey(text: string, source: string): Buffer {
  const trimmed = text.trim();
  const bytes = /^[0-9A-Fa-f]{64}$/.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed) ? trimmed : '', 'base64');
  if (bytes.byteLength === KEY_BYTES) return bytes;
  throw new DataDirectoryError(
    `${source} does not hold a secret key: ${KEY_BYTES} bytes in hexadecimal or base64.`,
  );
}

async function readKeyFile(file: string): Promise<string | undefined> {
  let mode: number;
  try {
    const found = await stat(file);
    if (!found.isFile()) {
      throw new DataDirectoryError(`${file} is not a file; it should hold the secret key.`);
    }
    mode = found.mode;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(file, error);
  }
  // Windows has no such modes: what stat shows there is made up.
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
    try {
      await chmod(file, ONLY_OWNER);
    } catch (cause) {
      throw new DataDirectoryError(
        `${file} can be read by others and its mode cannot be changed; chmod it to 600.`,
        { cause },
      );
    }
  }
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

function unreadable(file: string, cause: unknown): DataDirectoryError {
  if (cause instanceof DataDirectoryError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new DataDirectoryError(
    `${file}, which holds the secret key, cannot be read (${code ?? message}); let the user that runs Chartgraph read it.`,
    { cause },
  );
}

/** Two processes that begin at once get one key. */
async function createKeyFile(file: string): Promise<string> {
  await createFile(file, textOf(randomBytes(KEY_BYTES)));
  return readFile(file, 'utf8');
}

function textOf(key: Uint8Array): string {
  return `${Buffer.from(key).toString('hex')}\n`;
}
