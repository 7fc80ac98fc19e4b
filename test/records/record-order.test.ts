import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { recordAfter } from '../../src/records/record-order.js';

it('walks through all records in text order, past everything beneath them', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-order-'));
  const directory = await openDataDirectory(dir, { create: true });
  const ids = ['1', '1-a', '1.x', '10', '2', 'A', 'Z~', 'a', 'first', 'next', '0'];
  await directory.transact((tx) => {
    for (const id of ids) {
      tx.put('graphs', `/records/${id}`, '');
      for (const rest of ['demographics', 'medications/1', 'medications/zz', '~'])
        tx.put('graphs', `/records/${id}/${rest}`, '');
    }
    // Statements of a record that does not exist, and what is no record.
    tx.put('graphs', '/records/9/medications/1', '');
    tx.put('graphs', '/recordsx', '');
    tx.put('graphs', '/apps/a/manifest', '');
    tx.put('graphs', '/users/u', '');
  });
  const seen: string[] = [];
  for (let id = recordAfter(directory, undefined); id !== undefined; id = recordAfter(directory, id))
    seen.push(id);
  expect(seen).toEqual([...ids].sort());
  expect(recordAfter(directory, '15')).toBe('2');
  expect(recordAfter(directory, '~~~')).toBeUndefined();
  await directory.close();
  await rm(dir, { recursive: true });
});
