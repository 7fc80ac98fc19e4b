import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { afterFailure } from '../../src/services/webhooks/due-deliveries.js';
import { furnish } from '../setup/furnish.js';
import { patient } from './patients.js';
import { folder, run, runJson } from './run.js';

const app = { id: 'told@apps.example.org', name: 'Told', description: 'An app.', mode: 'background' };
const cwd = folder();
const data = join(cwd, 'data');
let id: string;

async function withAccounts<T>(work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const directory = await openDataDirectory(data);
  try {
    return await work(openAccounts(directory, await loadSecretKey(data, process.env)));
  } finally {
    await directory.close();
  }
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'p17.ttl'), patient('First'));
  await furnish(data, { files: [join(cwd, 'p17.ttl')], app, records: ['17'] });
  id = await withAccounts(async (accounts) => {
    const url = 'https://app.example.org/told';
    const [token] = accounts.listTokens();
    const request = { app: app.id, token: token?.id ?? '', record: '17', url, position: 1 };
    const { subscription } = await accounts.subscribe(request);
    const lost = { now: 0, reason: 'timeout', delays: [] };
    await accounts.changeSubscription(subscription.id, (now) =>
      afterFailure(now, { since: 1, revision: 2 }, lost),
    );
    return subscription.id;
  });
});

test('an operator sees what an app was not told, has it told again, and ends a subscription', async () => {
  const dead = [{ since: 1, revision: 2, time: '1970-01-01T00:00:00.000Z', reason: 'timeout' }];
  expect(await runJson(['subscription', 'list', '--json'], { cwd })).toEqual([
    {
      id,
      app_id: app.id,
      record_id: '17',
      url: 'https://app.example.org/told',
      since: 2,
      failures: 0,
      reason: 'timeout',
      dead_letters: dead,
    },
  ]);
  const listed = await run(['subscription', 'list'], { cwd });
  expect(listed.stdout).toContain('https://app.example.org/told');
  expect(listed.stdout).not.toContain('whsec_');
  expect(await run(['subscription', 'replay', id], { cwd })).toMatchObject({
    code: 0,
    stdout: 'Told again from revision 1.\n',
  });
  expect(await withAccounts((accounts) => Promise.resolve(accounts.subscription(id)))).toMatchObject({
    position: 1,
    deadLetters: [],
  });
  expect((await run(['subscription', 'replay', id], { cwd })).code).toBe(1);
  expect((await run(['subscription', 'replay', id, '--since', 'x'], { cwd })).code).toBe(2);
  expect((await run(['subscription', 'remove', id], { cwd })).code).toBe(0);
  expect(await run(['subscription', 'remove', id], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no subscription') as string,
  });
});
