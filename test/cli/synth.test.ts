import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/disk/data-directory.js';
import { folder, run, runJson } from './run.js';

describe('synth', () => {
  it('writes files in which validate finds nothing, and which load as they are under any base URL', async () => {
    const cwd = folder();
    expect(await run(['synth', '--patients', '4', '--out', 'made'], { cwd })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const files = readdirSync(join(cwd, 'made')).sort();
    expect(files).toEqual(['3000001.ttl', '3000002.ttl', '3000003.ttl', '3000004.ttl']);
    expect(await runJson(['validate', 'made', '--json'], { cwd })).toEqual({ problems: [] });
    const args = [
      'load',
      '--strict',
      '--base-url',
      'https://other.example.org/x',
      ...files.map((file) => `made/${file}`),
    ];
    expect(await run(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  it('stores with --load what it prints as N-Quads', async () => {
    const cwd = folder();
    const made = await run(['synth', '--patients', '2', '--seed', 'x'], { cwd });
    const stored = await run(['synth', '--patients', '2', '--seed', 'x', '--load'], { cwd });
    expect(stored).toMatchObject({ code: 0 });
    const lines = made.stdout.split('\n').length - 1;
    expect(stored.stdout).toBe(`Stored 2 patients, ${lines} quads.\n`);
    const records = (await runJson(['record', 'list', '--json'], { cwd })) as { quads: number }[];
    expect(records.reduce((sum, { quads }) => sum + quads, 0)).toBe(lines);
  });

  it('lists who they are for searches in a directory that it makes', async () => {
    const cwd = folder();
    await run(['synth', '--patients', '3', '--load', '--demographics'], { cwd });
    const directory = await openDataDirectory(join(cwd, 'data'));
    expect(directory.read((tx) => tx.count('searchRows'))).toBe(3);
    await directory.close();
  });

  it('makes demographics alone, and refuses what is no number', async () => {
    const { stdout } = await run(['synth', '--patients', '20', '--demographics', '--first', '7']);
    const graphs = new Set(stdout.match(/<[^<>]*> \.$/gm));
    expect(graphs.size).toBe(40);
    const many = await run(['synth', '--patients', 'many']);
    expect(many.code).toBe(2);
    expect(many.stderr).toContain("'--patients <number>'");
    expect(await run(['synth', '--patients', '1', '--size', 'huge'])).toMatchObject({ code: 2 });
    const none = await run(['synth', '--patients', '0']);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toMatch(/'--patients <number>'.*It must be 1 or more\./);
  });
});
