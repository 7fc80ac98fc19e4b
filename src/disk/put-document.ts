import { createHash, randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContentKey, DocumentHome } from './document-files.js';
import { isNoRoom, noRoom } from './no-room.js';
import { syncFolder } from './put-file.js';
import { openDocumentFile, sealedDocument } from './sealed-document.js';
import type { SharedStore } from './shared/shared-store.js';

/** The largest file that is kept, in bytes. */
export const LARGEST_DOCUMENT = 256 * 1024 * 1024;

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Seals bytes into the file of their hash, and into the shared store where there is one; resolves when that is durable.
 * @param path of the file of a hash
 * @throws RangeError for more than LARGEST_DOCUMENT bytes
 * @throws Problem when there is no room
 */
export async function putDocument(
  home: DocumentHome,
  path: (sha256: string) => string,
  bytes: Bytes,
): Promise<ContentKey> {
  const root = join(home.documentsDir, 'sha256');
  await makeFolder(root);
  const temporary = temporaryIn(root);
  try {
    const { current } = home.dataKeys;
    const dataKey = home.dataKeys.keyOf(current);
    const key = await write(temporary, bytes, (content) => sealedDocument(content, current, dataKey));
    const file = path(key.sha256);
    await makeFolder(dirname(file));
    // What was written, whatever its name leads to by then.
    const handle = await open(temporary, 'r');
    try {
      // In a transaction nobody changes the data key: a file has its name only if the key that sealed it stays.
      const stored = await home.transact(() => {
        if (home.dataKeys.current !== current) return undefined;
        renameSync(temporary, file);
        return home.dataKeys.stored;
      });
      if (stored) await syncFolder(dirname(file));
      if (stored && (await isInStore(home, key, handle, stored))) return key;
      // The data key was changed meanwhile.
      const opened = await openDocumentFile(handle, { keyOf: () => dataKey });
      return await putDocument(home, path, opened.read(0, opened.size - 1));
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw isNoRoom(error) ? noRoom('There is no room on the disk for the file.', error) : error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Puts a file into the shared store, where there is one. @returns false when the keys are not these any more */
async function isInStore(
  { shared }: DocumentHome,
  { sha256 }: ContentKey,
  handle: FileHandle,
  keys: Uint8Array,
): Promise<boolean> {
  return !shared || shared.putDocument(sha256, handle.createReadStream({ start: 0, autoClose: false }), keys);
}

/** Takes the file of a document over that another gateway has stored; who opens it checks what came. */
export async function fetchDocument(
  documentsDir: string,
  store: SharedStore,
  sha256: string,
  file: string,
): Promise<void> {
  const aside = await fetchAside(documentsDir, store, sha256);
  try {
    if ((await stat(aside)).size === 0) return;
    await makeFolder(dirname(file));
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}

/**
 * Writes what the shared store has of a document into a file without a name of its own, which is empty where it has none.
 * @returns its path
 * @throws Problem when there is no room
 */
export async function fetchAside(documentsDir: string, store: SharedStore, sha256: string): Promise<string> {
  const root = join(documentsDir, 'sha256');
  await makeFolder(root);
  const temporary = temporaryIn(root);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    for await (const part of store.document(sha256)) await handle.writeFile(part);
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw isNoRoom(error) ? noRoom('There is no room on the disk for the file.', error) : error;
  } finally {
    await handle.close();
  }
}

/** Writes a file, synced, and gives the hash of what came, not of what stands in it. */
async function write(
  file: string,
  bytes: Bytes,
  sealed: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<ContentKey> {
  const hash = createHash('sha256');
  let size = 0;
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of bytes) {
      size += part.byteLength;
      if (size > LARGEST_DOCUMENT) throw new RangeError(`it has more than ${LARGEST_DOCUMENT} bytes`);
      hash.update(part);
      yield part;
    }
  };
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const part of sealed(hashed())) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), size };
}

/** Makes a folder, and its name durable in the one above: also when another process has just made it. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(folder));
}

function temporaryIn(root: string): string {
  return join(root, `.${randomBytes(12).toString('hex')}`);
}
