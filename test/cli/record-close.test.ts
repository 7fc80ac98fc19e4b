import { beforeAll, describe, expect, test } from 'vitest';
import { seededCopy } from '../setup/seeded-copy.js';
import { run, runJson } from './run.js';

let data = '';
beforeAll(async () => {
  data = await seededCopy();
});
const cli = (...args: string[]) => run(['record', ...args, '--data', data]);
const closed = async (): Promise<unknown[]> => {
  const rows = (await runJson(['record', 'closed', '--json', '--data', data])) as Record<string, string>[];
  return rows.map((row) => [row['record'], row['class'], row['to']]).sort();
};

describe('record close and open', () => {
  test('close classes to all or to some, and open them again', async () => {
    expect(await cli('close', '1000001', '--class', 'Problem', 'Medication')).toMatchObject({
      code: 0,
      stdout: 'Closed Problem, Medication of record 1000001 to all.\n',
    });
    expect((await cli('close', '1000001', '--class', 'Problem', '--user', 'clinician')).code).toBe(0);
    const user = ['1000001', 'Problem', 'user clinician'];
    expect(await closed()).toEqual([['1000001', 'Medication', 'all'], ['1000001', 'Problem', 'all'], user]);
    expect((await cli('open', '1000001', '--class', 'Problem', 'Medication')).code).toBe(0);
    expect(await closed()).toEqual([user]);
    const log = (await runJson(['audit', '--json', '--record', '1000001', '--data', data])) as object[];
    expect(log).toContainEqual(
      expect.objectContaining({
        action: 'record close',
        outcome: 'done',
        purpose: 'Problem, Medication, to all',
      }),
    );
  });

  test.each([
    [
      ['close', '1000001', '--class', 'Demographics'],
      /"Demographics" cannot be closed; the classes are Allergy, /u,
    ],
    [['close', '1000001', '--class', 'Problem', '--user', 'person'], /person is no clinician/u],
    [['close', 'none', '--class', 'Problem'], /There is no record none/u],
    [
      ['open', '1000001', '--class', 'Allergy'],
      /That is not closed: chartgraph record closed lists what is/u,
    ],
  ])('%j is refused', async (args, sentence) => {
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
  });
});
