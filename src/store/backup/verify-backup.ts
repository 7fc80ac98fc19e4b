import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { References } from './backup-documents.js';
import { restoreBackup, type RestoreOptions } from './backup.js';
import type { BackupKey } from './backup-key.js';
import { openDataDirectory, type ReadTx } from '../disk/data-directory.js';
import { openDocumentStore } from '../documents/document-files.js';
import { removeOnSignal } from '../disk/remove-on-signal.js';

export interface BackupContents {
  readonly records: number;
  readonly graphs: number;
  readonly documents: number;
  readonly problems: readonly string[];
}

type CheckGraph = NonNullable<RestoreOptions['checkGraph']>;

/**
 * Restores a backup into a temporary directory and counts its contents. A random key in no file seals the values, so
 * leftovers of a killed process cannot be read.
 * @param key called once; an error becomes a problem
 * @param references finds the documents that the backup must hold
 */
export async function verifyBackup(
  file: string,
  key: () => Promise<BackupKey>,
  checkGraph: CheckGraph,
  references: References = () => new Map(),
): Promise<BackupContents> {
  let dir: string | undefined;
  const remove = (): void => {
    if (dir) rmSync(dir, { recursive: true, force: true });
  };
  // Handle signals before the folder exists, so that it is always removed.
  return removeOnSignal(remove, () => {
    dir = mkdtempSync(join(tmpdir(), 'chartgraph-verify-'));
    return verifyIn(dir, file, key, checkGraph, references);
  }).finally(remove);
}

async function verifyIn(
  dir: string,
  file: string,
  key: () => Promise<BackupKey>,
  checkGraph: CheckGraph,
  references: References,
): Promise<BackupContents> {
  const directory = await openDataDirectory(dir, { create: true, secret: randomBytes(32) });
  try {
    await restoreBackup(directory, file, { key: await key(), checkGraph });
    const documents = openDocumentStore(directory);
    const missing = [...directory.read(references)].filter(([sha256]) => !documents.has(sha256));
    return {
      ...directory.read(countGraphs),
      documents: (await documents.list()).length,
      problems: missing.map(
        ([sha256, path]) => `The document ${sha256}, which ${path} refers to, is not in the backup ${file}.`,
      ),
    };
  } catch (error) {
    // The message's promise about the data directory makes no sense here.
    const problem = (error as Error).message.replace(/ Nothing was changed\.$/u, '');
    return { records: 0, graphs: 0, documents: 0, problems: [problem] };
  } finally {
    await directory.close();
  }
}

function countGraphs(tx: ReadTx): { records: number; graphs: number } {
  const records = new Set<string>();
  let graphs = 0;
  for (const { key } of tx.range('graphs', { values: false })) {
    graphs++;
    const [, folder, record] = String(key).split('/');
    if (folder === 'records' && record !== undefined) records.add(record);
  }
  return { records: records.size, graphs };
}
