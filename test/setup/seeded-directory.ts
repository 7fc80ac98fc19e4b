import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startContainer } from '../../src/main.js';
import { containerSettings } from './container-settings.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data directory in which a container with the shipped seed has run; `seededCopy` copies it. */
    readonly seeded: string;
  }
}

/** Loads the seed once for all tests that start a container with it. */
export default async function setup(project: TestProject): Promise<void> {
  const data = join(project.getProvidedContext().scratch, 'seeded');
  const container = await startContainer(containerSettings(data));
  await container.close();
  project.provide('seeded', data);
}
