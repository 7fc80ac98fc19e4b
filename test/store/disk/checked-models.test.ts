import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import type { CheckedModels } from '../../../src/model/read-model.js';
import { checkedModels } from '../../../src/store/disk/checked-model.js';
import { readModel } from '../../../src/model/read-model.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const key = new Uint8Array(32).fill(7);
let folder: string;
let queries: string;
let checked: CheckedModels;

/** Reads the shipped ontology with the queries of the test. */
const read = (known: CheckedModels = checked): ReturnType<typeof readModel> =>
  readModel({ ontology: join(root, 'ontology'), queries }, known);

/** One query without the pattern that ties it to its record. */
async function unguard(): Promise<void> {
  const file = join(queries, 'get_medication.rq');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/sp:belongsTo \$record ; /, ''));
}

beforeEach(async () => {
  folder = await mkdtemp(join(inject('scratch'), 'checked-'));
  queries = join(folder, 'queries');
  await cp(join(root, 'queries'), queries, { recursive: true });
  checked = checkedModels(folder, key, '1.0.0');
});

describe('A model that passed every check', () => {
  test('is the same when it is only read', async () => {
    const first = await read();
    const second = await read({ ...checked, add: () => Promise.reject(new Error('checked again')) });
    expect(second.digest).toBe(first.digest);
    expect([...second.queries.keys()]).toEqual([...first.queries.keys()]);
    expect(second.plans).toEqual(first.plans);
    expect(Object.values(first.plans).filter(({ along }) => along).length).toBeGreaterThan(35);
    expect([...second.analyses]).toEqual([...first.analyses]);
  });

  test('is checked again when a query changes, even where another was checked before', async () => {
    await read();
    await unguard();
    await expect(read()).rejects.toThrow(/get_medication\.rq:\d+: a graph \?resource may be read/);
  });

  test('is checked again when an analysis changes', async () => {
    await read();
    const file = join(queries, 'analyses', 'age_pyramid.rq');
    await writeFile(file, (await readFile(file, 'utf8')).replace('SELECT', 'SELECTT'));
    await expect(read()).rejects.toThrow('age_pyramid.rq');
  });
});

describe('What a directory keeps of it', () => {
  test('is of no use without the key of the directory, nor to another version of the program', async () => {
    const { digest, plans } = await read();
    const isOf = async (models: CheckedModels) => (await models.last())?.isOf(digest);
    expect(await isOf(checked)).toBe(true);
    expect((await checked.last())?.plans).toEqual(plans);
    expect(await isOf(checkedModels(folder, new Uint8Array(32), '1.0.0'))).toBe(false);
    expect(await isOf(checkedModels(folder, key, '1.0.1'))).toBe(false);
    const file = join(folder, 'checked-model');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"along":[]', '"along":["urn:x"]'));
    expect(await isOf(checked)).toBe(false);
  });

  test.each(['', 'x', 'AAAA', '\0'.repeat(100)])('is worth nothing as %j', async (text) => {
    const { digest } = await read();
    await writeFile(join(folder, 'checked-model'), text);
    expect((await checked.last())?.isOf(digest) ?? false).toBe(false);
  });
});
