import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openGrants } from '../../src/access/accounts/grants.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import {
  answerOf,
  COPY_APP,
  PASSWORD,
  startFlowContainer,
  type FlowContainer,
} from '../http/oauth/flow-container.js';
import { startAppServer, type AppServer } from './app-server.js';
import { noChromium, startChromium } from './chromium.js';

const APP = 'growth@apps.example.org';
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 375, height: 740 };
/** Where screenshots go; none are taken without it. */
const SHOTS = process.env['CHARTGRAPH_SCREENSHOTS'];

if (noChromium !== undefined) console.warn(`Browser tests are skipped: ${noChromium}.`);

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the pages in Chromium', () => {
  let container: FlowContainer;
  let app: AppServer;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    app = await startAppServer(APP);
    container = await startFlowContainer(
      { name: 'Riverside clinic', description: 'Records of the Riverside clinic.' },
      [app.manifest],
    );
  });
  afterEach(async () => {
    for (const stop of open.splice(0)) await stop();
  });
  afterAll(async () => {
    await container.stop();
    await app.stop();
  });

  async function browser(
    options: Parameters<typeof startChromium>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const { context, stop } = await startChromium({ viewport: DESKTOP, ...options });
    open.push(stop);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return { context, page };
  }

  async function signIn(page: Page, user: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('User name').fill(user);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function requestUrl(
    record?: string,
    from = APP,
  ): Promise<{ url: string; request: Record<string, string> }> {
    const request = await container.requestToken(from, record);
    return { url: container.url + container.authorizeUrl(request['oauth_token'] ?? ''), request };
  }

  /** Nothing of the page is cut off or needs sideways scrolling; a picture of it for who wants one. */
  async function look(page: Page, name: string): Promise<void> {
    const scroll = await page.evaluate<number>('document.documentElement.scrollWidth');
    const width = await page.evaluate<number>('document.documentElement.clientWidth');
    expect(`${name}: ${scroll}`).toBe(`${name}: ${Math.min(scroll, width)}`);
    if (SHOTS === undefined) return;
    await mkdir(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}-${page.viewportSize()?.width}.png`), fullPage: true });
  }

  it('leads from the launch page of an app to a signed call', async () => {
    const { page } = await browser();
    await page.goto(`${container.url}/apps/${encodeURIComponent(APP)}/launch`);
    await look(page, 'sign-in');
    await signIn(page, 'clinician');
    await page.getByLabel('Family name begins with').fill('zzz');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => page.getByText('No record matches').count()).toBe(1);
    await page.getByLabel('Family name begins with').fill('');
    await page.getByRole('button', { name: 'Search' }).click();
    await look(page, 'launch-search');
    await page.getByRole('link', { name: /1000002/ }).click();
    await page.waitForURL(/index\.html/);
    const opened = new URL(page.url());
    expect(Object.fromEntries(opened.searchParams)).toEqual({
      lang: 'en',
      record_id: '1000002',
      api_base: container.url,
    });
    expect(opened.search).toContain(`api_base=${encodeURIComponent(container.url)}`);

    const { url, request } = await requestUrl('1000002');
    await page.goto(url);
    await look(page, 'consent');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(/\/back\?step=2&oauth_token=/);
    const verifier = new URL(page.url()).searchParams.get('oauth_verifier') ?? '';
    const access = await answerOf(await container.exchange(request, verifier, APP));
    expect(access).toMatchObject({ record_id: '1000002', user_id: 'clinician' });
    const read = await container.signed('/records/1000002/vital_sign_sets/', APP, {
      method: 'GET',
      token: access,
    });
    expect(read.status).toBe(200);

    // The second time nobody is asked: straight through.
    await page.goto((await requestUrl('1000002')).url);
    expect(page.url()).toMatch(/\/back\?step=2&oauth_token=/);
  });

  it('goes from the sign-in form straight to the app when the same was allowed before', async () => {
    const { page } = await browser();
    await page.goto((await requestUrl('1000002')).url);
    await signIn(page, 'clinician');
    // A form-action that did not name the app would stop the redirect here.
    await page.waitForURL(/\/back\?step=2&oauth_token=/);
  });

  it('takes no for an answer', async () => {
    const { page } = await browser();
    const { url, request } = await requestUrl('1000001');
    await page.goto(url);
    await look(page, 'sign-in-for-app');
    await signIn(page, 'person');
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.waitForURL(/\/back\?step=2&oauth_token=[\w-]+&oauth_problem=permission_denied$/);
    await page.goto(url);
    await expect.poll(() => page.getByRole('heading', { name: 'This request was denied' }).count()).toBe(1);
    await look(page, 'denied-again');
    expect((await container.exchange(request, 'x', APP)).status).toBe(401);
  });

  it('says that a password is wrong, and lets try again', async () => {
    const { page } = await browser({ colorScheme: 'dark' });
    await page.goto(`${container.url}/login`);
    await signIn(page, 'person', 'wrong');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toContain('The user name or the password is wrong.');
    await look(page, 'wrong-password');
    expect(await page.getByLabel('User name').inputValue()).toBe('person');
    await signIn(page, 'person');
    await page.waitForURL(`${container.url}/`);
    await look(page, 'home');
  });

  it('says that a request has expired', async () => {
    const key = await loadSecretKey(container.data, process.env);
    const past = openGrants(container.directory, key, () => Date.now() - 11 * 60 * 1000);
    const { token } = await past.issueRequest({ app: APP, record: '1000001' });
    const { page } = await browser();
    await page.goto(`${container.url}${container.authorizeUrl(token)}`);
    await expect.poll(() => page.getByRole('heading', { name: 'This request is over' }).count()).toBe(1);
    await look(page, 'expired');
  });

  it('keeps a request for the browser that opened it first', async () => {
    const { url } = await requestUrl('1000001');
    const first = await browser();
    await first.page.goto(url);
    const second = await browser();
    await second.page.goto(url);
    await expect.poll(() => second.page.getByRole('heading', { name: 'another browser' }).count()).toBe(1);
    await look(second.page, 'second-user');
    await signIn(first.page, 'person');
    await expect.poll(() => first.page.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(1);
  });

  it('ends the access of an app at once', async () => {
    const { page } = await browser();
    const { url, request } = await requestUrl('1000004');
    await page.goto(url);
    await signIn(page, 'person');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(/\/back/);
    const verifier = new URL(page.url()).searchParams.get('oauth_verifier') ?? '';
    const access = await answerOf(await container.exchange(request, verifier, APP));
    const read = async (): Promise<number> =>
      (await container.signed('/records/1000004/demographics', APP, { method: 'GET', token: access })).status;
    expect(await read()).toBe(200);
    await page.goto(`${container.url}/account/apps`);
    await look(page, 'apps');
    await page.getByRole('button', { name: /End access of Growth curves/ }).click();
    await expect.poll(() => page.getByText('The access has ended.').count()).toBe(1);
    expect(await read()).toBe(401);
    expect(container.accounts.token(access['oauth_token'] ?? '')?.revoked).toBe(true);
  });

  it('shows a code to copy for an app without a callback', async () => {
    const { page } = await browser();
    await page.goto((await requestUrl('1000001', COPY_APP)).url);
    await signIn(page, 'person');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect.poll(() => page.getByLabel('Code').textContent()).toMatch(/^[\w-]{32}$/);
    await look(page, 'code');
  });

  it('works with the keyboard alone on a phone', async () => {
    const { page } = await browser({ viewport: PHONE, isMobile: true, hasTouch: true });
    const { url } = await requestUrl(undefined);
    await page.goto(url);
    await look(page, 'sign-in-for-app');
    await page.getByLabel('User name').focus();
    await page.keyboard.type('person');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Choose a record' }).waitFor();
    await look(page, 'choose');
    await page.getByRole('link', { name: /1000001/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Do not allow' }).waitFor();
    await look(page, 'consent');
    await page.getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/back/);
  });

  it.each(['analyst', 'admin'])('tells an %s that records are not theirs to open', async (role) => {
    const { page } = await browser();
    await page.goto((await requestUrl('1000001')).url);
    await signIn(page, role);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toMatch(/No access|Administrators/);
    await look(page, role);
    await page.goto(`${container.url}/account/apps`);
    await look(page, `${role}-apps`);
  });

  it.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('fits a %s', async (_, viewport) => {
    const { page } = await browser({ viewport });
    for (const [path, name] of [
      ['/', 'start'],
      ['/login', 'sign-in'],
      ['/apps/nobody/launch', 'sign-in'],
    ] as const) {
      await page.goto(container.url + path);
      await look(page, name);
    }
    await signIn(page, 'clinician');
    await look(page, 'no-app');
    for (const [path, name] of [
      ['/', 'home'],
      [`/apps/${APP}/launch`, 'launch-search'],
      [`/apps/${APP}/launch?record_id=4711`, 'no-record'],
      ['/account/apps', 'apps'],
      ['/logout', 'sign-out'],
      ['/login?return_url=1&return_url=2', 'malformed'],
      ['/oauth/authorize?oauth_token=nothing', 'over'],
    ] as const) {
      await page.goto(container.url + path);
      await look(page, name);
    }
  });

  it('breaks no rule of its own content security policy', async () => {
    const { page } = await browser();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto((await requestUrl('1000001')).url);
    await signIn(page, 'person');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(/\/back/);
    expect(complaints).toEqual([]);
    // The style is there: the policy names its digest.
    await page.goto(`${container.url}/`);
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('flex');
  });
});
