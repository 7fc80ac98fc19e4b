import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for one test, removed when the test ends. A test that runs beside others gives its own `whenFinished`. */
export async function temporaryFolder(whenFinished = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-'));
  whenFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
