import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { createFile, putFile, syncFolder } from './small-files.js';
import { KEY_BYTES } from './sealing.js';

export const KEY_FILE = 'secret.key';
export const KEY_VARIABLE = 'CHARTGRAPH_SECRET_KEY';
/** The former secret key: during a key change, gateways have access logs sealed with it. */
export const FORMER_KEY_VARIABLE = 'CHARTGRAPH_FORMER_SECRET_KEY';
/** The new secret key, with which `key rotate` replaces that of `KEY_VARIABLE`. */
export const NEW_KEY_VARIABLE = 'CHARTGRAPH_NEW_SECRET_KEY';
const ONLY_OWNER = 0o600;

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the 32-byte secret key of a data directory: from `CHARTGRAPH_SECRET_KEY` if set, else from the file
 * `secret.key`, which is created with mode 0600 if missing.
 * @param options.create false when something is sealed already: a new key would not open it
 * @throws DataDirectoryError when there is no usable key, or others may read the file; messages never contain key
 * material
 */
export async function readSecretKey(
  dir: string,
  env: Variables,
  { create = true }: { create?: boolean } = {},
): Promise<Buffer> {
  const given = env[KEY_VARIABLE] ?? '';
  if (given !== '') return decodeKey(given, KEY_VARIABLE);
  const file = join(dir, KEY_FILE);
  const text = (await readKeyFile(file)) ?? (create ? await createKeyFile(file) : undefined);
  if (text === undefined) {
    throw new DataDirectoryError(
      `${file} is missing, and the secrets of this data directory are sealed with it; put it back, or set ${KEY_VARIABLE}.`,
    );
  }
  return decodeKey(text, file);
}

export function readSecretKeyNow(dir: string, env: Variables): Buffer {
  const given = env[KEY_VARIABLE] ?? '';
  if (given !== '') return decodeKey(given, KEY_VARIABLE);
  const file = join(dir, KEY_FILE);
  return decodeKey(readFileSync(file, 'utf8'), file);
}

export function hasSecretKey(dir: string, env: Variables): boolean {
  return (env[KEY_VARIABLE] ?? '') !== '' || existsSync(join(dir, KEY_FILE));
}

export async function replaceSecretKey(dir: string, key: Uint8Array): Promise<void> {
  await putFile(join(dir, KEY_FILE), textOf(key));
}

/** Writes a key into a new file for its owner alone. @throws when the file exists */
export async function copySecretKey(file: string, key: Uint8Array): Promise<void> {
  await writeFile(file, textOf(key), { flag: 'wx', mode: ONLY_OWNER, flush: true });
  await syncFolder(dirname(file));
}

/** Decodes 32 bytes from 64 hexadecimal digits or base64 (either alphabet). @param source for the message */
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
  // Windows has no real file modes.
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

/** Two processes starting at once get the same key. */
async function createKeyFile(file: string): Promise<string> {
  await createFile(file, textOf(randomBytes(KEY_BYTES)));
  return readFile(file, 'utf8');
}

function textOf(key: Uint8Array): string {
  return `${Buffer.from(key).toString('hex')}\n`;
}
