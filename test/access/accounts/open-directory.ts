import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';

/** A data directory of its own for one test, removed when the test is over. */
export async function openDirectory(): Promise<DataDirectory> {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-accounts-'));
  const directory = await openDataDirectory(dir, { create: true });
  onTestFinished(async () => {
    await directory.close();
    await rm(dir, { recursive: true });
  });
  return directory;
}
