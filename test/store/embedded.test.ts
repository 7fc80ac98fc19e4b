import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openEmbeddedStore } from '../../src/store/embedded-store.js';
import { runGraphStoreTests } from './contract.js';
import { BASE } from './samples.js';

describe('the embedded store', () => {
  runGraphStoreTests({
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'chartgraph-'));
      const directory = await openDataDirectory(folder, { create: true });
      const store = await openEmbeddedStore({ directory, base: BASE });
      const dispose = async (): Promise<void> => {
        await store.close();
        await directory.close();
        await rm(folder, { recursive: true });
      };
      return { store, dispose };
    },
  });
});
