import type { Context } from 'koa';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { analystFinder } from '../../../src/http/analyst.js';
import type { Visitor } from '../../../src/http/sign-in/visitor.js';
import { startFlowContainer, UI_APP, PASSWORD, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

const GIVEN = 'violet tractors under seven umbrellas';
const OWN = 'brass herons beyond the ninth windmill';
const PAGE = '/account/security/new-password';

let container: FlowContainer;
let admin: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer({ secondFactorRoles: ['analyst'], smart: true });
  admin = await container.browser('admin');
});
afterAll(() => container.stop());

async function give(user: string, password = GIVEN): Promise<void> {
  const page = await admin.open(`/admin/users?id=${user}`);
  const fields = { act: 'password', id: user, password, again: password };
  expect((await admin.submit(page, fields, '/admin/users')).status).toBe(303);
}

const choose = async (browser: PlainBrowser, fields: Readonly<Record<string, string>> = {}, path = PAGE) =>
  browser.submit(
    await browser.open(path),
    { current: GIVEN, password: OWN, again: OWN, ...fields },
    '/password',
  );

it('lets who signs in with a given password do nothing until they have changed it', async () => {
  const token = await container.token('1000001');
  await give('person');
  const browser = await container.browser();
  await browser.signIn('person', GIVEN);
  for (const path of [
    '/',
    '/account',
    '/account/security',
    '/account/security/second-factor',
    '/account/records/1000001',
    '/account/closed/1000001',
    '/oauth/authorize?oauth_token=x',
    '/oauth2/authorize?client_id=x',
    `/apps/${UI_APP}/launch?record_id=1000001`,
  ]) {
    const opened = await browser.open(path);
    expect([path, opened.status]).toEqual([path, 302]);
    expect(opened.headers.get('Location')).toBe(`${PAGE}?return_url=${encodeURIComponent(path)}`);
  }
  const page = await browser.open(PAGE);
  for (const path of [
    '/account/security/sessions',
    '/account/emergency',
    '/account/security/second-factor',
  ]) {
    const form = { ...page, html: page.html.replaceAll(/action="[^"]*"/gu, `action="${path}"`) };
    const sent = await browser.submit(form, { step: 'begin', current: GIVEN });
    expect([path, sent.status, sent.headers.get('Location')]).toEqual([path, 303, PAGE]);
  }
  for (const [fields, problem] of [
    [{ password: GIVEN, again: GIVEN }, 'Choose another password than the one that was set for you.'],
    [{ current: 'wrong' }, 'The current password is wrong.'],
    [{ again: 'other' }, 'The new passwords differ.'],
  ] as const) {
    const refused = await choose(browser, fields);
    expect(refused.html).toContain(problem);
    expect(refused.html).not.toContain('Where you are signed in');
  }
  // Apps are not held up.
  expect((await container.request('/records/1000001/problems/', { as: token })).status).toBe(200);
  const changed = await choose(browser, {}, `${PAGE}?return_url=%2Faccount%2Fapps`);
  expect([changed.status, changed.headers.get('Location')]).toEqual([303, '/account/apps']);
  expect((await browser.open('/account/apps')).status).toBe(200);
  expect((await browser.open(PAGE)).headers.get('Location')).toBe('/account/security');
  const again = await container.browser();
  await again.signIn('person', OWN);
  expect((await again.open('/account')).status).toBe(200);

  const log = await openAccessLog(container.data);
  const found = [];
  for await (const entry of log.read({ user: 'person' }))
    if (/^(?:user password|password\.changed)$/u.test(entry.action)) found.push(entry);
  await log.close();
  expect(found.map(({ action, outcome, reason }) => [action, outcome, reason])).toEqual([
    ['user password', 'begun', 'by admin'],
    ['user password', 'done', 'by admin'],
    ['password.changed', 'done', 'password was given'],
  ]);
});

it('goes on with what an app asked for', async () => {
  await give('person');
  const browser = await container.browser();
  const { oauth_token: token = '' } = await container.requestToken();
  const here = container.authorizeUrl(token);
  await browser.open(here);
  const page = await browser.signIn('person', GIVEN, here);
  const led = (await browser.open(page.headers.get('Location') ?? '')).headers.get('Location') ?? '';
  expect(led).toContain(PAGE);
  const changed = await choose(browser, {}, led);
  expect(changed.headers.get('Location')).toBe(here);
  const asked = await browser.open(here);
  expect([asked.status, asked.html.includes('Medication check')]).toEqual([200, true]);
  expect(asked.html).not.toContain('another browser');
});

it('leads who must set up a second factor to that next, and asks neither twice', async () => {
  await give('analyst');
  const browser = await container.browser();
  await browser.signIn('analyst', GIVEN);
  const led = (await browser.open('/account')).headers.get('Location') ?? '';
  expect(led).toContain(PAGE);
  const changed = await choose(browser, {}, led);
  expect(changed.headers.get('Location')).toBe('/account');
  const next = (await browser.open('/account')).headers.get('Location') ?? '';
  expect(next).toBe('/account/security/second-factor?return_url=%2Faccount');
  expect((await browser.open(next)).status).toBe(200);
});

it('comes after the code of a second factor, which stays', async () => {
  const { secondFactors } = container.grants;
  const { secret } = await secondFactors.enrol('clinician', 'Chartgraph');
  const totp = new TOTP({ secret });
  const later = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await secondFactors.confirm('clinician', later(-1));
  await give('clinician');
  const browser = await container.browser();
  const code = await browser.submit(await browser.signIn('clinician', GIVEN), { code: later(0) });
  expect(code.status).toBe(303);
  expect((await browser.open('/account')).headers.get('Location')).toContain(PAGE);
  expect((await choose(browser)).headers.get('Location')).toBe('/');
  expect((await browser.open('/account')).status).toBe(200);
  expect(secondFactors.has('clinician')).toBe(true);
  await secondFactors.remove('clinician');
  await container.accounts.setPassword('clinician', PASSWORD);
});

it('holds up questions that an analyst asks in the browser', async () => {
  const visitorOf = () => Promise.resolve({ user: { id: 'analyst' }, mustChangePassword: true } as Visitor);
  const find = analystFinder({ base: container.url, accounts: container.accounts, visitorOf });
  const context = { get: (field: string) => (field === 'Cookie' ? 'session=x' : '') } as Context;
  await expect(find(context)).rejects.toThrow(
    'Change your password at /account/security/new-password first.',
  );
});

it('leaves alone whose password nobody else set, and an administrator who set their own', async () => {
  const clinician = await container.browser();
  await clinician.signIn('clinician', PASSWORD);
  expect((await clinician.open('/account')).status).toBe(200);
  await give('admin');
  const own = await container.browser();
  await own.signIn('admin', GIVEN);
  expect((await own.open('/admin/users')).status).toBe(200);
});
