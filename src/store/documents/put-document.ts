import { createHash, randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ContentKey, DocumentHome } from './document-files.js';
import { isNoRoom, noRoom } from '../disk/disk-space.js';
import { syncFolder } from '../disk/small-files.js';
import { openDocumentFile, sealedDocument } from './sealed-document.js';
import type { SharedStore } from '../postgres/shared-store.js';

export const LARGEST_DOCUMENT = 256 * 1024 * 1024;

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Seals bytes into the file named by their hash, and into the shared store if there is one; resolves when durable.
 * @throws RangeError for more than LARGEST_DOCUMENT bytes
 * @throws Problem when the disk is full
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
    const handle = await open(temporary, 'r');
    try {
      // The data key cannot change inside a transaction, so the file gets its name only if its key stays.
      const stored = await home.transact(() => {
        if (home.dataKeys.current !== current) return undefined;
        renameSync(temporary, file);
        return home.dataKeys.stored;
      });
      if (stored) await syncFolder(dirname(file));
      const content = (): Readable => handle.createReadStream({ start: 0, autoClose: false });
      if (stored && (!home.shared || (await home.shared.putDocument(key.sha256, content(), stored))))
        return key;
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

/** Fetches a document that another gateway has stored. The caller that opens it checks it. */
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

/** Writes the shared store's bytes of a document, possibly none, to a temporary file. @returns its path */
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

/** Creates a folder durably, even if another process has just made it. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(folder));
}

function temporaryIn(root: string): string {
  return join(root, `.${randomBytes(12).toString('hex')}`);
}
