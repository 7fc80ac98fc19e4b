import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { startAnalystServer, type AnalystServer } from '../http/analyst-server.js';
import { noChromium, startChromium } from './chromium.js';

const PASSWORD = 'a long walk by the river';
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 800 };
/** Where screenshots go; none are taken without it. */
const SHOTS = process.env['CHARTGRAPH_SCREENSHOTS'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the pages of analyses in Chromium', () => {
  let server: AnalystServer;
  let axe: string;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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
    page.setDefaultTimeout(10_000);
    await page.goto(`${server.url}/login?return_url=/account`);
    await page.getByLabel('User name').fill('ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${server.url}/account`);
    return page;
  }

  /** Nothing needs sideways scrolling, and axe finds nothing, light and dark. */
  async function look(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        const [scroll, width] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        expect(`${name} ${viewport.width}: ${scroll}`).toBe(
          `${name} ${viewport.width}: ${Math.min(scroll, width)}`,
        );
        if (SHOTS !== undefined)
          await page.screenshot({
            path: `${SHOTS}/${name}-${viewport.width}-${colorScheme}.png`,
            fullPage: true,
          });
      }
      const violations = await page.evaluate<readonly Violation[]>(
        `${axe}; axe.run().then(({ violations }) => violations)`,
      );
      expect(violations.map(({ id, nodes }) => [name, colorScheme, id, nodes[0]?.html])).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
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
  });
});
