import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { demoDataTest } from '../../src/records/seed.js';
import { loadFile } from '../../src/records/load-file.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { base, ontology } from './support.js';

const dir = resolve(import.meta.dirname, '../../seed');
const recordFile = (id: string): string => join(dir, 'records', `${id}.ttl`);

it('demo data are the patients of the seed, each under the id that the seed gives', async () => {
  const directory = await openDataDirectory(await mkdtemp(join(inject('scratch'), 'demo-')), {
    create: true,
  });
  onTestFinished(() => directory.close());
  const primary = openPrimaryStore(directory, base);
  const isDemoData = await demoDataTest(primary, { dir, ontology });
  expect(isDemoData()).toBe(true);
  await loadFile({ path: recordFile('1000002'), primary, ontology, base });
  expect(isDemoData()).toBe(true);
  // Another one's data under the id of a demo patient.
  await loadFile({
    path: recordFile('1000003'),
    recordId: '1000002',
    replace: true,
    primary,
    ontology,
    base,
  });
  expect(isDemoData()).toBe(false);
  await loadFile({ path: recordFile('1000002'), replace: true, primary, ontology, base });
  expect(isDemoData()).toBe(true);
  await loadFile({ path: recordFile('1000002'), recordId: '17', primary, ontology, base });
  expect(isDemoData()).toBe(false);
  await removeRecord(primary, base, '17');
  expect(isDemoData()).toBe(true);
});
