import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { distinct } from '../../src/rdf/parse.js';
import { cg, sp, vcard } from '../../src/rdf/vocabulary.js';
import { containerManifest, publishContainer } from '../../src/records/container-manifest.js';
import { listRecords } from '../../src/records/record-names.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { loadSeed } from '../../src/records/seed.js';
import {
  base,
  ontology,
  ontologyQuads,
  place,
  problem,
  record,
  turtlePrefixes,
  type Place,
} from './support.js';

const description = { name: 'C', description: 'D', admin: 'a@example.org', version: '0.1.7' };

async function accountsOf({ directory, dir }: Place): Promise<Accounts> {
  return openAccounts(directory, await loadSecretKey(join(dir, 'data'), {}));
}

/** Writes a seed folder; text is kept, everything else becomes JSON. */
async function seedFolder({ dir }: Place, files: Record<string, unknown>): Promise<string> {
  const folder = join(dir, 'seed');
  for (const each of ['records', 'apps']) await mkdir(join(folder, each), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const app = { id: 'a@example.org', name: 'A', description: 'An app', mode: 'background' };
const user = {
  user_id: 'u',
  given_name: 'Ada',
  family_name: 'B',
  role: 'person',
  records: ['7'],
  department: 'X',
};
const patientFile = `${turtlePrefixes} _:a ${problem('Gout', '2009')}`;

describe('records of a data directory', () => {
  it('are listed with their counts', async () => {
    const { load, primary } = await place();
    await load('p7.ttl', `_:a ${problem('Gout', '2009')} _:b ${problem('Flu', '2010')}`);
    const { quads } = await load('p70.ttl', `_:a ${problem('Gout', '2009')}`);
    await primary.write({
      replace: [{ name: `${record}/apps/a/scratchpad`, quads: primary.graph(record) ?? [] }],
    });
    expect([...listRecords(primary, ontology, base)]).toMatchObject([
      { record_id: '7', statements: 2 },
      { record_id: '70', statements: 1, quads },
    ]);
  });

  it('are removed whole, and no others with them', async () => {
    const { load, primary } = await place();
    await load('p7.ttl', `_:a ${problem('Gout', '2009')}`);
    await load('p70.ttl', `_:a ${problem('Gout', '2009')}`);
    expect(await removeRecord(primary, base, '7')).toMatchObject({ existed: true });
    expect(await removeRecord(primary, base, '7')).toMatchObject({ existed: false });
    const left = primary.names().map((name) => name.slice(`${base}/records/`.length).split('/')[0]);
    expect(new Set(left)).toEqual(new Set(['70']));
  });
});

describe('the container', () => {
  it('has a manifest with no other keys than verifiers allow, and capabilities from the calls', () => {
    const manifest = containerManifest(description, ontology, base);
    expect(Object.keys(manifest)).toEqual([
      'name',
      'description',
      'admin',
      'smart_version',
      'api_base',
      'launch_urls',
      'capabilities',
    ]);
    expect(manifest.smart_version).toBe('0.1');
    expect(manifest.capabilities[sp.ClinicalNote]).toEqual({ methods: ['GET', 'POST'] });
    expect(manifest.capabilities[sp.ScratchpadData]).toEqual({ methods: ['GET', 'PUT', 'DELETE'] });
    expect(manifest.launch_urls.app_launch).toBe(`${base}/apps/{{app_id}}/launch`);
  });

  it('publishes manifest and ontology, and does not write what is there', async () => {
    const { primary } = await place();
    const container = { ...description, primary, ontology, ontologyQuads, base };
    await publishContainer(container);
    expect(primary.graph(`${base}/ontology`)).toHaveLength(distinct(ontologyQuads).length);
    const before = primary.revision('');
    await publishContainer(container);
    expect(primary.revision('')).toBe(before);
    await publishContainer({ ...container, name: 'E' });
    expect(primary.revision('/manifest')).toBe(before + 1);
  });
});

describe('a seed', () => {
  it('is loaded with its apps and users into a data directory that was never written to, and only then', async () => {
    const here = await place();
    const accounts = await accountsOf(here);
    const dir = await seedFolder(here, {
      'records/7.ttl': patientFile,
      'apps/a.json': app,
      'users.json': [user],
      'README.md': '',
    });
    const options = { dir, primary: here.primary, accounts, ontology, base };
    expect(await loadSeed(options)).toEqual({ records: 1, apps: 1, users: 1, warnings: [] });
    expect(accounts.app('a@example.org')).toMatchObject({ mode: 'background' });
    expect(accounts.user('u')).toMatchObject({ role: 'person', records: ['7'] });
    const manifest = here.primary.graph(`${base}/apps/a@example.org/manifest`);
    expect(
      JSON.parse(manifest?.find(({ predicate }) => predicate.value === cg.json)?.object.value ?? ''),
    ).toEqual(app);
    const names = here.primary
      .graph(`${base}/users/u`)
      ?.filter(({ predicate }) => predicate.value === vcard['given-name']);
    expect(names?.map(({ object }) => object.value)).toEqual(['Ada']);
    await removeRecord(here.primary, base, '7');
    expect(await loadSeed(options)).toBeUndefined();
  });

  it.each([
    ['records/7.ttl', 'nonsense'],
    ['apps/b.json', { ...app, mode: 'other' }],
    ['apps/b.json', '{'],
    ['users.json', [{ ...user, role: 'king' }]],
  ])('with a bad %s is refused whole by the name of the file', async (file, content) => {
    const here = await place();
    const accounts = await accountsOf(here);
    const dir = await seedFolder(here, { 'records/8.ttl': patientFile, 'apps/a.json': app, [file]: content });
    await expect(loadSeed({ dir, primary: here.primary, accounts, ontology, base })).rejects.toThrow(file);
    expect(here.primary.revision('')).toBe(0);
    expect(accounts.listApps()).toEqual([]);
  });

  it('that is not there is refused, and does not pass for an empty one', async () => {
    const here = await place();
    const options = { primary: here.primary, accounts: await accountsOf(here), ontology, base };
    const nowhere = join(await seedFolder(here, { 'records/7.ttl': patientFile }), 'sede');
    await expect(loadSeed({ dir: nowhere, ...options })).rejects.toThrow(
      `There is no seed folder ${nowhere}`,
    );
    await expect(loadSeed({ dir: import.meta.filename, ...options })).rejects.toThrow(
      'There is no seed folder',
    );
    expect(here.primary.revision('')).toBe(0);
  });

  it('with a record in two files is refused by the names of both', async () => {
    const here = await place();
    const accounts = await accountsOf(here);
    const dir = await seedFolder(here, { 'records/7.ttl': patientFile, 'records/more-7.ttl': patientFile });
    await expect(loadSeed({ dir, primary: here.primary, accounts, ontology, base })).rejects.toThrow(
      /more-7\.ttl cannot be loaded: record 7 is in .*7\.ttl as well/u,
    );
    expect(here.primary.revision('')).toBe(0);
  });

  it('that is shipped loads without a warning and holds every statement class', async () => {
    const here = await place();
    const accounts = await accountsOf(here);
    const dir = resolve(import.meta.dirname, '../../seed');
    const report = await loadSeed({ dir, primary: here.primary, accounts, ontology, base });
    expect(report?.warnings).toEqual([]);
    expect(report?.records).toBeGreaterThanOrEqual(8);
    const places = new Set(here.primary.names(`${base}/records/`).map((name) => name.split('/')[5] ?? ''));
    for (const { kind, basePath = '' } of ontology.classes.values()) {
      if (kind === 'statement' && basePath !== '') expect(places).toContain(basePath.split('/')[3]);
    }
  });
});
