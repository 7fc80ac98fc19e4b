import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { startAnalystServer, type AnalystServer } from '../http/analyst-server.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

const PASSWORD = 'a long walk by the river';
// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the pages of analyses in Chromium', () => {
  let server: AnalystServer;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startAnalystServer();
    await server.user('ann', 'analyst', PASSWORD);
    // The level is filled when this is there.
    await server.token('ann');
  });
  afterEach(async () => {
    for (const stop of open.splice(0)) await stop();
  });
  afterAll(() => server.stop());

  async function signedIn(): Promise<Page> {
    const { context, stop } = await startChromium({ viewport: DESKTOP });
    open.push(stop);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${server.url}/login?return_url=/account`);
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${server.url}/account`);
    return page;
  }

  it('an analyst finds an analysis, reads its chart and table, and asks for another value', async () => {
    const page = await signedIn();
    await page.getByRole('link', { name: 'Analyses' }).click();
    await look(page, 'analyses');
    await page.getByRole('link', { name: /How the values of a laboratory test went/ }).click();
    await page.getByRole('heading', { name: 'Chart' }).waitFor();
    await look(page, 'lab-trend');
    expect(await page.getByRole('img', { name: /mean, least, greatest/ }).count()).toBe(1);
    expect(await page.getByRole('row').count()).toBeGreaterThan(3);
    await page.getByLabel('The test, a LOINC code.').fill('2345-7');
    await page.getByLabel('The unit, in UCUM.').fill('mg/dL');
    await page.keyboard.press('Enter');
    await page.waitForURL(/test=2345-7/);
    expect(await page.getByRole('row').count()).toBeGreaterThan(1);
    await page.getByLabel('The first day that counts.').fill('soon');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('since must be a date of ISO 8601');
  });

  it('bars are drawn, too', async () => {
    const page = await signedIn();
    await page.goto(`${server.url}/analyses/age_pyramid`);
    expect(await page.locator('svg rect').count()).toBeGreaterThan(2);
    await look(page, 'age-pyramid');
    await page.goto(`${server.url}/analyses/abnormal_results`);
    expect(await page.locator('svg .bars.abnormal rect').count()).toBeGreaterThan(2);
    expect(await page.locator('main').textContent()).not.toContain('http://');
    await look(page, 'abnormal-results');
  });

  it('an analyst makes a token for a tool, asks with it, and ends it', async () => {
    const page = await signedIn();
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByLabel('Purpose').fill('HbA1c after metformin');
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make a token' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Copy the token now' });
    const [token = ''] = /cga_[\w-]+/.exec((await notice.textContent()) ?? '') ?? [];
    expect((await server.ask(token, 'ASK {}')).status).toBe(200);
    await look(page, 'query-tokens');
    await page.getByRole('button', { name: /^End token for HbA1c after metformin/ }).click();
    await page.getByText('The token has ended.').waitFor();
    expect((await server.ask(token, 'ASK {}')).status).toBe(401);
  });
});
