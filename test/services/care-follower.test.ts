import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { beginCareIndex, careDigest, isIndexed } from '../../src/access/accounts/care-index.js';
import { keyOf, openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { readModel, type Model } from '../../src/model/read-model.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { CareFollower } from '../../src/services/care-follower.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { encounterGraph, type Met } from '../setup/encounter-graph.js';
import { temporaryFolder } from '../store/disk/temporary.js';

const BASE = 'http://localhost:7000';
const NPI = '1234567893';
const NOW = Date.parse('2026-06-15T12:00:00Z');
const root = resolve(import.meta.dirname, '../..');
let model: Model;
beforeAll(async () => {
  model = await readModel({ ontology: join(root, 'ontology'), queries: join(root, 'queries') });
});

interface Place {
  readonly directory: DataDirectory;
  readonly primary: PrimaryStore;
  readonly accounts: Accounts;
}

async function place(): Promise<Place> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const accounts = openAccounts(directory, keyOf(directory), () => NOW);
  await directory.transact((tx) => {
    tx.put('meta', 'clinicians', 'related');
    accounts.putUser(tx, { id: 'dr', role: 'clinician', records: [], practitioner: NPI });
  });
  return { directory, primary: openPrimaryStore(directory, BASE), accounts };
}

const recordOf = (id: string): string => `${BASE}/records/${id}`;

/** Writes a record in which somebody met the patient. */
async function write({ primary }: Place, id: string, met: Partial<Met> = {}): Promise<void> {
  const record = recordOf(id);
  const own = quad(namedNode(record), namedNode(rdf.type), namedNode(sp.MedicalRecord));
  const replace = [
    { name: record, quads: [own] },
    encounterGraph(record, { npi: NPI, start: '2026-06-01', ...met }),
  ];
  await primary.write({ replace });
}

function follow({ directory, primary }: Place, version = '1') {
  const key = keyOf(directory);
  const digest = careDigest(key, version, model.digest);
  const follower = new CareFollower({
    ...{ primary, key, digest, queries: model.access },
    log: pino({ level: 'silent' }),
  });
  follower.start();
  onTestFinished(() => follower.close());
  return follower;
}

const indexed = ({ directory }: Place, ...records: readonly string[]): Promise<void> =>
  vi.waitFor(
    () => expect(records.filter((each) => !directory.read((tx) => isIndexed(tx, each)))).toEqual([]),
    5000,
  );
const openTo = ({ accounts }: Place): string[] => accounts.openRecords('dr')?.sort() ?? ['all'];

describe('the index of care', () => {
  test('has records of before and after its start, with ids of any form', async () => {
    const here = await place();
    await write(here, '10');
    await write(here, '10-a');
    await write(here, '9', { npi: '1' });
    follow(here);
    await indexed(here, '10', '10-a', '9');
    expect(openTo(here)).toEqual(['10', '10-a']);
    await write(here, '11');
    await indexed(here, '11');
    expect(openTo(here)).toEqual(['10', '10-a', '11']);
    expect(here.accounts.mayOpen('dr', '9')).toBe(false);
  });

  test('is not made before an account is linked to a practitioner', async () => {
    const here = await place();
    const link = (practitioner: string): Promise<void> =>
      here.directory.transact((tx) =>
        here.accounts.putUser(tx, { id: 'dr', role: 'clinician', records: [], practitioner }),
      );
    await link('');
    await write(here, '10');
    follow(here);
    await write(here, '11');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(here.directory.read((tx) => isIndexed(tx, '10'))).toBe(false);
    await link(NPI);
    await indexed(here, '10', '11');
    expect(openTo(here)).toEqual(['10', '11']);
  });

  test.each<[string, Partial<Met>, boolean]>([
    ['that begins today', { start: '2026-06-15' }, true],
    ['that begins tomorrow', { start: '2026-06-16' }, false],
    ['that ended 90 days ago', { start: '2025-12-01', end: '2026-03-17' }, true],
    ['that ended 91 days ago', { start: '2025-12-01', end: '2026-03-16' }, false],
    ['without an end that began 91 days ago', { start: '2026-03-16' }, false],
    ['of a year', { start: '2026' }, false],
    ['of another practitioner', { npi: '1234567894' }, false],
  ])('opens by an encounter %s: %#', async (_name, met, isOpen) => {
    const here = await place();
    await write(here, '1', met);
    follow(here);
    await indexed(here, '1');
    expect(here.accounts.mayOpen('dr', '1')).toBe(isOpen);
    expect(openTo(here)).toEqual(isOpen ? ['1'] : []);
  });

  test('says nothing of a record whose encounters changed since, and goes on when others change', async () => {
    const here = await place();
    await write(here, '1');
    await write(here, '2');
    const follower = follow(here);
    await indexed(here, '1', '2');
    await follower.close();
    await write(here, '2', { start: '2026-06-02' });
    await here.primary.write({
      replace: [
        {
          name: `${recordOf('1')}/problems/p`,
          quads: [quad(namedNode(`${recordOf('1')}/problems/p`), namedNode(rdf.type), namedNode(sp.Problem))],
        },
      ],
    });
    expect(openTo(here)).toEqual(['1']);
    expect(here.accounts.mayOpen('dr', '2')).toBe(false);
    follow(here);
    await indexed(here, '2');
    expect(openTo(here)).toEqual(['1', '2']);
  });

  test.each([false, true])(
    'does not open a record that gets the id of a removed one: purged %s',
    async (purges) => {
      const here = await place();
      await write(here, '1');
      const follower = follow(here);
      await indexed(here, '1');
      await follower.close();
      await removeRecord(here.primary, BASE, '1', purges);
      expect(here.directory.read((tx) => tx.count('care'))).toBe(1);
      expect(openTo(here)).toEqual([]);
      await write(here, '1', { npi: '1' });
      expect(openTo(here)).toEqual([]);
      follow(here);
      await indexed(here, '1');
      expect(openTo(here)).toEqual([]);
    },
  );

  test('is made anew for another model, and left alone by the program of the earlier one', async () => {
    const here = await place();
    await write(here, '1');
    const earlier = follow(here);
    await indexed(here, '1');
    const digest = careDigest(keyOf(here.directory), '2', model.digest);
    await here.directory.transact((tx) => beginCareIndex(tx, digest));
    expect(openTo(here)).toEqual([]);
    await write(here, '2');
    // It has seen the commits, and does nothing.
    await new Promise((done) => setTimeout(done, 700));
    expect(openTo(here)).toEqual([]);
    await earlier.close();
    follow(here, '2');
    await indexed(here, '1', '2');
    expect(openTo(here)).toEqual(['1', '2']);
  });

  test('is made of what a restore brings back, in a server that runs', async () => {
    const here = await place();
    await write(here, '1');
    await write(here, '2', { npi: '1' });
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(here.directory, file);
    await write(here, '1', { npi: '1' });
    await write(here, '2');
    const follower = follow(here);
    await indexed(here, '1', '2');
    expect(openTo(here)).toEqual(['2']);
    await restoreBackup(here.directory, file);
    await indexed(here, '1', '2');
    expect(openTo(here)).toEqual(['1']);
    await follower.close();
  });
});

describe('who is linked to a practitioner', () => {
  const link = ({ directory, accounts }: Place, id: string, more: object): Promise<void> =>
    directory.transact((tx) => accounts.putUser(tx, { id, role: 'clinician', records: [], ...more }));

  test('is one user, until they are another practitioner, have another role or are removed', async () => {
    const here = await place();
    const other = { practitioner: NPI };
    await expect(link(here, 'second', other)).rejects.toThrow('linked to the user dr already');
    await link(here, 'dr', { practitioner: '7' });
    await link(here, 'second', other);
    await link(here, 'second', { role: 'person' });
    await link(here, 'third', other);
    await here.directory.transact((tx) => here.accounts.removeUser(tx, 'third'));
    await link(here, 'fourth', other);
    expect(here.accounts.listUsers().map(({ id, practitioner }) => [id, practitioner])).toEqual([
      ['dr', '7'],
      ['fourth', NPI],
      ['second', undefined],
    ]);
  });

  test('opens nothing by it any more without the link, nor do the apps let in', async () => {
    const here = await place();
    await write(here, '1');
    follow(here);
    await indexed(here, '1');
    await here.directory.transact((tx) => here.accounts.putApp(tx, { id: 'app@example.org', mode: 'ui' }));
    const { id } = await here.accounts.issueToken({ app: 'app@example.org', user: 'dr', record: '1' });
    expect(here.accounts.isTokenUsable(id, '1')).toBe(true);
    await link(here, 'dr', {});
    expect(here.accounts.isTokenUsable(id, '1')).toBe(true);
    await link(here, 'dr', { practitioner: '' });
    expect(here.accounts.tokenById(id)).toBeUndefined();
    expect(openTo(here)).toEqual([]);
  });

  test.each(['a b', 'é', ''.padEnd(201, '1')])(
    'has an identifier of letters, digits and signs: %s',
    async (practitioner) => {
      await expect(link(await place(), 'dr', { practitioner })).rejects.toThrow(
        'identifier of a practitioner',
      );
    },
  );
});
