import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { seededCopy } from '../setup/seeded-copy.js';
import { patient } from './patients.js';
import { folder, run, start } from './run.js';

let cwd: string;
beforeEach(() => {
  cwd = folder();
});

const chartgraph = (...args: string[]) => run(args, { cwd });

describe('a backup that is stopped', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle leaves nothing behind', async (signal) => {
    const data = await seededCopy();
    writeFileSync(join(cwd, 'pass'), 'eleven herons by the weir');
    const [there, tmp] = ['there', 'tmp'].map((name) => join(cwd, name)) as [string, string];
    for (const each of [there, tmp]) mkdirSync(each);
    // To derive a key from the passphrase takes half a second: what was begun is there by then.
    const interrupted = async (begun: string, ...args: string[]): Promise<unknown> => {
      const before = readdirSync(begun).length;
      const child = start([...args, '--data', data, '--passphrase-file', 'pass'], {
        cwd,
        env: { TMPDIR: tmp },
      });
      const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
      await vi.waitFor(() => expect(readdirSync(begun)).toHaveLength(before + 1), {
        timeout: 100_000,
        interval: 5,
      });
      child.kill(signal);
      return ended;
    };
    expect(await interrupted(there, 'backup', 'there/saved')).toBe(signal);
    expect(readdirSync(there)).toEqual([]);
    const complete = ['backup', 'there/saved', '--passphrase-file', 'pass', '--data', data];
    expect(await chartgraph(...complete)).toMatchObject({ code: 0 });
    const before = readFileSync(join(there, 'saved'));
    expect(await interrupted(there, 'backup', 'there/saved')).toBe(signal);
    expect(readdirSync(there)).toEqual(['saved']);
    expect(readFileSync(join(there, 'saved')).equals(before)).toBe(true);
    expect(await interrupted(tmp, 'backup', 'verify', 'there/saved')).toBe(signal);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('a signal as soon as backup verify has made its folder leaves nothing behind', async () => {
    writeFileSync(join(cwd, 'p17.ttl'), patient('Byron'));
    expect(await chartgraph('load', 'p17.ttl')).toMatchObject({ code: 0 });
    expect(await chartgraph('backup', 'saved')).toMatchObject({ code: 0 });
    const tmp = join(cwd, 'tmp');
    mkdirSync(tmp);
    // A look every few milliseconds is late most of the time; one after the other sees the folder at once, most often.
    let caught = 0;
    for (let attempt = 0; attempt < 20 && caught < 3; attempt++) {
      const child = start(['backup', 'verify', 'saved'], { cwd, env: { TMPDIR: tmp } });
      const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
      while (readdirSync(tmp).length === 0 && child.exitCode === null) await setImmediate();
      child.kill('SIGTERM');
      if ((await ended) === 'SIGTERM') caught++;
      expect(readdirSync(tmp)).toEqual([]);
    }
    expect(caught).toBe(3);
  });
});
