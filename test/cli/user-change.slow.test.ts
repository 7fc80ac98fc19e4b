import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { keyOf, openAccounts } from '../../src/access/accounts/accounts.js';
import { openGrants, type Grants } from '../../src/access/accounts/grants.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { userGraph, userIri } from '../../src/records/user-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { folder, run, runJson, type Run } from './run.js';

const base = 'http://localhost:7000';
const password = 'nine boats in the fog';

let cwd = '';
let session = '';
/** Reads something of the data directory as a server finds it. */
async function stored<T>(read: (directory: DataDirectory, grants: Grants) => T): Promise<Awaited<T>> {
  const directory = await openDataDirectory(join(cwd, 'data'));
  try {
    return await read(directory, openGrants(directory, keyOf(directory)));
  } finally {
    await directory.close();
  }
}

const user = (...args: string[]): Promise<Run> => run(['user', ...args], { cwd, stdin: `${password}!\n` });
const listed = async (): Promise<unknown> => runJson(['user', 'list', '--json'], { cwd });
const isSignedIn = (): Promise<boolean> => stored((_, grants) => grants.session(session) !== undefined);
/** All that the graph of the user says, but for blank nodes. */
const told = (): Promise<string[]> =>
  stored((directory) =>
    (openPrimaryStore(directory, base).graph(userIri(base, 'mira')) ?? [])
      .filter(({ object }) => object.termType === 'Literal')
      .map(({ object }) => object.value)
      .sort(),
  );
/** Whether nothing but a second step is asked after the password. */
const isKept = (): Promise<unknown> =>
  stored(async (directory, grants) => ({
    password: await openAccounts(directory, keyOf(directory)).checkPassword('mira', password),
    secondFactor: grants.secondFactors.has('mira'),
  }));

const mira = {
  user_id: 'mira',
  given_name: 'Mira',
  family_name: 'Tasgaonkar',
  role: 'person',
  records: ['5', '6'],
};

beforeEach(async () => {
  cwd = folder();
  const directory = await openDataDirectory(join(cwd, 'data'), { create: true });
  const accounts = openAccounts(directory, keyOf(directory));
  const grants = openGrants(directory, keyOf(directory));
  const [givenName, familyName, department] = [mira.given_name, mira.family_name, 'Radiology'];
  const graph = userGraph({ id: 'mira', givenName, familyName, department, role: 'person' }, base);
  await openPrimaryStore(directory, base).write({ replace: [graph] }, (tx) => {
    accounts.putUser(tx, { id: 'mira', role: 'person', records: mira.records });
  });
  await accounts.setPassword('mira', password);
  const { secret } = await grants.secondFactors.enrol('mira', 'Chartgraph');
  await grants.secondFactors.confirm('mira', new TOTP({ secret }).generate());
  session = await grants.signIn(grants.newId(), 'mira');
  await directory.close();
});

const kept = { password: true, secondFactor: true };

describe('user add', () => {
  test.each([
    ['another person', ['--given-name', 'Otto', '--family-name', 'Grell', '--role', 'clinician']],
    ['the same one', ['--given-name', 'Mira', '--family-name', 'Tasgaonkar', '--record', '5', '6']],
  ])('refuses an id that exists, and changes nothing of it: %s', async (_, options) => {
    const before = await told();
    expect(await user('add', 'mira', ...options)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: There is a user mira already: chartgraph user change mira changes them.\n',
    });
    expect([await listed(), await told(), await isSignedIn(), await isKept()]).toEqual([
      [mira],
      before,
      true,
      kept,
    ]);
  });
});

describe('the practitioner of a user', () => {
  test('is of a clinician alone, is listed, and stays until it is changed or taken away', async () => {
    expect(await user('change', 'mira', '--practitioner', '1234567893')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: Only a clinician has the identifier of a practitioner.\n',
    });
    const names = ['--given-name', 'Otto', '--family-name', 'Grell', '--role', 'clinician'];
    expect(await user('add', 'otto', ...names, '--practitioner', '1234567893')).toMatchObject({ code: 0 });
    expect(await user('change', 'otto', '--given-name', 'Ott')).toMatchObject({ code: 0 });
    const otto = { user_id: 'otto', given_name: 'Ott', family_name: 'Grell', role: 'clinician', records: [] };
    expect(await listed()).toEqual([mira, { ...otto, practitioner: '1234567893' }]);
    expect(await user('change', 'otto', '--no-practitioner')).toMatchObject({ code: 0 });
    expect(await listed()).toEqual([mira, otto]);
  });
});

describe('user ungrant', () => {
  test('takes what is named of the records, and nothing that was not given', async () => {
    expect(await user('grant', 'mira', '--record', '8')).toMatchObject({ code: 0 });
    expect(await user('ungrant', 'mira', '--record', '8')).toEqual({
      code: 0,
      stdout: 'Changed person mira.\n',
      stderr: '',
    });
    expect(await listed()).toEqual([mira]);
    expect(await user('ungrant', 'mira', '--record', '8')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: Record 8 is not given to mira.\n',
    });
    expect([await isSignedIn(), await isKept()]).toEqual([true, kept]);
  });
});

describe('user change', () => {
  test.each([
    ['the given name', ['--given-name', 'Mirabai'], { given_name: 'Mirabai' }, ['Mirabai']],
    ['the family name', ['--family-name', 'Ohlert'], { family_name: 'Ohlert' }, ['Ohlert']],
    ['the records', ['--record', '7', '--record', '5'], { records: ['7', '5'] }, []],
    ['the records, of which none is left', ['--no-record'], { records: [] }, []],
    ['what is said last of the records', ['--no-record', '--record', '8'], { records: ['8'] }, []],
  ])('touches only what is named: %s', async (_, options, changed, texts) => {
    expect(await user('change', 'mira', ...options)).toMatchObject({
      code: 0,
      stdout: 'Changed person mira.\n',
    });
    expect(await listed()).toEqual([{ ...mira, ...changed }]);
    expect(await told()).toEqual(expect.arrayContaining([...texts, 'Radiology', 'person']));
    expect(await told()).toHaveLength(4);
    expect([await isSignedIn(), await isKept()]).toEqual([true, kept]);
  });

  test('a new role ends the sessions, and says so; the same one does not', async () => {
    expect(await user('change', 'mira', '--role', 'person')).toMatchObject({
      stdout: 'Changed person mira.\n',
    });
    expect(await isSignedIn()).toBe(true);
    expect(await user('change', 'mira', '--role', 'clinician')).toEqual({
      code: 0,
      stdout: 'Changed clinician mira. Their role is new, so their sessions have ended.\n',
      stderr: '',
    });
    expect(await listed()).toEqual([{ ...mira, role: 'clinician' }]);
    expect(await told()).toEqual(['Mira', 'Radiology', 'Tasgaonkar', 'clinician'].sort());
    expect([await isSignedIn(), await isKept()]).toEqual([false, kept]);
  });

  test('is about a user that is there, and says what to change', async () => {
    expect(await user('change', 'nobody', '--role', 'admin')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'chartgraph: There is no user nobody.\n',
    });
    expect(await user('change', 'mira')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'chartgraph: Say what to change: a name, the role, the records or the practitioner.\n',
    });
    expect(await listed()).toEqual([mira]);
  });
});

describe('user grant', () => {
  test('adds records to those that are there', async () => {
    expect(await user('grant', 'mira', '--record', '9', '5')).toEqual({
      code: 0,
      stdout: 'Changed person mira.\n',
      stderr:
        'chartgraph: warning: there is no record 9, 5 yet; any patient who gets such a number later is given to mira.\n',
    });
    expect(await listed()).toEqual([{ ...mira, records: ['5', '6', '9'] }]);
    expect([await isSignedIn(), await isKept()]).toEqual([true, kept]);
    expect(await user('grant', 'nobody', '--record', '9')).toMatchObject({ code: 1 });
    expect(await user('grant', 'mira')).toMatchObject({ code: 2 });
  });
});

test('the access log says whose account was changed', async () => {
  await user('change', 'mira', '--role', 'admin');
  await user('grant', 'mira', '--record', '9');
  await user('second-factor', 'mira', '--remove');
  const entries = (await runJson(['audit', '--user', 'mira', '--json'], { cwd })) as { action: string }[];
  expect(entries.map(({ action }) => action)).toEqual(
    ['user change', 'user grant', 'user second-factor'].flatMap((action) => [action, action]),
  );
});
