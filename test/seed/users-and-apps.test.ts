import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { manifestProblems } from '../../src/access/accounts/manifest.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { readSeedRecords, seedDirectory } from './seed-records.js';

const read = (...path: string[]): unknown =>
  JSON.parse(readFileSync(resolve(seedDirectory, ...path), 'utf8'));

interface SeedUser {
  user_id: string;
  given_name: string;
  family_name: string;
  role: string;
  records: string[];
}

test('the users are one of each role, named after it, and their records exist', () => {
  const users = read('users.json') as SeedUser[];
  const ids = readSeedRecords().map(({ id }) => id);
  expect(users.map(({ user_id, role }) => [user_id, role])).toEqual([
    ['clinician', 'clinician'],
    ['person', 'person'],
    ['admin', 'admin'],
    ['analyst', 'analyst'],
  ]);
  for (const { given_name, family_name, records } of users) {
    expect(given_name).toMatch(/\S/);
    expect(family_name).toMatch(/\S/);
    expect(ids).toEqual(expect.arrayContaining(records));
  }
  expect(users.find(({ role }) => role === 'person')?.records).toEqual(['1000001', '1000004']);
});

test('no password or secret is shipped', () => {
  for (const file of [
    'users.json',
    ...readdirSync(resolve(seedDirectory, 'apps')).map((name) => `apps/${name}`),
  ]) {
    expect(JSON.stringify(read(file))).not.toMatch(/password|secret/i);
  }
});

test.each([
  ['demo-ui', 'ui'],
  ['demo-frame', 'frame_ui'],
  ['demo-background', 'background'],
  ['trends', 'ui'],
])('%s is a valid manifest of mode %s and requires classes that exist', async (name, mode) => {
  const manifest = read('apps', `${name}.json`) as Record<string, unknown>;
  expect(manifestProblems(manifest)).toEqual([]);
  expect(manifest['id']).toBe(`${name}@apps.example.org`);
  expect(manifest['mode']).toBe(mode);
  expect(manifest['oauth_callback'] !== undefined).toBe(mode !== 'background');
  const { ontology } = await loadOntology(resolve(seedDirectory, '..', 'ontology'));
  for (const required of Object.keys(manifest['requires'] as object)) {
    expect(ontology.classes.has(required)).toBe(true);
  }
});
