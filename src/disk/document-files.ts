import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Problem } from '../problem.js';
import type { DataDirectory } from './data-directory.js';
import { fetchAside, fetchDocument, putDocument } from './put-document.js';
import { openDocumentFile, sealingKey, type DocumentFile } from './sealed-document.js';
import type { SharedStore } from './shared/shared-store.js';

const SHA256 = /^[0-9a-f]{64}$/;
/** So many files are known to be sound at a time, at some 200 bytes each. */
const KNOWN_FILES = 10_000;

/** What names the bytes of a document: SHA-256 as lower-case hex digits, and how many they are. */
export interface ContentKey {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** The same where nobody has said how many they are. */
export type ContentName = Pick<ContentKey, 'sha256'> & Partial<ContentKey>;

/** Bytes of a file, the first and the last, both included. */
export interface FilePart {
  readonly start: number;
  readonly end: number;
}

/** A file whose bytes have been checked, still open. */
export interface VerifiedFile {
  readonly size: number;
  /** The part that it was opened for; ends the use of the file. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Must be called when `bytes` is not. */
  close(): Promise<void>;
}

/** What the files of documents belong to. */
export type DocumentHome = Pick<
  DataDirectory,
  'documentsDir' | 'dataKeys' | 'transact' | 'shared' | 'current'
>;

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
   * Opens a file, or a part of it, after every byte of it has been checked. Whose content has been compared with its hash
   * once in this process is known by its header, with which each chunk is authenticated: where the size is given, only the part of it is looked at.
   * @throws Problem damaged-document when it is missing, cut short or altered
   */
  open(key: ContentName, part?: FilePart): Promise<VerifiedFile>;
  /** The whole content, checked as by `open`. @throws Problem damaged-document */
  read(key: ContentName): Promise<Buffer>;
  /** The hashes of all files with their last change in milliseconds since 1970, in order. */
  list(): Promise<{ sha256: string; changed: number }[]>;
  /** The path of the file of a hash. */
  path(sha256: string): string;
  /** Removes a file that no graph can refer to, here and in the shared store; one that is gone already is no error. */
  remove(sha256: string): Promise<void>;
  /**
   * Seals a document anew unless the data key of this number did: the file, or what the shared store has. One that is
   * damaged, or gone, is left alone.
   */
  reseal(sha256: string, key: number): Promise<void>;
  /** Takes a file over from the shared store again unless the data key of this number sealed it. */
  refresh(sha256: string, key: number): Promise<void>;
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
  /** Files that are being taken over, by hash: however many ask for one, it comes once. */
  const underWay = new Map<string, Promise<void>>();
  const takeOver = async (store: SharedStore, sha256: string): Promise<void> => {
    let fetching = underWay.get(sha256);
    if (!fetching) {
      const begun = fetchDocument(home.documentsDir, store, sha256, path(sha256));
      fetching = begun.finally(() => underWay.delete(sha256));
      underWay.set(sha256, fetching);
    }
    await fetching;
    // It may be sealed with a data key of which this copy has not heard.
    await home.current?.();
  };
  const fetched = async (sha256: string): Promise<void> => {
    if (home.shared && !existsSync(path(sha256))) await takeOver(home.shared, sha256);
  };
  const checked: Checked = new LRUCache({ max: KNOWN_FILES });
  const openHere = async (key: ContentName, part?: FilePart): Promise<VerifiedFile> => {
    const handle = await open(path(key.sha256), 'r').catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ENOENT' ? damaged('is missing', cause) : damaged('cannot be read', cause);
    });
    try {
      const { size, bytes } = await verified(handle, key, { part, home, checked });
      return { size, bytes: () => thenClosed(handle, bytes()), close: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
  const openVerified = async (key: ContentName, part?: FilePart): Promise<VerifiedFile> => {
    await fetched(key.sha256);
    try {
      return await openHere(key, part);
    } catch (error) {
      if (!home.shared) throw error;
      // The file here is a copy: what is wrong with it need not be wrong with what the store has.
      await takeOver(home.shared, key.sha256);
      return openHere(key, part);
    }
  };
  return {
    put: (bytes) => putDocument(home, path, bytes),
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
    path,
    async remove(sha256) {
      await rm(path(sha256), { force: true });
      await home.shared?.removeDocuments([sha256], Number.MAX_SAFE_INTEGER);
    },
    async reseal(sha256, key) {
      // The file here may be another than the one of the store, which is what counts.
      const aside = home.shared && (await fetchAside(home.documentsDir, home.shared, sha256));
      const handle = await open(aside ?? path(sha256), 'r').catch(() => undefined);
      if (!handle) return;
      try {
        const file = await openDocumentFile(handle, home.dataKeys).catch(() => undefined);
        if (!file || file.key === key) return;
        const sound = await verified(handle, { sha256 }, { home, checked }).catch(() => undefined);
        if (sound) await putDocument(home, path, sound.bytes());
      } finally {
        await handle.close();
        if (aside !== undefined) await rm(aside, { force: true });
      }
    },
    async refresh(sha256, key) {
      if (home.shared && (await sealingKey(path(sha256))) !== key) await takeOver(home.shared, sha256);
    },
  };
}

/** By hash, the headers of sealed files whose content has that hash. */
type Checked = LRUCache<string, string>;

async function verified(
  handle: FileHandle,
  { sha256, size }: ContentName,
  { part, home, checked }: { part?: FilePart | undefined; home: DocumentHome; checked: Checked },
): Promise<{ size: number; bytes: () => AsyncIterable<Uint8Array> }> {
  const file = await openDocumentFile(handle, home.dataKeys).catch((cause: unknown) => {
    throw damaged('cannot be read', cause);
  });
  if (size !== undefined && file.size !== size) throw damaged(`has ${file.size} bytes where ${size} belong`);
  const { start, end } = part ?? { start: 0, end: file.size - 1 };
  const bytes = (): AsyncIterable<Uint8Array> => contentOf(file, start, end);
  const header = file.header?.toString('base64');
  // Chunks say nothing of those that are gone: without its size a file is always read as a whole.
  if (size !== undefined && header !== undefined && checked.get(sha256) === header) {
    // Only who has the data key could have sealed other chunks with this header; to read them is to check them.
    for await (const chunk of bytes()) void chunk;
  } else {
    const hash = createHash('sha256');
    for await (const chunk of contentOf(file, 0, file.size - 1)) hash.update(chunk);
    if (hash.digest('hex') !== sha256) throw damaged('has other bytes than were stored');
    if (header !== undefined) checked.set(sha256, header);
  }
  return { size: file.size, bytes };
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
