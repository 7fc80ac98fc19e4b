import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { patient } from './patients.js';
import { folder, run, runJson } from './run.js';

let cwd: string;
/** A time at which record 17 was as it was loaded first. */
let then: string;
/** What was exported then. */
let old: string;

const chartgraph = (...args: string[]) => run(args, { cwd });

beforeAll(async () => {
  cwd = folder();
  writeFileSync(join(cwd, 'p17.ttl'), patient('Byron'));
  await chartgraph('load', 'p17.ttl');
  old = (await chartgraph('export')).stdout;
  then = new Date().toISOString();
  writeFileSync(join(cwd, 'p17.ttl'), patient('Lovelace'));
  await chartgraph('load', 'p17.ttl', '--replace');
});

describe('the history on the command line', () => {
  test('export --at writes what export wrote then', async () => {
    expect((await chartgraph('export')).stdout).not.toBe(old);
    expect(await chartgraph('export', '--at', then)).toEqual({ code: 0, stdout: old, stderr: '' });
  });

  test('export --since writes what has changed, and from where to go on', async () => {
    const { stdout } = await chartgraph('export', '--since', '1');
    const [first = ''] = stdout.split('\n');
    const [, revision = ''] = /^# revision (\d+)$/.exec(first) ?? [];
    expect(stdout).toContain('Lovelace');
    expect((await chartgraph('export', '--since', revision)).stdout).toBe(`${first}\n`);
  });

  test.each([
    [['--at', 'yesterday'], 2, 'It is a time with its zone'],
    [['--at', '1998-01-01T00:00:00Z'], 1, 'History is kept since'],
    [['--since', '99999999'], 1, 'has come to revision'],
    [['--since', 'x'], 2, 'It is the number of a change'],
    [['--since', '1', '--format', 'turtle'], 2, '--since writes nquads or trig'],
    [['--since', '1', '--at', '2026-01-01T00:00:00Z'], 2, 'not both'],
  ])('export %j ends with %i and a sentence', async (args, code, sentence) => {
    const ended = await chartgraph('export', ...args);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(sentence);
  });

  test('record remove leaves the history, --purge removes it, and the access log says so', async () => {
    expect(await chartgraph('record', 'remove', '17')).toMatchObject({ code: 0 });
    expect((await chartgraph('export', '--record', '17', '--at', then)).stdout).toContain('Byron');
    expect(await chartgraph('record', 'remove', '17', '--purge')).toEqual({
      code: 0,
      stdout: 'Removed record 17 and its history.\n',
      stderr: '',
    });
    expect(await chartgraph('export', '--record', '17', '--at', then)).toMatchObject({
      code: 1,
      stderr: 'chartgraph: There is no record 17.\n',
    });
    expect(await chartgraph('record', 'remove', '17', '--purge')).toMatchObject({
      code: 1,
      stderr: 'chartgraph: There is no record 17, and no history of one.\n',
    });
    const entries = (await runJson(['audit', '--record', '17', '--json'], { cwd })) as { purpose?: string }[];
    expect(entries.filter(({ purpose }) => purpose === 'purge of the history')).not.toEqual([]);
  });

  test('export --at refuses a time that a restore has undone', async () => {
    const other = folder();
    const data = (...args: string[]) => run(args, { cwd: other });
    writeFileSync(join(other, 'p17.ttl'), patient('Byron'));
    await data('load', 'p17.ttl');
    expect(await data('backup', 'saved')).toMatchObject({ code: 0 });
    const kept = new Date().toISOString();
    const { stdout } = await data('export');
    writeFileSync(join(other, 'p17.ttl'), patient('Lovelace'));
    expect(await data('load', 'p17.ttl', '--replace')).toMatchObject({ code: 0 });
    const undone = new Date().toISOString();
    expect((await data('export', '--at', undone)).stdout).toContain('Lovelace');
    expect(await data('restore', 'saved')).toMatchObject({ code: 0 });
    const refused = await data('export', '--at', undone);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const [, since = ''] =
      /^chartgraph: That time was undone when a backup was restored; ask for (\S+) or a later one\.\n$/u.exec(
        refused.stderr,
      ) ?? [];
    expect(since > undone).toBe(true);
    for (const time of [kept, since])
      expect(await data('export', '--at', time)).toEqual({ code: 0, stdout, stderr: '' });
  });
});
