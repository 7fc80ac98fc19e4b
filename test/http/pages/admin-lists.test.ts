import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

const twin = { name: 'Twin', description: 'One of two', mode: 'background' } as const;

let container: FlowContainer;
let admin: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer(
    {},
    [1, 2].map((each) => ({ ...twin, id: `twin${each}@example.org` })),
  );
  admin = await container.browser('admin');
});
afterAll(() => container.stop());

const plain = (html: string): string => html.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');

/** Opens a page and those that its link to the next one leads to. */
async function allPages(path: string): Promise<string[]> {
  const { html } = await admin.open(path);
  const [, next] = /<a href="([^"]*)" rel="next"/u.exec(html) ?? [];
  return next === undefined ? [html] : [html, ...(await allPages(next.replaceAll('&amp;', '&')))];
}

it('goes on to the rest of a long list, and of the log while that grows', async () => {
  await container.directory.transact((tx) => {
    for (let at = 0; at < 205; at++)
      container.accounts.putUser(tx, { id: `many${at}`, role: 'person', records: [] });
  });
  const users = await allPages('/admin/users?q=many');
  expect(users.map((html) => html.match(/many\d+<\/a>/gu)?.length)).toEqual([100, 100, 5]);
  expect(plain(users[1] ?? '')).toContain('101 to 200 of 205 Previous Next');

  let now = Date.now() - 86_400_000;
  const log = await openAccessLog(container.data, { clock: () => now });
  for (let at = 0; at < 135; at++) {
    now += 60_000;
    await log.record({
      action: 'read',
      outcome: 'done',
      user: 'reader',
      record: '1000001',
      purpose: `visit ${at}.`,
    });
  }
  const first = await admin.open('/admin/log?user=reader');
  const [, next = ''] = /<a href="([^"]*)" rel="next">Earlier</u.exec(first.html) ?? [];
  now = Date.now() + 1;
  await log.record({ action: 'read', outcome: 'done', user: 'reader', record: '1000001', purpose: 'late' });
  await log.close();
  const earlier = await admin.open(next.replaceAll('&amp;', '&'));
  const visits = (html: string) => [...html.matchAll(/visit (\d+)\./gu)].map(([, at]) => Number(at));
  expect([...visits(first.html), ...visits(earlier.html)]).toEqual(
    Array.from({ length: 135 }, (_, at) => 134 - at),
  );
  expect(plain(earlier.html)).toContain('101 to 135 of 135 Later');
});

it('finds tokens and emergency access by every name that is shown', async () => {
  const { accounts } = container;
  await accounts.openInEmergency('clinician', '1000002', 'Unconscious');
  await accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
  for (const asked of ['clinician', 'Wrenfield', '1000002', 'unconscious']) {
    const { html } = await admin.open(`/admin/emergencies?q=${asked}`);
    expect(plain(html), asked).toContain('Tobias Wrenfield (1000002)');
  }
  expect((await admin.open('/admin/emergencies?q=Lindqvale')).html).toContain('Nothing matches.');
  for (const asked of ['Lindqvale', '1000001', 'dellacroft'])
    expect(plain((await admin.open(`/admin/tokens?q=${asked}`)).html), asked).toContain(
      'Harriet Maud Lindqvale (1000001)',
    );
  expect((await admin.open('/admin/tokens?q=Wrenfield')).html).toContain('Nothing matches.');
});

it('says which of several apps of one name the log knows, and how to find one that is gone', async () => {
  const page = await admin.open('/admin/log?app=twin');
  expect(page.html).toContain(
    'Several apps have this name: twin1@example.org; twin2@example.org. Type the id',
  );
  expect((await admin.open('/admin/log?app=Gone')).html).toContain(
    'There is no app “Gone” now. Of one that was removed, type the id.',
  );
});

it('warns before an app is installed whose name another one has', async () => {
  const manifest = JSON.stringify({
    ...twin,
    id: 'twin3@example.org',
    name: 'twin',
    author: 'X',
    version: '1',
  });
  const form = await admin.open('/admin/apps');
  const asked = await admin.submit(form, { act: 'add', manifest }, '/admin/apps');
  expect(plain(asked.html)).toContain('Another app has this name already: twin1@example.org.');
});

it('says of a token that an administrator issued who that was', async () => {
  const form = await admin.open('/admin/tokens');
  const fields = { act: 'issue', app: UI_APP, user: 'person', record: '1000004' };
  await container.directory.transact((tx) => {
    container.accounts.putUser(tx, { id: 'person', role: 'person', records: ['1000001', '1000004'] });
  });
  await admin.submit(await admin.submit(form, fields, '/admin/tokens'), {}, '/admin/tokens');
  expect(plain((await admin.open('/account/apps')).html)).toMatch(
    /issued by Cornelius Hathersedge \(admin\) in the name of Niamh Dellacroft/u,
  );
  const person = await container.browser('person');
  expect(plain((await person.open('/account/apps')).html)).toContain('issued by an administrator');
});

it('says what a clinician gains who becomes a person', async () => {
  await container.directory.transact((tx) => {
    container.accounts.putUser(tx, { id: 'many0', role: 'clinician', records: ['1000001'] });
  });
  const form = await admin.open('/admin/users?id=many0');
  const fields = { act: 'change', role: 'person', given_name: 'A', family_name: 'B' };
  expect(plain((await admin.submit(form, fields, '/admin/users')).html)).toContain(
    'They can see who looked at the records given to them, and close parts of these. They can no longer open',
  );
});
