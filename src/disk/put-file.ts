import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const ONLY_OWNER = 0o600;

/**
 * Writes a small file, for its owner alone: a reader, or a power loss, finds what was there before or all of the new
 * text.
 */
export async function putFile(file: string, text: string): Promise<void> {
  const beside = await writeBeside(file, text);
  await rename(beside, file);
  await syncFolder(dirname(file));
}

/** The same where there is no such file; of several who do so at once one wins, and the others leave its file alone. */
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

/** Makes names that were created or changed in a folder outlive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
