import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync, renameSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../problem.js';
import type { DataDirectory } from './data-directory.js';
import { syncFolder } from './put-file.js';
import { isNoRoom, noRoom } from './no-room.js';
import { openDocumentFile, sealedDocument, type DocumentFile } from './sealed-document.js';
import type { SharedStore } from './shared/shared-store.js';

/** The largest file that is kept, in bytes. */
export const LARGEST_DOCUMENT = 256 * 1024 * 1024;

const SHA256 = /^[0-9a-f]{64}$/;

/** What names the bytes of a document: SHA-256 as lower-case hex digits, and how many they are. */
export interface ContentKey {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** A file whose every byte has been checked, still open. */
export interface VerifiedFile {
  readonly size: number;
  /** The bytes from `start` to `end`, both included; ends the use of the file. */
  bytes(start?: number, end?: number): AsyncIterable<Uint8Array>;
  /** Must be called when `bytes` is not. */
  close(): Promise<void>;
}

/** What the files of documents belong to. */
export type DocumentHome = Pick<DataDirectory, 'documentsDir' | 'dataKeys' | 'transact' | 'shared'>;

/** The files of documents by the hash of their content: equal content is kept once. */
export interface DocumentStore {
  /**
   * Keeps bytes and resolves when the file and the folders that lead to it are synced; content that is there already
   * is written anew, which mends a damaged file and makes it young for `sweepDocuments`.
   * @throws RangeError for more than LARGEST_DOCUMENT bytes
   */
  put(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<ContentKey>;
  /** Whether there is a file of this hash; synchronous, for use inside a transaction. */
  has(sha256: string): boolean;
  /**
   * Opens a file after its whole content has been compared with its hash.
   * @throws Problem damaged-document when it is missing, cut short or altered
   */
  open(key: ContentKey): Promise<VerifiedFile>;
  /** The whole content, checked as by `open`. @throws Problem damaged-document */
  read(key: ContentKey): Promise<Buffer>;
  /** The hashes of all files with their last change in milliseconds since 1970, in order. */
  list(): Promise<{ sha256: string; changed: number }[]>;
  /** Takes a file over from the shared store, where it is not here yet. @throws Problem damaged-document when it is in neither */
  fetch(sha256: string): Promise<void>;
  /** The path of the file of a hash. */
  path(sha256: string): string;
  /** Seals a file anew unless the data key of this number did; one that is damaged, or gone, is left alone. */
  reseal(sha256: string, key: number): Promise<void>;
}

/**
 * The content-addressed store in the folder of a data directory that is kept for it: `sha256/ab/cdef…`, each file
 * sealed. A file comes into being under another name and is complete when it gets its own.
 */
export function openDocumentStore(home: DocumentHome): DocumentStore {
  const root = join(home.documentsDir, 'sha256');
  const path = (sha256: string): string => {
    // The hash comes from a graph: nothing else may become a path.
    if (!SHA256.test(sha256)) throw damaged('has no proper hash');
    return join(root, sha256.slice(0, 2), sha256.slice(2));
  };
  const fetched = async (sha256: string): Promise<void> => {
    const file = path(sha256);
    if (home.shared && !existsSync(file)) await fetchDocument(home.shared, sha256, file);
  };
  const openHere = async (key: ContentKey): Promise<VerifiedFile> => {
    const handle = await open(path(key.sha256), 'r').catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ENOENT' ? damaged('is missing', cause) : damaged('cannot be read', cause);
    });
    try {
      const opened = await verified(handle, key, home);
      return {
        size: key.size,
        bytes: (start = 0, end = key.size - 1) => thenClosed(handle, contentOf(opened, start, end)),
        close: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
  const openVerified = async (key: ContentKey): Promise<VerifiedFile> => {
    await fetched(key.sha256);
    try {
      return await openHere(key);
    } catch (error) {
      if (!home.shared) throw error;
      // The file here is a copy: what is wrong with it need not be wrong with what the store has.
      await fetchDocument(home.shared, key.sha256, path(key.sha256));
      return openHere(key);
    }
  };
  return {
    put: (bytes) => put(home, path, bytes),
    has: (sha256) => SHA256.test(sha256) && existsSync(path(sha256)),
    open: openVerified,
    async read(key) {
      const file = await openVerified(key);
      const parts: Uint8Array[] = [];
      const hash = createHash('sha256');
      for await (const part of file.bytes()) {
        hash.update(part);
        parts.push(part);
      }
      // What was checked and what is handed out are two readings; here the second can be checked as well.
      if (hash.digest('hex') !== key.sha256) throw damaged('changes while it is read');
      return Buffer.concat(parts);
    },
    list: () => list(root),
    async fetch(sha256) {
      await fetched(sha256);
      if (!existsSync(path(sha256))) throw damaged('is missing');
    },
    path,
    async reseal(sha256, key) {
      const handle = await open(path(sha256), 'r').catch(() => undefined);
      if (!handle) return;
      try {
        const file = await openDocumentFile(handle, home.dataKeys).catch(() => undefined);
        if (!file || file.key === key) return;
        const found = { sha256, size: file.size };
        if (await verified(handle, found, home).catch(() => undefined))
          await put(home, path, contentOf(file, 0, file.size - 1));
      } finally {
        await handle.close();
      }
    },
  };
}

async function put(
  home: DocumentHome,
  path: (sha256: string) => string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<ContentKey> {
  const root = join(home.documentsDir, 'sha256');
  await makeFolder(root);
  const temporary = join(root, `.${randomBytes(12).toString('hex')}`);
  try {
    const keys = home.dataKeys;
    const number = keys.current;
    const dataKey = keys.keyOf(number);
    const key = await write(temporary, bytes, (content) => sealedDocument(content, number, dataKey));
    const file = path(key.sha256);
    await makeFolder(dirname(file));
    // In a transaction nobody changes the data key: a file has its name only if the key that sealed it stays.
    const isKept = await home.transact(() => {
      if (home.dataKeys.current !== number) return false;
      renameSync(temporary, file);
      return true;
    });
    if (isKept) {
      await syncFolder(dirname(file));
      await home.shared?.putDocument(key.sha256, createReadStream(file));
    } else await putAgain(home, path, temporary, { current: number, keyOf: () => dataKey });
    return key;
  } catch (error) {
    await rm(temporary, { force: true });
    throw isNoRoom(error) ? noRoom('There is no room on the disk for the file.', error) : error;
  }
}

/** Takes the file of a document over that another gateway has stored; who opens it checks what came. */
async function fetchDocument(store: SharedStore, sha256: string, file: string): Promise<void> {
  await makeFolder(dirname(file));
  const temporary = `${file}.${randomBytes(12).toString('hex')}`;
  try {
    let found = false;
    const handle = await open(temporary, 'wx', 0o600);
    try {
      for await (const part of store.document(sha256)) {
        found = true;
        await handle.writeFile(part);
      }
    } finally {
      await handle.close();
    }
    if (found) await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes a file, synced, and gives the hash of what came, not of what stands in it. */
async function write(
  file: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
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

/** The data key was changed while a file was written. */
async function putAgain(
  home: DocumentHome,
  path: (sha256: string) => string,
  temporary: string,
  keys: DocumentHome['dataKeys'],
): Promise<void> {
  const handle = await open(temporary, 'r');
  try {
    const file = await openDocumentFile(handle, keys);
    await put(home, path, file.read(0, file.size - 1));
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}

/** Makes a folder, and its name durable in the one above: also when another process has just made it. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(folder));
}

async function verified(
  handle: FileHandle,
  { sha256, size }: ContentKey,
  { dataKeys }: DocumentHome,
): Promise<DocumentFile> {
  const file = await openDocumentFile(handle, dataKeys).catch((cause: unknown) => {
    throw damaged('cannot be read', cause);
  });
  if (file.size !== size) throw damaged(`has ${file.size} bytes where ${size} belong`);
  const hash = createHash('sha256');
  for await (const part of contentOf(file, 0, size - 1)) hash.update(part);
  if (hash.digest('hex') !== sha256) throw damaged('has other bytes than were stored');
  return file;
}

async function* contentOf(file: DocumentFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  try {
    yield* file.read(start, end);
  } catch (cause) {
    throw damaged('cannot be read', cause);
  }
}

/** Reads from the same open file that was checked, whatever its name leads to by now. */
async function* thenClosed(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    await handle.close();
  }
}

async function list(root: string): Promise<{ sha256: string; changed: number }[]> {
  const files: { sha256: string; changed: number }[] = [];
  for (const start of await names(root)) {
    for (const rest of start.startsWith('.') ? [] : await names(join(root, start))) {
      const found = await stat(join(root, start, rest)).catch(() => undefined);
      if (found && SHA256.test(start + rest)) files.push({ sha256: start + rest, changed: found.mtimeMs });
    }
  }
  return files;
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function damaged(how: string, cause?: unknown): Problem {
  return new Problem('damaged-document', `The file of this document ${how}; tell the operator.`, { cause });
}
