import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEntry } from '../../../src/access/log/access-entry.js';
import { openAccessLog, type AccessLog } from '../../../src/access/log/access-log.js';
import { entriesOf } from '../../access/log/opened-log.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser, PlainPage } from '../oauth/plain-browser.js';

const launch = `/apps/${UI_APP}/launch`;
const search = 'http://smartplatforms.org/terms/api/calls#search_records';

let container: FlowContainer;
let log: AccessLog;
const browsers = new Map<string, PlainBrowser>();
const as = (user: string): PlainBrowser => browsers.get(user) ?? expect.fail(user);
beforeAll(async () => {
  container = await startFlowContainer();
  log = await openAccessLog(container.data);
  for (const user of ['clinician', 'person', 'admin']) browsers.set(user, await container.browser(user));
});
afterAll(async () => {
  await log.close();
  await container.stop();
});

/** The accesses, without decisions, that a page left before it was sent. */
async function left(
  answer: () => Promise<PlainPage>,
): Promise<{ page: PlainPage; entries: RecordedEntry[] }> {
  const before = (await entriesOf(log)).length;
  const page = await answer();
  const entries = (await entriesOf(log)).slice(before);
  for (const { requestId } of entries) expect(requestId).toBe(page.headers.get('X-Request-Id'));
  return { page, entries: entries.filter(({ action }) => !action.includes('.')) };
}

const about = ({ action, outcome, call, resource, record, user }: RecordedEntry) => ({
  action,
  outcome,
  call,
  resource,
  record,
  user,
});

const read = (user: string, resource: string, what: { record?: string; call?: string }) => ({
  action: 'read',
  outcome: 'done',
  call: undefined,
  record: undefined,
  user,
  resource,
  ...what,
});

async function consent(record?: string): Promise<string> {
  const { oauth_token: token = '' } = await container.requestToken(UI_APP, record);
  return container.authorizeUrl(token);
}

describe('a search for a record', () => {
  it.each(['GET', 'HEAD'])('is recorded where an app is opened, once: %s', async (method) => {
    const { page, entries } = await left(() =>
      as('clinician').open(`${launch}?family_name=lindq`, { method }),
    );
    expect([page.status, page.html.includes('Lindqvale')]).toEqual([200, method === 'GET']);
    expect(entries.map(about)).toEqual([read('clinician', launch, { call: search })]);
    expect(JSON.stringify(entries)).not.toMatch(/lindq/i);
  });

  it('is recorded where an app asks for access', async () => {
    const there = await consent();
    const { page, entries } = await left(() => as('clinician').open(`${there}&family_name=lindq`));
    expect(page.html).toContain('Lindqvale');
    expect(entries.map(about)).toEqual([read('clinician', '/oauth/authorize', { call: search })]);
    expect(JSON.stringify(entries)).not.toMatch(/lindq/i);
  });

  it.each(['/account', launch])('by its number is an access to that record as well: %s', async (path) => {
    const { page, entries } = await left(() => as('clinician').open(`${path}?medical_record_number=1000001`));
    expect(page.html).toContain('Lindqvale');
    expect(entries.map(about)).toEqual([
      read('clinician', path, { call: search }),
      read('clinician', path, { record: '1000001' }),
    ]);
    const none = await left(() => as('clinician').open(`${path}?medical_record_number=99`));
    expect(none.entries.map(about)).toEqual([read('clinician', path, { call: search })]);
  });
});

describe('a page that says whose a record is', () => {
  it.each(['/account', launch])('is an access to each of the records of a person: %s', async (path) => {
    const { page, entries } = await left(() => as('person').open(path));
    expect(page.html).toContain('Lindqvale');
    expect(entries.map(about)).toEqual(
      ['1000001', '1000004'].map((record) => read('person', path, { record })),
    );
  });

  it.each([
    ['chosen by the clinician', 'clinician', undefined, '&record_id=1000006', '1000006'],
    ['asked for by the app', 'person', '1000004', '', '1000004'],
  ])('is an access to it where somebody is asked for consent: %s', async (_, user, asked, more, record) => {
    const there = await consent(asked);
    const { page, entries } = await left(() => as(user).open(there + more));
    expect(page.html).toContain('use this record?');
    expect(entries.map(about)).toEqual([read(user, '/oauth/authorize', { record })]);
    const form = await left(() => as(user).submit(page, { decision: 'allow', wording: 'another' }));
    expect(form.page.html).toContain('use this record?');
    expect(form.entries.map(about)).toEqual([read(user, '/oauth/authorize', { record })]);
    const denied = await left(() => as(user).submit(form.page, { decision: 'deny' }));
    expect(denied.entries).toEqual([]);
  });

  it('is an access to the record of every app that has access, once for each', async () => {
    const nothing = await left(() => as('clinician').open('/account/apps'));
    expect([nothing.page.status, nothing.entries]).toEqual([200, []]);
    for (const record of ['1000002', '1000003', '1000003'])
      await container.accounts.issueToken({ app: UI_APP, user: 'clinician', record });
    for (const path of ['/account/apps', '/account/security']) {
      const { entries } = await left(() => as('clinician').open(path));
      expect(entries.map(about).sort((a, b) => Number(a.record) - Number(b.record))).toEqual(
        ['1000002', '1000003'].map((record) => read('clinician', path, { record })),
      );
    }
    // An administrator sees who let an app in, but of records numbers alone.
    const all = await left(() => as('admin').open('/account/apps'));
    expect(all.entries.map(about)).toEqual([read('admin', '/users/clinician', {})]);
    expect((await left(() => as('admin').open('/account/security'))).entries).toEqual([]);
  });

  it('is one also where a form is refused and the page is shown again', async () => {
    const page = await as('clinician').open('/account/security');
    const fields = { current: 'x', password: 'one long password', again: 'another long one' };
    const refused = await left(() => as('clinician').submit(page, fields, '/account/security/password'));
    expect(refused.page.status).toBe(400);
    expect(refused.entries).toMatchObject([
      { action: 'read', outcome: 'done', status: 400, resource: '/account/security/password' },
      { action: 'read', outcome: 'done', status: 400, resource: '/account/security/password' },
    ]);
    expect(refused.entries.map(({ record }) => record).sort()).toEqual(['1000002', '1000003']);
  });

  it('leaves no second entry where it is a page of the record', async () => {
    const path = '/account/records/1000005';
    const { entries } = await left(() => as('clinician').open(path));
    expect(entries.map(about)).toEqual([read('clinician', path, { record: '1000005' })]);
  });

  it('is told in words to whose record it is', async () => {
    const saw = async (record: string, user: string): Promise<number> => {
      const { html } = await as(user).open(`/account/accesses/${record}?format=csv`);
      expect(html).not.toContain('Something of the record');
      return html.split('Saw whose record it is').length - 1;
    };
    const pages = ['/account', launch, await consent('1000004')];
    const before = await saw('1000004', 'person');
    for (const path of pages) await as('person').open(path);
    expect(await saw('1000004', 'person')).toBe(before + pages.length);
    const others = await saw('1000002', 'admin');
    for (const path of ['/account/apps', '/account/security']) await as('clinician').open(path);
    expect(await saw('1000002', 'admin')).toBe(others + 2);
  });
});

describe('a launch with a record', () => {
  it('shows nothing of it, and is recorded as the decision alone', async () => {
    const { page, entries } = await left(() => as('person').open(`${launch}?record_id=1000001`));
    expect([page.status, entries]).toEqual([302, []]);
    expect((await as('clinician').open(`${launch}?record_id=99`)).status).toBe(404);
    expect((await entriesOf(log)).slice(-2)).toMatchObject([
      { action: 'app.launched', record: '1000001' },
      { action: 'access.refused', record: '99', reason: 'noRecord' },
    ]);
  });
});

it('HEAD of the page that asks for consent opens no request, and lets no app in', async () => {
  const there = await consent('1000004');
  const before = (await entriesOf(log)).length;
  expect((await as('person').open(there, { method: 'HEAD' })).status).toBe(200);
  expect((await entriesOf(log)).slice(before)).toEqual([]);
  expect((await as('person').open(there)).html).toContain('use this record?');
});
