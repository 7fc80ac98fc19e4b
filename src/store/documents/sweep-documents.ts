import { statSync, unlinkSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory, ReadTx } from '../disk/data-directory.js';
import { openDocumentStore } from './document-files.js';
import type { SharedStore } from '../postgres/shared-store.js';

/** Younger files are kept: a graph that refers to one may be about to be stored. */
export const SWEEP_AGE = 10 * 60_000;

/** The same in a shared store, where gateway clocks may differ. */
const SHARED_AGE = 24 * 60 * 60_000;

/**
 * Removes unreferenced documents, and leftovers of interrupted writers. Writers check in their transaction that the
 * file of a new reference exists, and files are removed in a transaction, so no graph loses its file.
 * @param references returns the hashes that a snapshot's graphs refer to
 * @returns the number of removed files
 */
export async function sweepDocuments(
  directory: DataDirectory,
  references: (tx: ReadTx) => ReadonlySet<string>,
  { age = SWEEP_AGE, now = Date.now() }: { readonly age?: number; readonly now?: number } = {},
): Promise<number> {
  const store = openDocumentStore(directory);
  await removeTemporaries(join(directory.documentsDir, 'sha256'), now - age);
  if (directory.shared) await sweepShared(directory.shared, directory.read(references), now - SHARED_AGE);
  const old = (await store.list()).filter(({ changed }) => changed <= now - age);
  if (old.length === 0) return 0;
  const used = directory.read(references);
  const orphans = old.filter(({ sha256 }) => !used.has(sha256));
  if (orphans.length === 0) return 0;
  return directory.transact((tx) => {
    const stillUsed = references(tx);
    let removed = 0;
    for (const { sha256 } of orphans) {
      const file = store.path(sha256);
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found || stillUsed.has(sha256) || found.mtimeMs > now - age) continue;
      unlinkSync(file);
      removed++;
    }
    return removed;
  });
}

async function sweepShared(store: SharedStore, used: ReadonlySet<string>, before: number): Promise<void> {
  await store.removeUnfinished();
  const old = await store.documentsBefore(before);
  await store.removeDocuments(
    old.filter((sha256) => !used.has(sha256)),
    before,
  );
}

async function removeTemporaries(root: string, before: number): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.startsWith('.'))) {
    const file = join(root, name);
    const found = await stat(file).catch(() => undefined);
    if (found && found.mtimeMs <= before) await rm(file, { force: true });
  }
}
