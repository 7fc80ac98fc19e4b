import { Problem } from '../../model/problem.js';
import type { BackupEntry } from './backup-file.js';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import type { DataDirectory, ReadTx } from '../disk/data-directory.js';
import { openDocumentStore, type DocumentStore } from '../documents/document-files.js';

export const FILES = 'files';

/** Finds the documents that a snapshot's graphs refer to: each hash with the path of one of these graphs. */
export type References = (tx: ReadTx) => ReadonlyMap<string, string>;

export type LeaveOut = (sha256: string, path: string) => void;

/**
 * Yields documents as backup entries, each checked against its hash. Reads them with today's keys, not the snapshot's:
 * a key rotation may have sealed them again since.
 * @param references undefined to yield every readable document
 * @param leaveOut called for each unreadable document; by default throws
 * @throws DataDirectoryError when a document that the snapshot refers to is missing or damaged
 * @throws Problem unavailable when a shared store cannot be reached
 */
export async function* documentEntries(
  directory: DataDirectory,
  references: ReadonlyMap<string, string> | undefined,
  leaveOut: LeaveOut = refuse,
): AsyncGenerator<BackupEntry> {
  const documents = openDocumentStore(directory);
  for (const sha256 of references?.keys() ?? (await allDocuments(directory, documents))) {
    const value = await contentOf(documents, sha256);
    if (value) yield { table: FILES, key: sha256, value };
    else if (references) leaveOut(sha256, references.get(sha256) ?? '');
  }
}

/**
 * Stores the documents of a backup. @returns a check that all are still there, for the transaction that refers to them
 */
export async function restoreDocuments(
  directory: DataDirectory,
  entries: Iterable<BackupEntry>,
): Promise<() => boolean> {
  const store = openDocumentStore(directory);
  const put: string[] = [];
  for (const { table, value } of entries) {
    if (table === FILES) put.push((await store.put([value])).sha256);
  }
  return () => put.every(store.has);
}

async function allDocuments({ shared }: DataDirectory, documents: DocumentStore): Promise<Set<string>> {
  const there = (await shared?.documentsBefore(Number.MAX_SAFE_INTEGER)) ?? [];
  return new Set([...(await documents.list()).map(({ sha256 }) => sha256), ...there]);
}

async function contentOf(documents: DocumentStore, sha256: string): Promise<Buffer | undefined> {
  const read = (): Promise<Buffer> => documents.read({ sha256 });
  try {
    // Try twice: a key rotation may drop the key of a file between opening and reading it.
    return await read().catch(read);
  } catch (error) {
    if (error instanceof Problem && error.kind === 'damaged-document') return undefined;
    throw error;
  }
}

function refuse(sha256: string, path: string): never {
  throw new DataDirectoryError(
    `The document ${sha256}, which ${path} refers to, is missing or damaged: put it in once more, or leave such documents out with --without-damaged. No backup was written.`,
  );
}
