import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.js';
import type { BackupEntry } from './backup-file.js';
import type { DataDirectory } from './data-directory.js';
import type { DataKeys } from './sealed-values.js';
import { openDocumentStore } from './document-files.js';
import { documentContent } from './sealed-document.js';

/** The name under which the files of documents stand in a backup, beside the tables. */
export const FILES = 'files';

/**
 * Takes over the documents of a shared store that this gateway was never asked for. A document is stored before any
 * graph refers to it, so when the last look has found nothing new, those of the snapshot that follows are here.
 * @throws Problem unavailable when the store cannot be reached
 */
export async function fetchDocuments(directory: DataDirectory): Promise<void> {
  if (!directory.shared) return;
  const documents = openDocumentStore(directory);
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const sha256 of await directory.shared.documentsBefore(Number.MAX_SAFE_INTEGER)) {
      if (documents.has(sha256)) continue;
      await documents.fetch(sha256).then(
        () => (isNew = true),
        (error: unknown) => {
          // It was removed meanwhile: nothing refers to it any more.
          if (!(error instanceof Problem && error.kind === 'damaged-document')) throw error;
        },
      );
    }
  }
}

/**
 * All files of documents as entries of a backup, read one by one. To be walked inside the snapshot that the backup is
 * of: a file is there before any graph refers to it. One that cannot be opened is left out.
 */
export function* documentEntries({ documentsDir, dataKeys }: DataDirectory): Generator<BackupEntry> {
  const root = join(documentsDir, 'sha256');
  for (const start of names(root)) {
    for (const rest of start.startsWith('.') ? [] : names(join(root, start))) {
      const value = contentOf(join(root, start, rest), dataKeys);
      if (value) yield { table: FILES, key: start + rest, value };
    }
  }
}

/** Puts the files among the entries of a backup into a directory, each under the hash that its bytes have now. */
export async function restoreDocuments(
  directory: DataDirectory,
  entries: Iterable<BackupEntry>,
): Promise<void> {
  const store = openDocumentStore(directory);
  for (const { table, value } of entries) {
    if (table === FILES) await store.put([value]);
  }
}

function names(folder: string): string[] {
  return orNothing(() => readdirSync(folder).sort()) ?? [];
}

function contentOf(file: string, keys: DataKeys): Buffer | undefined {
  const bytes = orNothing(() => readFileSync(file));
  try {
    return bytes && documentContent(bytes, keys);
  } catch {
    return undefined;
  }
}

/** Files may be swept while we walk. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
