import { statSync, unlinkSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory, ReadTx } from './data-directory.js';
import { openDocumentStore } from './document-files.js';
import type { SharedStore } from './shared/shared-store.js';

/** Younger files are left alone: whoever put them may be about to store the graph that refers to them. */
export const SWEEP_AGE = 10 * 60_000;

/** The same for those in a shared store, where clocks of gateways may differ. */
const SHARED_AGE = 24 * 60 * 60_000;

/** What `sweepDocuments` may be told. */
export interface SweepOptions {
  /** Milliseconds that a file must have been there. */
  readonly age?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/**
 * Removes the files that no graph refers to, and what interrupted writers left behind. Who refers to a file checks,
 * in the transaction that says so, that it is there; files are removed in a transaction too. So no graph is ever
 * left without its file, whatever runs at the same time.
 * @param references the hashes that the graphs of a snapshot refer to
 * @returns how many files were removed
 */
export async function sweepDocuments(
  directory: DataDirectory,
  references: (tx: ReadTx) => ReadonlySet<string>,
  { age = SWEEP_AGE, now = Date.now() }: SweepOptions = {},
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
