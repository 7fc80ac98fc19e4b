import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AccountError } from './account-error.js';
import { KEY_BYTES, secretKey, type SecretKey } from './secret-key.js';

/** The key file's name in the data directory. */
export const KEY_FILE = 'secret.key';
const VARIABLE = 'CHARTGRAPH_SECRET_KEY';
const ONLY_OWNER = 0o600;

/**
 * The secret key of a data directory: `CHARTGRAPH_SECRET_KEY` where it is set, else the file `secret.key`,
 * which is created with mode 0600 when there is none.
 * @param dir the data directory; it must exist
 * @param env the environment, `process.env`
 * @param options.create false where secrets were sealed already: a new key would open none of them
 * @throws AccountError when what is there is not a key, or when others may read the file and its mode cannot be
 * tightened; also when the key is missing and may not be created. No message holds key material.
 */
export async function loadSecretKey(
  dir: string,
  env: Readonly<Record<string, string | undefined>>,
  { create = true }: { create?: boolean } = {},
): Promise<SecretKey> {
  const given = env[VARIABLE];
  if (given !== undefined && given !== '') return secretKey(decodeKey(given, VARIABLE));
  const file = join(dir, KEY_FILE);
  const text = (await readKeyFile(file)) ?? (create ? await createKeyFile(dir, file) : undefined);
  if (text === undefined) {
    throw new AccountError(
      `${file} is missing, and the secrets of this data directory are sealed with it; put it back, or set ${VARIABLE}.`,
    );
  }
  return secretKey(decodeKey(text, file));
}

/** Reads 32 bytes written as 64 hexadecimal digits or as base64 (with either alphabet). */
function decodeKey(text: string, source: string): Buffer {
  const trimmed = text.trim();
  const bytes = /^[0-9A-Fa-f]{64}$/.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed) ? trimmed : '', 'base64');
  if (bytes.byteLength === KEY_BYTES) return bytes;
  throw new AccountError(
    `${source} does not hold a secret key: ${KEY_BYTES} bytes in hexadecimal or base64.`,
  );
}

async function readKeyFile(file: string): Promise<string | undefined> {
  let mode: number;
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new AccountError(`${file} is not a file; it should hold the secret key.`);
    mode = found.mode;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // Windows has no such modes: what stat shows there is made up.
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
    try {
      await chmod(file, ONLY_OWNER);
    } catch (cause) {
      throw new AccountError(
        `${file} can be read by others and its mode cannot be changed; chmod it to 600.`,
        {
          cause,
        },
      );
    }
  }
  return readFile(file, 'utf8');
}

/** Writes a new key beside its place and links it there: two processes get one key, and never half of one. */
async function createKeyFile(dir: string, file: string): Promise<string> {
  const text = `${randomBytes(KEY_BYTES).toString('hex')}\n`;
  const beside = join(dir, `${KEY_FILE}.${randomBytes(6).toString('hex')}`);
  const handle = await open(beside, 'wx', ONLY_OWNER);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await link(beside, file);
    await syncDirectory(dir);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(file, 'utf8');
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(beside).catch(() => undefined);
  }
}

/** A secret sealed with a key whose directory entry was lost in a power failure would be lost with it. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  await handle.sync().finally(() => handle.close());
}
