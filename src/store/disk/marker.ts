import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { KEY_FILE } from './key-file.js';
import { putFile } from './small-files.js';

/** The format that this program writes. It also reads format 2, whose history holds whole sealed values. */
export const FORMAT_VERSION = 3;

const FILE = 'chartgraph.json';
const FORMAT = 'chartgraph-data';

/** `begun`: creation was interrupted before anything was stored. */
export type DirectoryState = 'absent' | 'empty' | 'begun' | 'ready';

/** @throws DataDirectoryError when a directory is not ours, damaged, or of a newer format */
export async function inspectDirectory(dir: string): Promise<DirectoryState> {
  const found = await stat(dir).catch(absent);
  if (!found) return 'absent';
  if (!found.isDirectory()) throw new DataDirectoryError(`${dir} is a file, not a data directory.`);
  const text = await readFile(join(dir, FILE), 'utf8').catch(absent);
  if (text !== undefined) return readMarker(dir, text);
  // Tolerate lost+found on a fresh volume, an unfinished marker, and the key, which may be put back first.
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

/** @throws DataDirectoryError, naming the directory, for an unsupported format */
export function checkVersion(dir: string, version: unknown): void {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new DataDirectoryError(`${dir} is damaged: its format has no version.`);
  }
  if (version === 1) {
    throw new DataDirectoryError(
      `${dir} holds data of version 0.2, whose values are not sealed: start version 0.26 on it once, which seals them.`,
    );
  }
  if (version > FORMAT_VERSION) {
    throw new DataDirectoryError(
      `${dir} has data format ${version}; this version of Chartgraph reads formats up to ${FORMAT_VERSION}.`,
    );
  }
}

/** Creates the directory (mode 0700) and marks it as unfinished. */
export async function beginDirectory(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
  await writeMarker(dir, 'begun');
}

/** Marks the directory as complete: from now on a missing store file is a loss. */
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
