import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Opens a file, runs `work` and closes it; undefined if it is missing. */
export function withFile<T>(file: string, work: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

const ONLY_OWNER = 0o600;

/** Writes a small file for its owner alone, atomically, also across a power loss. */
export async function putFile(file: string, text: string): Promise<void> {
  const beside = await writeBeside(file, text);
  await rename(beside, file);
  await syncFolder(dirname(file));
}

/** The same, but keeps an existing file; of several writers one wins. */
export async function createFile(file: string, text: string): Promise<void> {
  const beside = await writeBeside(file, text);
  try {
    await link(beside, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(beside).catch(() => undefined);
  }
}

async function writeBeside(file: string, text: string): Promise<string> {
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(beside, 'wx', ONLY_OWNER);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return beside;
}

/** Makes changed names in a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Closes the files of an LMDB environment to all but their owner; LMDB makes them readable for others. */
export function closeToOthers(folder: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) chmodSync(join(folder, name), 0o600);
}
