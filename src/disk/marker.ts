import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { KEY_FILE } from './key-file.js';
import { putFile } from './put-file.js';

/**
 * The version of the layout that this program writes; it reads 1 as well, whose values are not sealed, and 2, whose
 * history holds whole sealed values. A higher one is refused.
 */
export const FORMAT_VERSION = 3;

const FILE = 'chartgraph.json';
const FORMAT = 'chartgraph-data';

/** What a directory is to us: `begun` means that its creation was interrupted before anything could be stored. */
export type DirectoryState = 'absent' | 'empty' | 'begun' | 'ready';

/**
 * Looks at a directory without changing it.
 * @throws DataDirectoryError when it is not ours, damaged, or of a newer format
 */
export async function inspectDirectory(dir: string): Promise<DirectoryState> {
  const found = await stat(dir).catch(absent);
  if (!found) return 'absent';
  if (!found.isDirectory()) throw new DataDirectoryError(`${dir} is a file, not a data directory.`);
  const text = await readFile(join(dir, FILE), 'utf8').catch(absent);
  if (text !== undefined) return readMarker(dir, text);
  // A fresh volume holds lost+found; the unfinished temporary file of a marker is ours; and who restores a backup may
  // put the key back first.
  const foreign = (await readdir(dir)).filter(
    (name) => name !== 'lost+found' && name !== KEY_FILE && !name.startsWith(FILE + '.'),
  );
  if (foreign.length === 0) return 'empty';
  throw new DataDirectoryError(
    `${dir} is not a Chartgraph data directory: it holds other files (${foreign[0]}) and no ${FILE}.`,
  );
}

function readMarker(dir: string, text: string): DirectoryState {
  let marker: { format?: unknown; version?: unknown; state?: unknown };
  try {
    marker = Object(JSON.parse(text)) as typeof marker;
  } catch (cause) {
    throw new DataDirectoryError(`${join(dir, FILE)} is damaged: it is not JSON.`, { cause });
  }
  if (marker.format !== FORMAT) {
    throw new DataDirectoryError(`${dir} is not a Chartgraph data directory: ${FILE} names another format.`);
  }
  checkVersion(dir, marker.version);
  return marker.state === 'begun' ? 'begun' : 'ready';
}

/** Refuses every format version but ours, naming the directory. */
export function checkVersion(dir: string, version: unknown): void {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new DataDirectoryError(`${dir} is damaged: its format has no version.`);
  }
  if (version > FORMAT_VERSION) {
    throw new DataDirectoryError(
      `${dir} has data format ${version}; this version of Chartgraph reads formats up to ${FORMAT_VERSION}.`,
    );
  }
}

/** Makes the directory (mode 0700: it holds patients' data) and says in it that creation has begun. */
export async function beginDirectory(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
  await writeMarker(dir, 'begun');
}

/** Says that the directory is complete; from here on a missing store file is a loss, not a beginning. */
export async function finishDirectory(dir: string): Promise<void> {
  await writeMarker(dir, 'ready');
}

async function writeMarker(dir: string, state: 'begun' | 'ready'): Promise<void> {
  const text = JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, state }, undefined, 2) + '\n';
  await putFile(join(dir, FILE), text);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
