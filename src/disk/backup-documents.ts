import { Problem } from '../problem.js';
import type { BackupEntry } from './backup-file.js';
import { DataDirectoryError } from './data-directory-error.js';
import type { DataDirectory, ReadTx } from './data-directory.js';
import { openDocumentStore, type DocumentStore } from './document-files.js';

/** The name under which the files of documents stand in a backup, beside the tables. */
export const FILES = 'files';

/** The hashes of the documents that the graphs of a snapshot refer to, each with the path of one of these graphs. */
export type References = (tx: ReadTx) => ReadonlyMap<string, string>;

/** Called with the hash of a document that is missing or damaged, and the path of a graph that refers to it. */
export type LeaveOut = (sha256: string, path: string) => void;

/**
 * Documents as entries of a backup, read one by one, each compared with its hash. They are read with the keys of then
 * and not of the snapshot: a change of the data key may have sealed them anew since.
 * @param references the documents that the snapshot refers to; undefined for every one that is there and can be read
 * @param leaveOut what a document that cannot be read is told to; without it, one ends the walk
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
 * Puts the files among the entries of a backup into a directory, each under the hash that its bytes have now.
 * @returns whether all of them are still there; to be called in the transaction that stores what refers to them
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

/** Of a shared store, what this gateway does not have or has damaged is taken over. */
async function contentOf(documents: DocumentStore, sha256: string): Promise<Buffer | undefined> {
  const read = (): Promise<Buffer> => documents.read({ sha256 });
  try {
    // Twice: the key of a file that was just opened may have been dropped before the file was read.
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
