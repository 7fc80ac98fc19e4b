import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder outside the project for what tests write; gone when all have run. */
    readonly scratch: string;
  }
}

/** Makes the folder in which the tests of a project make theirs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-tests-'));
  project.provide('scratch', folder);
  return () => rm(folder, { recursive: true, force: true });
}
