import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { guardedCell } from '../../src/access/log/read-entries.js';
import { folder, run, runJson, start } from './run.js';

const account = userInfo().username;
const turtle = `@prefix sp: <http://smartplatforms.org/terms#> .
<http://localhost:7000/records/77/scratchpad> a sp:ScratchpadData .`;

let data = '';
const cli = (...args: string[]) => run([...args, '--data', data]);
const audit = async (...args: string[]) =>
  (await runJson(['audit', '--json', ...args, '--data', data])) as Record<string, unknown>[];

beforeAll(async () => {
  data = join(folder(), 'data');
  const added = await run(
    ['user', 'add', 'ada', '--given-name', 'Ada', '--family-name', 'L', '--data', data],
    { stdin: '\n' },
  );
  expect(added).toMatchObject({ code: 0 });
});

describe('the command line in the access log', () => {
  test('the command that made the directory is recorded before it writes there, with who it was about and who gave it', async () => {
    const entry = { actor: account, action: 'user add', user: 'ada' };
    expect((await audit()).slice(0, 2)).toMatchObject([
      { ...entry, outcome: 'begun', number: 1 },
      { ...entry, outcome: 'done', number: 2 },
    ]);
  });

  test('later commands are recorded before they do anything, and again with how they ended', async () => {
    expect((await cli('record', 'list')).code).toBe(0);
    expect((await cli('user', 'remove', 'nobody')).code).toBe(1);
    expect((await cli('query', '/no/such/file', '--purpose', 'a study\u0007')).code).toBe(1);
    const rows = await audit();
    const about = ({ action, outcome, user, purpose }: Record<string, unknown>) => [
      action,
      outcome,
      user,
      purpose,
    ];
    expect(
      rows
        .filter(({ action }) => action !== 'audit')
        .slice(2)
        .map(about),
    ).toEqual([
      ['record list', 'begun', null, null],
      ['record list', 'done', null, null],
      ['user remove', 'begun', 'nobody', null],
      ['user remove', 'failed', 'nobody', null],
      ['query', 'begun', null, 'a study\u0007'],
      ['query', 'failed', null, 'a study\u0007'],
    ]);
  });

  test('a record that was loaded has an entry of its own', async () => {
    const file = join(folder(), '77.ttl');
    writeFileSync(file, turtle);
    await cli('load', file);
    await cli('record', 'remove', '77');
    const rows = await audit('--record', '77');
    expect(rows.filter(({ action }) => action === 'record remove')).toHaveLength(2);
    const all = await audit();
    expect(all.filter(({ action }) => action === 'load').map(({ outcome }) => outcome)).toContain('begun');
  });

  test('whoever stops reading a result takes no entry out of the log, nor the record out of it', async () => {
    const file = join(folder(), '78.ttl');
    writeFileSync(
      file,
      `@prefix sp: <http://smartplatforms.org/terms#> .
<http://localhost:7000/records/78/clinical_notes/1> a sp:ClinicalNote ; sp:belongsTo <http://localhost:7000/records/78> .`,
    );
    const child = start(['load', file, '--data', data]);
    child.stdout?.destroy();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(await audit('--record', '78')).toMatchObject([{ action: 'load', outcome: 'done', record: '78' }]);
    // What is told on stderr is told before anything else, and what could not be loaded is no success.
    writeFileSync(file, 'no Turtle');
    const failing = start(['load', file, '--data', data]);
    failing.stderr?.destroy();
    expect(await new Promise((resolve) => failing.on('close', resolve))).toBe(1);
    expect((await audit()).filter(({ action }) => action === 'load').at(-1)).toMatchObject({
      outcome: 'failed',
    });
  });

  test('reading the log is recorded; checking it, and what touches no data, is not', async () => {
    const before = (await audit()).length;
    for (const args of [['audit', 'verify'], ['audit', 'checkpoint'], ['validate'], ['sign', '--help']])
      await cli(...args);
    const after = await audit();
    // The end of the last reading, and the beginning of this one.
    expect(after.slice(before).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['audit', 'done'],
      ['audit', 'begun'],
    ]);
  });

  test('usage errors and unknown ids end with 2 as ever', async () => {
    expect((await cli('audit', '--since', 'yesterday')).code).toBe(2);
    expect((await cli('audit', '--limit', '0')).code).toBe(2);
    expect((await cli('audit', '--json', '--csv')).code).toBe(2);
    expect((await run(['audit', '--data', join(folder(), 'none')])).code).toBe(1);
  });
});

describe('chartgraph audit', () => {
  test('finds by user, app, record and time, and shows the newest so many', async () => {
    const log = await openAccessLog(data);
    for (const at of [1, 2, 3])
      await log.record({
        action: 'read',
        outcome: 'done',
        user: 'eve',
        app: `app-${at}`,
        record: 'r1',
        revision: at,
      });
    await log.close();
    expect((await audit('--user', 'eve')).map(({ app }) => app)).toEqual(['app-1', 'app-2', 'app-3']);
    expect(await audit('--app', 'app-2', '--record', 'r1')).toMatchObject([{ actor: 'eve', revision: 2 }]);
    expect((await audit('--record', 'r1', '--limit', '2')).map(({ app }) => app)).toEqual(['app-2', 'app-3']);
    expect(await audit('--record', 'r1', '--since', '2999-01-01')).toEqual([]);
  });

  test('CSV has the columns of the JSON, and no cell that a spreadsheet would run', async () => {
    const log = await openAccessLog(data);
    await log.record({
      action: 'read',
      outcome: 'done',
      user: '@SUM(A1)',
      purpose: '=cmd|" /C calc"!A0,\nx',
    });
    await log.close();
    const { stdout } = await cli('audit', '--csv', '--user', '@SUM(A1)');
    const [heading, row] = stdout.split('\n');
    expect(heading).toMatch(/^time,actor,app,action,call,resource,record,purpose,outcome,revision,number,/);
    expect(row).toContain(`,'@SUM(A1),`);
    expect(row).toContain(`"'=cmd|"" /C calc""!A0, x"`);
  });

  test('whatever the text, a cell of CSV is one line and does not begin like a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '=', '+', '-', '@', '\t', '\r'),
        (text, start) => {
          const cell = guardedCell(start + text);
          expect(cell).not.toMatch(/^"?[=+\-@\t\r]/u);
          expect(cell).not.toMatch(/[\u0000-\u001f]/u);
        },
      ),
    );
  });

  test('a table shows control characters instead of obeying them', async () => {
    const log = await openAccessLog(data);
    await log.record({ action: 'read', outcome: 'done', user: 'mallory', purpose: '\u001b[2Jgone' });
    await log.close();
    const { stdout } = await cli('audit', '--user', 'mallory');
    expect(stdout).toContain('\\u001b[2Jgone');
    expect(stdout).not.toContain('\u001b');
  });

  test('a table shows characters that would turn the direction of a row', async () => {
    const log = await openAccessLog(data);
    await log.record({
      action: 'read',
      outcome: 'done',
      user: 'mallory',
      purpose: 'for \u202eenod\u2066\u2028',
    });
    await log.close();
    const { stdout } = await cli('audit', '--user', 'mallory');
    expect(stdout).toContain('for \\u202eenod\\u2066\\u2028');
  });

  test('--format turtle gives PROV-O', async () => {
    const { stdout } = await cli('audit', '--user', 'eve', '--format', 'turtle');
    expect(stdout.match(/a prov:Activity/g)).toHaveLength(3);
  });

  test.each([
    [['verify', '--record', '1000001'], 'audit verify is about the whole log; leave --record out.'],
    [['--user', 'eve', 'verify'], 'audit verify is about the whole log; leave --user out.'],
    [
      ['checkpoint', '--limit', '3', '--csv'],
      'audit checkpoint is about the whole log; leave --limit and --csv out.',
    ],
  ])('audit %j is refused: it chooses no entries', async (args, sentence) => {
    const { code, stdout, stderr } = await cli('audit', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  test('verify says intact; with a changed entry it says where, and ends with 1', async () => {
    expect(await runJson(['audit', 'verify', '--json', '--data', data])).toMatchObject({
      intact: true,
      broken_at: null,
    });
    const checkpoint = join(folder(), 'checkpoint.json');
    writeFileSync(checkpoint, (await cli('audit', 'checkpoint')).stdout);
    expect((await cli('audit', 'verify', '--checkpoint', checkpoint)).stdout).toMatch(
      /^\d+ entries, intact\.$/m,
    );
    const file = join(data, 'access-log', '000000001.log');
    const before = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      before.replace(
        /^(3 .*)(.)$/mu,
        (_line, begin: string, end: string) => begin + (end === 'A' ? 'B' : 'A'),
      ),
    );
    const broken = await cli('audit', 'verify');
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(
      /broken at entry \d+ \(.*000000001\.log, line \d+\): the entry has been changed\./,
    );
    const { stdout } = await cli('audit', 'verify', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ intact: false, broken_at: expect.any(Number) as number });
    writeFileSync(file, before.split('\n').slice(0, -3).join('\n') + '\n');
    expect((await cli('audit', 'verify')).code).toBe(0);
    expect((await cli('audit', 'verify', '--checkpoint', checkpoint)).stderr).toMatch(/the checkpoint knows/);
    writeFileSync(file, before);
  });

  test('a command does nothing when the log cannot be written', async () => {
    const file = join(data, 'access-log', '000000001.log');
    const before = readFileSync(file);
    writeFileSync(file, 'something else\n');
    const { code, stderr } = await cli('user', 'remove', 'ada');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^chartgraph: .*000000001\.log is damaged: run chartgraph audit verify, and keep the file\.$/m,
    );
    writeFileSync(file, before);
    expect(await runJson(['user', 'list', '--json', '--data', data])).toHaveLength(1);
  });
});

test('the refused requests of a kind, sender and day share a row of the table, unless all are asked for', async () => {
  const log = await openAccessLog(data);
  const refused = { action: 'read', outcome: 'refused', record: '99', app: 'a', user: 'u' } as const;
  await log.record({ ...refused, outcome: 'done' });
  for (let time = 0; time < 5; time++) await log.record(refused);
  await log.close();
  const rows = async (...args: string[]): Promise<string[]> =>
    (await cli('audit', '--record', '99', ...args)).stdout.trim().split('\n').slice(1);
  const shared = await rows();
  expect(shared).toHaveLength(2);
  expect(shared[1]).toMatch(/refused .* 5$/u);
  expect(await rows('--limit', '2')).toHaveLength(2);
  expect(await rows('--all')).toHaveLength(6);
  expect(await audit('--record', '99')).toHaveLength(6);
});
