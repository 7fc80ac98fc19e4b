import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folder, run, runJson, type Run } from './run.js';
import { commit, git, ontology, repository } from './repository.js';

const boot = 'sp:Boot a owl:Class ; rdfs:label "Boot" .';
const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
const diff = (cwd: string, ...args: string[]): Promise<Run> =>
  run(['ontology', 'diff', ...args], { cwd, env });

describe('ontology diff', () => {
  const dir = repository(ontology('0.1'), ontology('0.1', boot), ontology('0.2', boot));
  writeFileSync(join(dir, 'one.ttl'), ontology('0.1'));

  // prettier-ignore
  test.each<readonly [string, readonly [old: string, now: string], code: number, says: string]>([
    ['two revisions',                            ['HEAD~2:model', 'HEAD:model'], 0, 'Additive changes ask for at least 0.2; 0.2 is declared.'],
    ['two revisions, the version forgotten',     ['HEAD~2:model', 'HEAD~1:model'], 1, 'Additive changes ask for at least 0.2; 0.1 is declared, which is too small.'],
    ['a revision and a folder',                  ['HEAD~2:model', 'model'], 0, 'Additive changes ask for at least 0.2; 0.2 is declared.'],
    ['a revision of a file and a file',          ['HEAD:model/model.ttl', 'one.ttl'], 1, 'Breaking changes ask for at least 0.3; 0.1 is declared, which is too small.'],
    ['a path from the working directory',        ['HEAD:./model', 'model'], 0, 'Nothing changed since 0.2; 0.2 is declared.'],
    ['a folder and a file',                      ['model', 'one.ttl'], 1, 'Breaking changes ask for at least 0.3'],
  ])('compares %s', async (_, args, code, says) => {
    const ended = await diff(dir, ...args);
    expect(ended).toMatchObject({ code, stderr: '' });
    expect(ended.stdout).toContain(says);
  });

  test('prints groups with their reasons, without colour in a pipe', async () => {
    const { stdout } = await diff(dir, 'HEAD~2:model', 'HEAD:model');
    expect(stdout).toBe(`HEAD~2:model → HEAD:model

1 additive change
  new class. Nobody has data of it yet.
    sp:Boot

Additive changes ask for at least 0.2; 0.2 is declared.

For the changelog

## [0.2] - ${new Date().toISOString().slice(0, 10)}

### Added

- \`sp:Boot\`: new class.
`);
  });

  test('--changelog prints that section alone, --json everything', async () => {
    const { stdout } = await diff(dir, 'HEAD~2:model', 'HEAD:model', '--changelog');
    expect(stdout).toMatch(/^## \[0\.2\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- `sp:Boot`: new class\.\n$/u);
    const json = await runJson(['ontology', 'diff', 'HEAD~2:model', 'model', '--json'], { cwd: dir, env });
    expect(json).toMatchObject({
      old: 'HEAD~2:model',
      new: 'model',
      version: { old: '0.1', declared: '0.2', required: '0.2', enough: true },
      changes: [{ kind: 'class-added', weight: 'additive', subject: 'http://smartplatforms.org/terms#Boot' }],
      changelog: stdout,
    });
  });

  test('sees a folder from below, where git would only show what lies there', async () => {
    const { code, stdout } = await diff(join(dir, 'model'), 'HEAD~2:model', '.');
    expect(code).toBe(0);
    expect(stdout).toContain('sp:Boot');
  });

  test('takes what exists for a path, whatever git calls it', async () => {
    mkdirSync(join(dir, 'HEAD:model'));
    writeFileSync(join(dir, 'HEAD:model', 'a.ttl'), ontology('0.1'));
    const { stdout } = await diff(dir, 'HEAD~2:model', 'HEAD:model');
    rmSync(join(dir, 'HEAD:model'), { recursive: true });
    expect(stdout).toContain('Nothing changed since 0.1');
  });
});

describe('what cannot be compared', () => {
  const dir = repository(ontology('0.1'));
  mkdirSync(join(dir, 'empty'));
  writeFileSync(join(dir, 'empty', 'README.md'), 'nothing');
  git(dir, 'add', '.');
  git(dir, 'commit', '--quiet', '--message', 'a folder without an ontology');
  writeFileSync(join(dir, 'broken.ttl'), 'sp:Shoe a owl:Class');
  writeFileSync(
    join(dir, 'half.ttl'),
    ontology('0.1').replace('api:path "/records/{record_id}/shoes/search" ;', ''),
  );

  // prettier-ignore
  test.each<readonly [string, readonly string[], code: number, says: RegExp]>([
    ['a path that is not there',         ['nowhere', 'model'], 1, /no file or folder nowhere; a git revision is written as HEAD~3:ontology\.$/u],
    ['a revision that is not there',     ['HEAD~99:model', 'model'], 1, /no file or folder HEAD~99:model, and git knows no such revision or path in it\.$/u],
    ['a folder that a revision lacks',   ['HEAD:other', 'model'], 1, /git knows no such revision or path in it\.$/u],
    ['a folder without Turtle',          ['empty', 'model'], 1, /empty: the ontology folder holds no \.ttl file$/u],
    ['a revision without Turtle',        ['HEAD:empty', 'model'], 1, /^chartgraph: HEAD:empty holds no \.ttl file\.$/u],
    ['what is no Turtle',                ['broken.ttl', 'model'], 1, /broken\.ttl:1: /u],
    ['a call that lacks its path',       ['model', 'half.ttl'], 1, /half\.ttl: calls:search_shoes lacks what a call needs; chartgraph validate says what it is\.$/u],
    ['what would be an option of git',   ['--', '--help:model', 'model'], 1, /no file or folder --help:model/u],
    ['one ontology alone',               ['model'], 2, /compares two ontologies/u],
    ['more than --last-commit takes',    ['--last-commit', 'model', 'model'], 2, /--last-commit takes one folder or file\.$/u],
  ])('says in one line what is wrong with %s', async (_, args, code, says) => {
    const ended = await diff(dir, ...args);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr.trimEnd()).toMatch(says);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
  });

  test('says so where there is no git', async () => {
    const ended = await run(['ontology', 'diff', 'HEAD:model', 'model'], {
      cwd: dir,
      env: { ...env, PATH: '' },
    });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('and no git to ask for such a revision.');
  });
});

describe('ontology diff --last-commit', () => {
  const lastCommit = (cwd: string, ...more: string[]): Promise<Run> =>
    diff(cwd, '--last-commit', 'model', ...more);

  test('compares a folder with changes with HEAD, and a clean one with the commit before', async () => {
    const dir = repository(ontology('0.1'), ontology('0.2', boot));
    expect((await lastCommit(dir)).stdout).toMatch(/^HEAD~1 \([0-9a-f]{8}\) → model\n\n1 additive change/u);
    writeFileSync(join(dir, 'notes.txt'), 'a change elsewhere changes nothing');
    expect((await lastCommit(dir)).stdout).toMatch(/^HEAD~1 /u);
    writeFileSync(
      join(dir, 'model', 'more.ttl'),
      '@prefix : <urn:> . @prefix owl: <http://www.w3.org/2002/07/owl#> . :a a owl:Class .',
    );
    const changed = await lastCommit(dir);
    expect(changed).toMatchObject({ code: 1, stderr: '' });
    expect(changed.stdout).toMatch(/^HEAD \([0-9a-f]{8}\) → model\n\n1 additive change/u);
  });

  test('fails when a commit breaks something and keeps the version', async () => {
    const dir = repository(ontology('0.3', boot), ontology('0.3'));
    const { code, stdout } = await lastCommit(dir);
    expect(code).toBe(1);
    expect(stdout).toContain('Breaking changes ask for at least 0.4; 0.3 is declared, which is too small.');
  });

  test('passes in a fresh clone, and in one of a single commit has nothing to compare', async () => {
    const dir = repository(ontology('0.1'), ontology('0.2', boot));
    const clones = folder();
    git(clones, 'clone', '--quiet', dir, 'whole');
    git(clones, 'clone', '--quiet', '--depth', '1', pathToFileURL(dir).href, 'shallow');
    expect(await lastCommit(join(clones, 'whole'))).toMatchObject({ code: 0, stderr: '' });
    expect(await lastCommit(join(clones, 'shallow'))).toEqual({
      code: 0,
      stderr: '',
      stdout: 'There is nothing to compare the ontology with: this clone has no commit before HEAD.\n',
    });
  });

  test('has nothing to compare in a tarball, whether there is a git or not', async () => {
    const dir = repository(ontology('0.1'));
    const tarball = folder();
    cpSync(join(dir, 'model'), join(tarball, 'model'), { recursive: true });
    const without = await lastCommit(tarball);
    expect(without).toMatchObject({ code: 0, stderr: '' });
    expect(without.stdout).toMatch(
      /^There is nothing to compare the ontology with: Git says: not a git repository/u,
    );
    const noGit = await run(['ontology', 'diff', '--last-commit', 'model'], {
      cwd: tarball,
      env: { PATH: '' },
    });
    expect(noGit).toEqual({
      code: 0,
      stderr: '',
      stdout: 'There is nothing to compare the ontology with: Git is not installed on this machine.\n',
    });
  });

  test('has nothing to compare where the folder is new or nothing is committed', async () => {
    const dir = repository(ontology('0.1'));
    cpSync(join(dir, 'model'), join(dir, 'fresh'), { recursive: true });
    expect((await diff(dir, '--last-commit', 'fresh')).stdout).toContain('it is not in HEAD.');
    const bare = repository();
    writeFileSync(join(bare, 'model', 'model.ttl'), ontology('0.1'));
    expect((await lastCommit(bare)).stdout).toContain('nothing is committed yet.');
  });

  test('an ontology that could not be read before is no reason to refuse the one that can', async () => {
    const dir = repository('this is no Turtle', ontology('0.1'));
    expect(await lastCommit(dir)).toMatchObject({ code: 0, stderr: '' });
    commit(dir, 'neither is this');
    expect(await lastCommit(dir)).toMatchObject({ code: 1, stdout: '' });
  });

  test('takes the ontology of the settings where none is named, and compares a single file as well', async () => {
    const dir = repository(ontology('0.1'), ontology('0.2', boot));
    const named = await run(['ontology', 'diff', '--last-commit'], {
      cwd: dir,
      env: { ...env, CHARTGRAPH_ONTOLOGY: 'model' },
    });
    expect(named.stdout).toContain('sp:Boot');
    expect((await diff(dir, '--last-commit', join('model', 'model.ttl'))).stdout).toContain('sp:Boot');
  });
});
