import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessEntry } from '../../../src/access/log/access-entry.js';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { addUser, removeUser, type Registry } from '../../../src/records/registry.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

const RECORD = '1000004';
const MINUTE = 60_000;

let container: FlowContainer;
let registry: Registry;
let admin: PlainBrowser;
let person: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer();
  [admin, person] = [await container.browser('admin'), await container.browser('person')];
  const { directory, accounts, url } = container;
  registry = { directory, accounts, base: url, primary: openPrimaryStore(directory, url) };
});
afterAll(() => container.stop());

const text = async (browser: PlainBrowser, path: string): Promise<string> =>
  (await browser.open(path)).html
    .replace(/<style[\s\S]*<\/style>/u, '')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ');

async function record(time: number, ...entries: readonly AccessEntry[]): Promise<void> {
  const log = await openAccessLog(container.data, { clock: () => time });
  for (const entry of entries) await log.record(entry);
  await log.close();
}

const granted: AccessEntry = {
  ...{ action: 'user grant', outcome: 'done', user: 'brown', record: RECORD, reason: 'by admin' },
};
const read: AccessEntry = {
  ...{ action: 'read', outcome: 'done', user: 'brown', record: RECORD, resource: `/records/${RECORD}/` },
};
const add = (givenName: string) =>
  addUser(registry, { id: 'brown', givenName, familyName: 'Brown', role: 'clinician', records: [RECORD] });

it('says of a user without a kept name that they are removed, and nothing of who may never have been', async () => {
  await record(Date.now(), { ...read, user: 'gone', purpose: 'of old' });
  await record(Date.now(), { ...granted, action: 'user password', outcome: 'failed', user: 'typo' });
  expect(await text(admin, `/admin/log?record=${RECORD}`)).toMatch(/gone \(removed\) opened the record/u);
  expect(await text(admin, '/admin/log?user=typo')).toContain('tried to set the password of typo, but');
  expect(await text(person, `/account/accesses/${RECORD}`)).toContain('gone (removed)');
  const table = (await admin.open('/admin/log?user=gone&format=csv')).html.split('\n');
  expect(table[0]).toMatch(/,Name of who,Name of about user$/u);
  expect(table[1]).toMatch(/^[^,]*,gone,.*,\(removed\),$/u);
  const typo = (await admin.open('/admin/log?user=typo&format=csv')).html.split('\n');
  expect(typo[1]).toMatch(/,typo,Cornelius Hathersedge,$/u);
});

it('names a removed user as they were, in the log, in its filter and to the patient', async () => {
  await add('Emily');
  await record(Date.now(), granted, { ...read, purpose: 'the visit' });
  const page = await admin.open('/admin/users?id=brown');
  const question = await admin.submit(page, { act: 'remove', id: 'brown' }, '/admin/users');
  await admin.submit(question, {}, '/admin/users');
  expect(container.accounts.user('brown')).toBeUndefined();
  await record(Date.now(), { ...granted, action: 'user password', outcome: 'failed' });
  for (const asked of ['brown', 'Emily', 'Emily+Brown', 'bro']) {
    const said = await text(admin, `/admin/log?user=${asked}`);
    expect(said, asked).toContain('gave Emily Brown (brown, removed) access to the record of');
    expect(said, asked).toContain('removed the user Emily Brown (brown, removed)');
    expect(said, asked).toContain('set the password of Emily Brown (brown, removed), but it failed');
    expect(said, asked).toMatch(/Emily Brown \(brown, removed\) opened the record of/u);
  }
  const seen = await text(person, `/account/accesses/${RECORD}`);
  expect(seen).toContain('Gave access to the record: Emily Brown');
  expect(seen).toMatch(/Emily Brown \d\d:\d\d/u);
});

it('takes nobody for the one who has the same user name now', async () => {
  const before = (container.accounts.listRemovedUsers().at(-1)?.until ?? 0) + 1;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await add('John');
  await record(Date.now() + MINUTE, { ...read, purpose: 'of John' });
  const all = await text(admin, `/admin/log?record=${RECORD}`);
  expect(all).toContain('John Brown (brown) opened the record');
  expect(all).toContain('Emily Brown (brown, removed) opened the record');
  expect(await text(admin, '/admin/log?user=John')).not.toContain('Emily');
  expect(await text(admin, '/admin/log?user=Emily')).not.toContain('John');
  expect((await admin.open('/admin/log?user=Brown')).html).toMatch(
    /Several users have this name: John Brown \(brown\); Emily Brown \(brown, removed \d+ \w+ \d+\)\. Type the user name/u,
  );
  expect(await text(admin, '/admin/log?user=brown')).toMatch(/John Brown.*Emily Brown/u);
  const table = (await person.open(`/account/accesses/${RECORD}?format=csv`)).html.split('\n');
  expect(table.find((row) => row.includes('the visit'))).toMatch(/Emily Brown.*,$/u);
  expect(table.find((row) => row.includes('of John'))).toMatch(/John Brown.*,clinician$/u);
  expect(container.accounts.removedUser('brown', before)?.name).toBe('Emily Brown');
  await removeUser(registry, 'brown');
  expect(container.accounts.removedUser('brown', before)?.name).toBe('Emily Brown');
  expect(container.accounts.removedUser('brown', Date.now() + MINUTE)?.name).toBe('John Brown');
});
