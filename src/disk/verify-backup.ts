import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { References } from './backup-documents.js';
import { restoreBackup, type RestoreOptions } from './backup.js';
import type { BackupKey } from './backup-key.js';
import { openDataDirectory, type ReadTx } from './data-directory.js';
import { openDocumentStore } from './document-files.js';
import { removeOnSignal } from './remove-on-signal.js';

/** What a backup holds, and what is wrong with it: a sentence each. */
export interface BackupContents {
  readonly records: number;
  readonly graphs: number;
  readonly documents: number;
  readonly problems: readonly string[];
}

type CheckGraph = NonNullable<RestoreOptions['checkGraph']>;

/**
 * Restores a backup into a directory made for that, which is removed again, and counts what is there. Its values are
 * sealed with a key of its own, which is in no file: what is left there by an end in between, nobody opens.
 * @param key called once; what it throws is a problem
 * @param references finds the documents that have to be in it
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
  // The folder is made when signals are heard: one that comes as soon as it is there finds it.
  return removeOnSignal(remove, () => {
    dir = mkdtempSync(join(tmpdir(), 'chartgraph-verify-'));
    return verifyIn(dir, file, key, { checkGraph, references });
  }).finally(remove);
}

async function verifyIn(
  dir: string,
  file: string,
  key: () => Promise<BackupKey>,
  { checkGraph, references }: { readonly checkGraph: CheckGraph; readonly references: References },
): Promise<BackupContents> {
  const directory = await openDataDirectory(dir, { create: true, secret: randomBytes(32) });
  const problems: string[] = [];
  const unsealed = (): void =>
    void problems.push(`The backup ${file} is not sealed: anybody could have written it.`);
  try {
    await restoreBackup(directory, file, { key: await key(), checkGraph, unsealed });
    const documents = openDocumentStore(directory);
    // Each was put under the hash of its bytes, so one that is there is sound.
    const missing = [...directory.read(references)].filter(([sha256]) => !documents.has(sha256));
    return {
      ...directory.read(countGraphs),
      documents: (await documents.list()).length,
      problems: [...problems, ...missing.map(([sha256, path]) => notIn(file, sha256, path))],
    };
  } catch (error) {
    // What a restore says of the data directory is said of none here.
    const problem = (error as Error).message.replace(/ Nothing was changed\.$/u, '');
    return { records: 0, graphs: 0, documents: 0, problems: [...problems, problem] };
  } finally {
    await directory.close();
  }
}

function notIn(file: string, sha256: string, path: string): string {
  return `The document ${sha256}, which ${path} refers to, is not in the backup ${file}.`;
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
