import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folder, run } from './run.js';

const seed = resolve(import.meta.dirname, '..', '..', 'seed', 'records');
const data = join(folder(), 'data');
const analyses = (...args: string[]) => run(['analyses', ...args, '--data', data]);

beforeAll(async () => {
  const files = ['1000001', '1000002'].map((id) => join(seed, `${id}.ttl`));
  expect((await run(['load', ...files, '--data', data])).code).toBe(0);
});

describe('chartgraph analyses list', () => {
  it('names each analysis with its parameters', async () => {
    const { stdout } = await analyses('list', '--json');
    const list = JSON.parse(stdout) as { name: string; title: string; parameters: object[] }[];
    expect(list.length).toBeGreaterThanOrEqual(12);
    expect(list.find(({ name }) => name === 'latest_lab_values')).toMatchObject({
      title: 'The latest value of a laboratory test of each patient',
      parameters: [{ name: 'test', type: 'code', default: '4548-4' }],
    });
  });
});

describe('analyses of a folder of one’s own', () => {
  const queries = join(folder(), 'queries');
  beforeAll(async () => {
    await mkdir(join(queries, 'analyses'), { recursive: true });
    await writeFile(
      join(queries, 'analyses', 'how_many.rq'),
      '# How many problems\nPREFIX sp: <http://smartplatforms.org/terms#>\nSELECT (COUNT(?s) AS ?problems) { ?s a sp:Problem }\n',
    );
  });

  it('are listed and answered', async () => {
    const { stdout } = await analyses('list', '--queries', queries, '--json');
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['how_many']);
    expect((await analyses('run', 'how_many', '--queries', queries)).stdout).toMatch(
      /^problems\n[1-9]\d*\n$/,
    );
  });
});

describe('chartgraph analyses run', () => {
  it('answers without what tells who a person is, and the same after the key was changed', async () => {
    const before = await analyses('run', 'latest_lab_values');
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.stdout).toMatch(
      /^record,date,value,unit\nurn:chartgraph:pseudonym:[0-9a-f]{32},\d{4}-\d\d-\d\d,7\.1,%\n$/u,
    );
    expect((await run(['key', 'rotate', '--data', data])).code).toBe(0);
    expect((await run(['key', 'rotate', '--data-key', '--data', data])).code).toBe(0);
    expect((await analyses('run', 'latest_lab_values')).stdout).toBe(before.stdout);
  });

  it('shows records as they are at the identified level, in the format that is asked for', async () => {
    const { stdout } = await analyses(
      'run',
      'latest_lab_values',
      '--level',
      'identified',
      '--format',
      'json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      results: {
        bindings: [{ record: { value: 'http://localhost:7000/records/1000001' }, value: { value: '7.1' } }],
      },
    });
  });

  it('takes parameters', async () => {
    const { stdout } = await analyses('run', 'encounters_by_month', '--param', 'since=2200');
    expect(stdout).toBe('month,encounters,patients\n');
  });

  it.each([
    [['run', 'nothing'], 1, 'There is no analysis "nothing"; analyses list shows them all.'],
    [['run', 'duplicates', '--param', 'a=1'], 2, 'duplicates has no such parameter; it has none.'],
    [
      ['run', 'lab_trend', '--param', 'since=x'],
      2,
      'since must be a date of ISO 8601, such as 2010 or 2010-06-15.',
    ],
    [['run', 'lab_trend', '--param', 'since'], 2, 'Write a parameter as name=value.'],
  ])('%j ends in a sentence that says what to do', async (args, code, sentence) => {
    const ended = await analyses(...args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(sentence);
  });
});
