import { describe, expect, test } from 'vitest';
import { openMemoryStore } from '../../src/store/memory-store.js';
import { runGraphStoreTests } from './contract.js';
import { BASE, note } from './samples.js';

describe('the store in memory', () => {
  runGraphStoreTests({
    open() {
      const store = openMemoryStore(BASE);
      return Promise.resolve({ store, dispose: () => store.close() });
    },
  });

  test('what is derived of a graph can be looked up and goes with it', async () => {
    const store = openMemoryStore(BASE, (name) => `<${name}> <urn:length> "1" .\n`);
    await store.write({ replace: [note('/records/1/notes/a', 'x'), note('/records/1/notes/b', 'x')] });
    await store.write({ remove: [BASE + '/records/1/notes/a'] });
    await store.write({ replace: [note('/records/1/notes/b', 'y')] });
    const rows = await store.select('SELECT ?note { GRAPH ?index { ?note <urn:length> ?one } }');
    expect(rows.map((row) => row['note']?.value)).toEqual([`${BASE}/records/1/notes/b`]);
    await store.close();
  });
});
