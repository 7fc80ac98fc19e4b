import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../model/problem.js';
import type { DataDirectory } from '../disk/data-directory.js';
import { fetchAside, fetchDocument, putDocument, type Bytes } from './put-document.js';
import { openDocumentFile, sealingKey, type DocumentFile } from './sealed-document.js';
import type { SharedStore } from '../postgres/shared-store.js';

const SHA256 = /^[0-9a-f]{64}$/;
/** Verified files that a process remembers, at about 200 bytes each. */
const MAX_KNOWN_FILES = 10_000;

export interface ContentKey {
  readonly sha256: string;
  readonly size: number;
}

export type ContentName = Pick<ContentKey, 'sha256'> & Partial<ContentKey>;

export interface FilePart {
  readonly start: number;
  readonly end: number;
}

/** A verified file, still open. */
export interface VerifiedFile {
  readonly size: number;
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export type DocumentHome = Pick<DataDirectory, 'documentsDir' | 'dataKeys' | 'transact' | 'shared'> &
  Partial<Pick<DataDirectory, 'current'>>;

export type DocumentStore = ReturnType<typeof openDocumentStore>;

/** Opens the documents of a data directory: sealed files named by hash (`sha256/ab/cdef…`), equal content once. */
export function openDocumentStore(home: DocumentHome) {
  const root = join(home.documentsDir, 'sha256');
  const path = (sha256: string): string => {
    // The hash comes from a graph; nothing else may become a path.
    if (!SHA256.test(sha256)) throw damaged('has no proper hash');
    return join(root, sha256.slice(0, 2), sha256.slice(2));
  };
  /** Running fetches by hash, shared between callers. */
  const underWay = new Map<string, Promise<void>>();
  const takeOver = async (store: SharedStore, sha256: string): Promise<void> => {
    let fetching = underWay.get(sha256);
    if (!fetching) {
      const begun = fetchDocument(home.documentsDir, store, sha256, path(sha256));
      fetching = begun.finally(() => underWay.delete(sha256));
      underWay.set(sha256, fetching);
    }
    await fetching;
    // It may be sealed with a data key that this copy has not seen yet.
    await home.current?.();
  };
  const fetched = async (sha256: string): Promise<void> => {
    if (home.shared && !existsSync(path(sha256))) await takeOver(home.shared, sha256);
  };
  const checked: Checked = new LRUCache({ max: MAX_KNOWN_FILES });
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
  /**
   * Opens a verified file or a part of it. A file that was hashed before is recognized by its header, which
   * authenticates each chunk, so only the part is read.
   * @throws Problem damaged-document when it is missing, truncated or altered
   */
  const openVerified = async (key: ContentName, part?: FilePart): Promise<VerifiedFile> => {
    await fetched(key.sha256);
    try {
      return await openHere(key, part);
    } catch (error) {
      if (!home.shared) throw error;
      // This file is a copy; the shared store may have a good one.
      await takeOver(home.shared, key.sha256);
      return openHere(key, part);
    }
  };
  return {
    /** Stores bytes durably; rewriting a file repairs it and protects it from `sweepDocuments`. @throws RangeError */
    put: (bytes: Bytes) => putDocument(home, path, bytes),
    has: (sha256: string) => SHA256.test(sha256) && existsSync(path(sha256)),
    open: openVerified,
    /** Returns the whole content, checked like in `open`. @throws Problem damaged-document */
    async read(key: ContentName): Promise<Buffer> {
      const file = await openVerified(key);
      const parts: Uint8Array[] = [];
      const hash = createHash('sha256');
      for await (const part of file.bytes()) {
        hash.update(part);
        parts.push(part);
      }
      // The file is read again after `open` checked it.
      if (hash.digest('hex') !== key.sha256) throw damaged('changes while it is read');
      return Buffer.concat(parts);
    },
    /** Lists all files by hash, with their modification times (ms since 1970). */
    list: () => list(root),
    path,
    async remove(sha256: string): Promise<void> {
      await rm(path(sha256), { force: true });
      await home.shared?.removeDocuments([sha256], Number.MAX_SAFE_INTEGER);
    },
    /** Seals a document again unless this data key sealed it; skips damaged or missing ones. */
    async reseal(sha256: string, key: number): Promise<void> {
      // The shared store's file counts, and may differ from the one here.
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
    async refresh(sha256: string, key: number): Promise<void> {
      if (home.shared && (await sealingKey(path(sha256))) !== key) await takeOver(home.shared, sha256);
    },
  };
}

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
  const header = file.header.toString('base64');
  // Chunks do not reveal missing ones: without a known size the whole file is hashed.
  if (size !== undefined && checked.get(sha256) === header) {
    // Only a holder of the data key could seal other chunks under this header, so reading them checks them.
    for await (const chunk of bytes()) void chunk;
  } else {
    const hash = createHash('sha256');
    for await (const chunk of contentOf(file, 0, file.size - 1)) hash.update(chunk);
    if (hash.digest('hex') !== sha256) throw damaged('has other bytes than were stored');
    checked.set(sha256, header);
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

/** Reads the open file that was checked, even if its name has moved to another. */
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
