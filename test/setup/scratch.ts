import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { folderInMemory } from './folder-in-memory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder outside the project for what tests write; gone when all have run. */
    readonly scratch: string;
  }
}

/** What the setups of all projects of a run share. */
const run = globalThis as { parentOfScratch?: string };

/** Makes the folder in which the tests of a project, and what they start, make theirs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // One inside of that of another project, and so on, would be too long a path for a socket.
  const parent = (run.parentOfScratch ??= process.env['TMPDIR'] ?? folderInMemory() ?? tmpdir());
  const folder = await mkdtemp(join(parent, 'chartgraph-tests-'));
  // A PostgreSQL server runs as another user in a folder below.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  project.provide('scratch', folder);
  return () => rm(folder, { recursive: true, force: true });
}
