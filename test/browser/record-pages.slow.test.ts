import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../http/oauth/flow-container.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the pages of a record in Chromium', () => {
  let container: FlowContainer;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    container = await startFlowContainer({ name: 'Riverside clinic' });
  });
  afterEach(async () => {
    for (const stop of open.splice(0)) await stop();
  });
  afterAll(() => container.stop());

  async function browser(
    user: string,
    options: Parameters<typeof startChromium>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const { context, stop } = await startChromium({ viewport: DESKTOP, ...options });
    open.push(stop);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${container.url}/login?return_url=/account`);
    await page.getByLabel('User name').fill(user);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${container.url}/account`);
    return { context, page };
  }

  it('leads a person from their records to what is current, to trends, to one statement and to who looked', async () => {
    const { page } = await browser('person');
    await look(page, 'account');
    await page.getByRole('link', { name: /Harriet Maud Lindqvale/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Harriet Maud Lindqvale' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Essential hypertension' }).count()).toBe(1);
    await look(page, 'record');

    const views = page.getByRole('navigation', { name: 'Record' });
    await views.getByRole('link', { name: 'Trends' }).click();
    await page.getByRole('img', { name: /^Blood pressure\. Systolic: latest/ }).waitFor();
    await look(page, 'trends');
    await page.getByRole('region', { name: 'Blood pressure' }).getByText('All values').click();
    await page.getByRole('columnheader', { name: 'Systolic' }).waitFor();
    await look(page, 'trends-numbers');

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Essential hypertension' }).click();
    await page.getByText('Status', { exact: true }).first().waitFor();
    await look(page, 'statement');

    await page.getByRole('link', { name: 'Who looked' }).click();
    await page.getByText('(you)').first().click();
    await page
      .getByText(/Saw: Problem/)
      .first()
      .waitFor();
    await look(page, 'accesses');
  });

  it('is dark ink on white paper, also where the screen is dark', async () => {
    const { page } = await browser('person', { colorScheme: 'dark' });
    await page.goto(`${container.url}/account/records/1000001`);
    const colours = () =>
      page.evaluate<string[]>(`[['h1', 'color'], ['.sheet', 'backgroundColor'], ['body', 'backgroundColor']]
        .map(([selector, property]) => getComputedStyle(document.querySelector(selector))[property])`);
    expect(await colours()).toEqual(['rgb(232, 239, 241)', 'rgb(25, 37, 42)', 'rgb(16, 24, 27)']);
    await page.emulateMedia({ media: 'print' });
    expect(await colours()).toEqual(['rgb(23, 37, 43)', 'rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
  });

  it('lets a person write a note with the keyboard alone, which is in the record afterwards', async () => {
    const { page } = await browser('person');
    await page.goto(`${container.url}/account/notes/1000001`);
    await look(page, 'note-form');
    await page.getByLabel('Title').focus();
    await page.keyboard.type('A <b>question</b>');
    await page.keyboard.press('Tab');
    await page.keyboard.type('First line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Second line');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Check the note' }).waitFor();
    await look(page, 'note-check');
    await page.getByRole('button', { name: 'Go back and change it' }).click();
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('First line\nSecond line');
    await page.getByRole('button', { name: 'Check the note' }).click();
    await page.getByRole('button', { name: 'File the note' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'A <b>question</b>' }).waitFor();
    expect(await page.locator('.text').textContent()).toBe('First line\nSecond line');
    await look(page, 'note');
  });

  it('finds a record for a clinician, and says how a date is typed', async () => {
    const { page } = await browser('clinician');
    await page.getByLabel('Date of birth').fill('1/2/1990');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toContain('Type the date with the month as a word');
    await look(page, 'search-problem');
    await page.getByLabel('Date of birth').fill('');
    await page.getByLabel('Family name begins with').fill('lind');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /Lindqvale/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Harriet Maud Lindqvale' }).waitFor();
    expect(await page.getByRole('link', { name: 'Who looked' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Documents' }).click();
    await look(page, 'kind');
    await page.locator('.facts a').first().click();
    await look(page, 'document');
  });

  it('shows children’s growth against age', async () => {
    const { page } = await browser('clinician');
    await page.goto(`${container.url}/account/trends/1000002`);
    await look(page, 'child-trends');
  });

  it('shows consent in words for people, and lets a token be ended', async () => {
    const { page } = await browser('person');
    const request = await container.requestToken(UI_APP, '1000001');
    await page.goto(container.url + container.authorizeUrl(request['oauth_token'] ?? ''));
    await expect.poll(() => page.getByText('See when medicines were dispensed').count()).toBeGreaterThan(0);
    await look(page, 'consent');
    await container.accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
    await page.goto(`${container.url}/account/security`);
    await look(page, 'security');
    await page.getByRole('button', { name: /^End access of .* to Harriet Maud Lindqvale/ }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toContain('The access has ended.');
    await page.goto(`${container.url}/account/security/second-factor`);
    await look(page, 'second-factor');
    await page.goto(`${container.url}/account/apps`);
    await look(page, 'apps');
    await page.goto(`${container.url}/`);
    await look(page, 'home');
  });

  it('asks for the second factor of whoever has one, and says so when the code is wrong', async () => {
    const { secondFactors } = container.grants;
    const { secret } = await secondFactors.enrol('analyst', 'Riverside clinic');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const [recovery = ''] = (await secondFactors.confirm('analyst', totp.generate())) ?? [];
    const { context, stop } = await startChromium({ viewport: DESKTOP });
    open.push(stop);
    const page = await context.newPage();
    await page.goto(`${container.url}/login?return_url=/account`);
    await page.getByLabel('User name').fill('analyst');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const code = page.getByLabel('Code', { exact: true });
    await code.waitFor();
    await look(page, 'sign-in-code');
    await code.fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('code');
    await look(page, 'sign-in-code-wrong');
    await page.keyboard.type(recovery);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${container.url}/account`);
  });

  it('gives an administrator who looked, and nothing of the record', async () => {
    const { page } = await browser('admin');
    await look(page, 'account-admin');
    await page.getByLabel('Record number').fill('1000001');
    await page.getByRole('button', { name: 'Show who looked' }).click();
    await page.getByRole('heading', { name: 'Who looked at this record' }).waitFor();
    expect(await page.content()).not.toContain('Lindqvale');
    await page.goto(`${container.url}/account/records/1000001`);
    await page.getByRole('heading', { name: 'Administrators do not open records' }).waitFor();
    await look(page, 'no-record');
  });
});
