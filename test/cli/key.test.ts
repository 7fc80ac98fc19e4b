import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { folder, onTerminal, run, runProcess, start } from './run.js';

const key = 'ab'.repeat(32);
const fresh = 'cd'.repeat(32);
const inVariable = { CHARTGRAPH_SECRET_KEY: key, CHARTGRAPH_NEW_SECRET_KEY: fresh };
const needsOld = 'Backups made until now open only with the old key, unless they have a passphrase.';

let cwd = '';
const secret = (): string => readFileSync(join(cwd, 'data', 'secret.key'), 'utf8');
const rotate = (...args: string[]) => run(['key', 'rotate', ...args], { cwd });

beforeEach(async () => {
  cwd = folder();
  const names = ['--given-name', 'Ida', '--family-name', 'Brandvold'];
  expect(await run(['user', 'add', 'ida', ...names], { cwd })).toMatchObject({ code: 0 });
});

/** Answers on a terminal, as soon as something is asked there. */
async function rotateOnTerminal(answer: string): Promise<{ code: unknown; shown: string }> {
  const child = start(['key', 'rotate'], { cwd, env: onTerminal });
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (shown += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (shown.endsWith('(yes or no) ')) child.stdin?.end(answer);
  });
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, shown };
}

describe('key rotate', () => {
  test('says in a pipe what becomes of backups before it says what it did, and asks nothing', async () => {
    const before = secret();
    expect(await rotate()).toEqual({
      code: 0,
      stdout: `${needsOld} It is overwritten now; --keep-old FILE keeps it.\nA new secret key is in ${join(cwd, 'data')}: keep a copy in another safe place.\n`,
      stderr: '',
    });
    expect(secret()).not.toBe(before);
  });

  test.each([
    ['yes\n', 0],
    ['Y\n', 0],
    ['no\n', 1],
    ['\n', 1],
    ['', 1],
  ])('asks on a terminal before it overwrites the old key: %j ends with %i', async (answer, code) => {
    const before = secret();
    const ended = await rotateOnTerminal(answer);
    expect(ended.code).toBe(code);
    expect(ended.shown).toContain(`${needsOld} It is overwritten now`);
    expect(ended.shown.includes('The secret key was not changed.')).toBe(code === 1);
    expect(secret() === before).toBe(code === 1);
  });

  test('keeps the old key in a file for its owner alone, with which a backup of before opens', async () => {
    const before = secret();
    expect(await run(['backup', 'saved'], { cwd })).toMatchObject({ code: 0 });
    const { code, stdout } = await rotate('--keep-old', 'old.key');
    expect(code).toBe(0);
    expect(stdout).toContain(`${needsOld} Keep it as long as them: it is in old.key.\n`);
    expect(readFileSync(join(cwd, 'old.key'), 'utf8')).toBe(before);
    expect(statSync(join(cwd, 'old.key')).mode & 0o777).toBe(0o600);
    expect(await run(['backup', 'verify', 'saved'], { cwd })).toMatchObject({ code: 1 });
    mkdirSync(join(cwd, 'restored'));
    writeFileSync(join(cwd, 'restored', 'secret.key'), readFileSync(join(cwd, 'old.key')), { mode: 0o600 });
    expect(await run(['restore', 'saved', '--data', 'restored'], { cwd })).toMatchObject({ code: 0 });
  });

  test('changes nothing where the file for the old key is there, or cannot be written', async () => {
    const before = secret();
    writeFileSync(join(cwd, 'old.key'), 'another key');
    for (const [file, sentence] of [
      ['old.key', 'Already there: old.key'],
      ['nowhere/old.key', 'No such file or directory: nowhere/old.key'],
    ] as const)
      expect(await rotate('--keep-old', file)).toEqual({
        code: 1,
        stdout: '',
        stderr: `chartgraph: ${sentence}\n`,
      });
    expect(readFileSync(join(cwd, 'old.key'), 'utf8')).toBe('another key');
    expect(secret()).toBe(before);
  });

  test('keeps no key where the secret key stays as it is', async () => {
    expect(await rotate('--data-key', '--keep-old', 'old.key')).toMatchObject({
      code: 2,
      stderr: 'chartgraph: --data-key leaves the secret key as it is: leave out --keep-old.\n',
    });
    expect(existsSync(join(cwd, 'old.key'))).toBe(false);
  });
});

describe('key rotate with the key in the environment', () => {
  const data = ['--data', 'of-variable'];
  const withKey = (env: Record<string, string>, ...args: string[]) => run([...args, ...data], { cwd, env });

  beforeEach(async () => {
    const names = ['--given-name', 'Ida', '--family-name', 'Brandvold'];
    expect(await withKey(inVariable, 'user', 'add', 'ida', ...names)).toMatchObject({ code: 0 });
  });

  test('says where the old key is and asks nothing, also on a terminal: nothing is overwritten', async () => {
    const rotated = await runProcess(['key', 'rotate', ...data], {
      cwd,
      env: { ...inVariable, ...onTerminal },
    });
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.stdout).toContain(
      `${needsOld} Keep it as long as them: it is in CHARTGRAPH_SECRET_KEY.\n`,
    );
    expect(await withKey({ CHARTGRAPH_SECRET_KEY: fresh }, 'user', 'list')).toMatchObject({ code: 0 });
  });

  test('writes that key into the file that is named, unless the new one is missing', async () => {
    const { CHARTGRAPH_SECRET_KEY } = inVariable;
    const args = ['key', 'rotate', '--keep-old', 'old.key'];
    expect(await withKey({ CHARTGRAPH_SECRET_KEY }, ...args)).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(join(cwd, 'old.key'))).toBe(false);
    expect(await withKey(inVariable, ...args)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'old.key'), 'utf8')).toBe(`${key}\n`);
  });
});
