import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { noChromium, startChromium } from './chromium.js';

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 740 };
/** Where screenshots go; none are taken without it. */
const SHOTS = process.env['CHARTGRAPH_SCREENSHOTS'];

if (noChromium !== undefined) console.warn(`Browser tests are skipped: ${noChromium}.`);

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the documentation in Chromium', () => {
  let container: TestContainer;
  let page: Page;
  let stop: () => Promise<void>;
  const complaints: string[] = [];

  beforeAll(async () => {
    container = await startTestContainer({ name: 'Riverside clinic' });
    const browser = await startChromium({ viewport: DESKTOP });
    stop = browser.stop;
    page = await browser.context.newPage();
    page.setDefaultTimeout(60_000);
    // What the content security policy blocks is told here.
    page.on('console', (message) => complaints.push(message.text()));
  });
  afterAll(async () => {
    await stop();
    await container.stop();
  });

  const shown = [
    ['docs', 'Riverside clinic'],
    ['docs/calls', 'Calls'],
    ['docs/calls/get_medications', 'List medications'],
    ['docs/calls/post_clinical_note', 'Add a clinical note'],
    ['docs/calls/get_container_manifest', 'Get the container manifest'],
    ['docs/classes', 'The record model'],
    ['docs/classes/VitalSignSet', 'Vital Sign Set'],
    ['docs/codes', 'Code sets'],
    ['docs/codes/ImmunizationRefusalReason', undefined],
    ['docs/properties', 'Properties'],
  ] as const;

  describe.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ] as const)('on %s', (_, size) => {
    it.each(shown)('shows %s in the width of the window', async (path, heading) => {
      await page.setViewportSize(size);
      await page.goto(`${container.url}/${path}`);
      const scroll = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(scroll).toBe(size.width);
      expect(await page.locator('h1').count()).toBe(1);
      if (heading !== undefined) expect(await page.locator('h1').innerText()).toBe(heading);
      // Our own style is in force: without it the body would have a margin.
      expect(await page.evaluate('getComputedStyle(document.body).margin')).toBe('0px');
      if (SHOTS === undefined) return;
      await mkdir(SHOTS, { recursive: true });
      await page.screenshot({
        path: join(SHOTS, `${path.replaceAll('/', '-')}-${size.width}.png`),
        fullPage: true,
      });
    });
  });

  it('jumps to what a link names, and shows it below the bar', async () => {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${container.url}/docs/calls/get_medications`);
    await page.getByRole('link', { name: 'not-found', exact: true }).click();
    expect(page.url()).toBe(`${container.url}/docs#problem-not-found`);
    const bar = await page.locator('header').boundingBox();
    await expect
      .poll(async () => {
        const box = await page.locator('#problem-not-found').boundingBox();
        return box !== null && bar !== null && box.y >= bar.height && box.y < DESKTOP.height;
      })
      .toBe(true);
  });

  it('keeps the contents beside the text, with the page that is shown marked in them', async () => {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${container.url}/docs/classes/Medication`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.locator('[aria-current=page]').allInnerTexts()).toEqual(['Medication']);
    await page.mouse.wheel(0, 3000);
    expect(await contents.locator('summary').first().isVisible()).toBe(true);
    await contents.getByText('Code sets', { exact: true }).click();
    await contents.getByRole('link', { name: 'Smoking status' }).click();
    expect(page.url()).toBe(`${container.url}/docs/codes/SmokingStatus`);
  });

  it('opens the contents over the text on a phone, and closes them again', async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${container.url}/docs/calls/get_medications`);
    const contents = page.locator('#contents');
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Contents' }).click();
    expect(await contents.isVisible()).toBe(true);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'docs-contents-360.png') });
    await page.getByRole('link', { name: 'Close' }).click();
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Contents' }).click();
    await page.getByRole('link', { name: 'List problems' }).click();
    expect(page.url()).toBe(`${container.url}/docs/calls/get_problems`);
  });

  it('shows one serialisation of an example at a time, also for those who use the keyboard', async () => {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${container.url}/docs/calls/get_medications`);
    const xml = page.getByLabel('Answer, RDF/XML');
    const turtle = page.getByLabel('Answer, Turtle');
    expect([await xml.isVisible(), await turtle.isVisible()]).toEqual([true, false]);
    await page.locator('label', { hasText: 'Turtle' }).click();
    expect([await xml.isVisible(), await turtle.isVisible()]).toEqual([false, true]);
    await page.keyboard.press('ArrowRight');
    expect(await page.getByLabel('Answer, JSON-LD').isVisible()).toBe(true);
  });

  it('is readable in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${container.url}/docs`);
    const ground = await page.evaluate<string>(
      'getComputedStyle(document.querySelector("main")).backgroundColor',
    );
    expect(ground).toBe('rgb(25, 37, 42)');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('shows the ontology to browsers as a page', async () => {
    const response = await page.goto(`${container.url}/ontology`);
    expect(response?.headers()['content-type']).toBe('text/html; charset=utf-8');
    expect(await page.locator('h1').innerText()).toBe('The record model');
  });

  it('gives the browser nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
