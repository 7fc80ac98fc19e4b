import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { folder, run, runJson } from './run.js';

const root = resolve(import.meta.dirname, '..', '..');
let cwd: string;

beforeAll(() => {
  cwd = folder();
  for (const name of ['ontology', 'queries']) cpSync(join(root, name), join(cwd, name), { recursive: true });
  const file = join(cwd, 'queries', 'get_problem.rq');
  writeFileSync(file, readFileSync(file, 'utf8').replace('sp:encounters? ?part', 'sp:encounters ?part'));
  writeFileSync(join(cwd, 'queries', 'get_allergy.rq'), 'CONSTRUCT {');
});

const attempt = (...args: string[]) => run(['ontology', 'try', 'ontology', ...args], { cwd });

describe('ontology try', () => {
  test('shows over the seed what would change, and ends with 1 because one call would fail', async () => {
    const { code, stdout, stderr } = await attempt('--queries', 'queries', '--record', '1000001');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^Over the seed .*seed:\n/u);
    expect(stdout).toMatch(/^get_problem +different +\d+ of \d+ answers: 0 triples more, \d+ fewer$/mu);
    expect(stdout).toMatch(
      /^ {4}- <http:\/\/localhost:7000\/records\/1000001\/problems\/\w+> rdf:type sp:Problem$/mu,
    );
    expect(stdout).toMatch(/^get_allergy +failed +queries.get_allergy\.rq:\d+: /mu);
    expect(stdout).toMatch(/\d+ calls: \d+ same, 1 different, 0 added, 0 removed, 1 failed\.\n$/u);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  test('runs over a data directory, to which it writes nothing', async () => {
    const patient = join(root, 'seed', 'records', '1000002.ttl');
    await runJson(['load', patient, '--json'], { cwd });
    const before = contents(join(cwd, 'data'));
    const found = await runJson(['ontology', 'try', 'ontology', '--limit', '1', '--json'], { cwd });
    expect(contents(join(cwd, 'data'))).toEqual(before);
    expect(found).toMatchObject({
      over: expect.stringMatching(/^the data directory .*data$/u),
      calls: expect.arrayContaining([
        expect.objectContaining({ call: 'get_demographics', status: 'same', asked: 1, of: 1 }),
        expect.objectContaining({ call: 'get_user', status: 'same', asked: 0, of: 0 }),
      ]),
    });
  });

  // prettier-ignore
  test.each<readonly [string, readonly string[], code: number, says: string]>([
    ['a limit of nothing',         ['--limit', '0'], 2, '--limit must be a whole number from 1, not "0".'],
    ['queries that are not there', ['--queries', 'nowhere'], 1, 'nowhere: the folder cannot be read.'],
  ])('says in one line what is wrong with %s', async (_, args, code, says) => {
    expect(await attempt(...args)).toEqual({ code, stdout: '', stderr: `chartgraph: ${says}\n` });
  });
});

/** The files of a folder with digests of what they hold; the lock of LMDB keeps who reads. */
function contents(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/lock/u.test(path))
      .sort()
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
