import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folder, run, runJson } from './run.js';

const queries = readdirSync(resolve(import.meta.dirname, '..', '..', 'queries'))
  .filter((name) => name.endsWith('.rq'))
  .map((name) => name.replace('.rq', ''));

let cwd: string;
beforeEach(() => {
  cwd = folder();
});

const coverage = (...args: string[]) => run(['ontology', 'coverage', ...args], { cwd });

function called(name: string, calls: readonly string[]): void {
  mkdirSync(join(cwd, 'coverage', 'calls'), { recursive: true });
  writeFileSync(join(cwd, 'coverage', 'calls', `${name}.json`), JSON.stringify({ test: name, calls }));
}

test('terms that the seed lacks are named, those it has are not', async () => {
  const { code, stdout, stderr } = await coverage();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}sp:Hash$/mu);
  expect(stdout).toMatch(/^ {2}spcode:BloodPressureMethod#palpation Palpation$/mu);
  expect(stdout).not.toMatch(/^ {2}sp:(Medication|belongsTo|drugName)$/mu);
  expect(stdout).toMatch(/\d+ of \d+ terms named neither by a query nor by the seed /u);
});

test('where the tests wrote nothing down, the report says so and the check fails', async () => {
  const { code, stdout } = await coverage('--check');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /Which queries tests call is not known: there is no .*calls\. The tests write it\.\n$/u,
  );
});

test('queries that no test called are named, and fail the check', async () => {
  called('a', queries.slice(0, 30));
  called('b', [...queries.slice(20, -1), 'get_something_else']);
  const missing = queries.at(-1) ?? '';
  const { code, stdout } = await coverage('--check');
  expect(code).toBe(1);
  expect(stdout).toContain(
    `1 of ${queries.length} queries never called by the tests of 2 files:\n  ${missing}\n`,
  );
  called('c', [missing]);
  const now = await coverage('--check');
  expect(now.code).toBe(0);
  expect(now.stdout).toContain(`All ${queries.length} queries called by the tests of 3 files.\n`);
  expect(await runJson(['ontology', 'coverage', '--json'], { cwd })).toMatchObject({
    queries: { count: queries.length, tests: 3, uncalled: [] },
  });
});

test('a file that says nothing of calls is named', async () => {
  called('a', []);
  writeFileSync(join(cwd, 'coverage', 'calls', 'b.json'), '[1');
  const { code, stderr } = await coverage();
  expect(code).toBe(1);
  expect(stderr).toMatch(/b\.json does not say what a test called\n$/u);
});
