import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startFlowContainer, type FlowContainer } from '../http/oauth/flow-container.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('a chart in Chromium', () => {
  let container: FlowContainer;
  let page: Page;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    container = await startFlowContainer({ name: 'Riverside clinic' });
    const started = await startChromium({ viewport: DESKTOP });
    ({ stop } = started);
    page = await started.context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(`${container.url}/login?return_url=/account`);
    await page.getByLabel('User name').fill('clinician');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${container.url}/account`);
  });
  afterAll(async () => {
    await stop();
    await container.stop();
  });

  const overview = (record: string) => page.goto(`${container.url}/account/records/${record}`);
  const words = async (selector = 'main'): Promise<string> =>
    (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ');

  it.each([
    // question, record, link on the overview that is followed, if any, and what answers it
    ['What is this patient allergic to, and how badly?', '1000002', '', /Allergies .*Severe Anaphylaxis/],
    ['Is it certain that there are no allergies?', '1000001', '', /Allergies No known/],
    ['What problems are there now?', '1000001', '', /Problems .*Essential hypertension/],
    ['What is taken now?', '1000001', '', /Medications .*see all/i],
    ['What was taken before?', '1000001', 'Medications', /Past .*to /],
    ['What was the last blood pressure?', '1000001', '', /Latest vital signs .*Blood pressure \d+\/\d+ mmHg/],
    ['Is the potassium going up?', '1000001', 'Potassium in serum or plasma', /\d(\.\d)? .*All values/],
    ['Which results are not normal?', '1000001', 'Latest lab results', /[HL] (High|Low)/],
    ['When was the last visit?', '1000001', '', /History .*?\d+ \w+ \d{4} · Clinic visit/],
    ['What was done at the last visit?', '1000001', /visit$/, /During this visit .*Vital signs/],
  ] as const)('%s', async (_, record, link, answer) => {
    await overview(record);
    if (link !== '') await page.locator('main').getByRole('link', { name: link }).first().click();
    expect(await words()).toMatch(answer);
  });

  it('has the allergies of the patient on each page of the record', async () => {
    await overview('1000002');
    for (const path of ['records/1000002/lab_results', 'trends/1000002', 'notes/1000002']) {
      await page.goto(`${container.url}/account/${path}`);
      expect([path, await words('.strip')]).toEqual([path, expect.stringMatching(/Severe Anaphylaxis/)]);
    }
  });

  it('has a line for each problem of which nothing more is said on a desk, and results beside vital signs', async () => {
    await overview('1000001');
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.columns > :first-child li')]
        .flatMap((each) => each.children.length === 2 ? each.offsetHeight : [])`,
    );
    expect(heights.length).toBeGreaterThan(1);
    expect(Math.max(...heights)).toBeLessThan(40);
    const boxes = await page.evaluate<[number, number][]>(
      `[...document.querySelectorAll('.measured > .sheet')].map((each) => [each.offsetTop, each.offsetWidth])`,
    );
    const [[vitals, narrow] = [0, 0], [results, wide] = [1, 0]] = boxes;
    expect(vitals).toBe(results);
    expect(wide).toBeGreaterThan(narrow);
  });

  it('reads well, light and dark, on a desk and on a phone', async () => {
    await overview('1000009');
    await look(page, 'chart-overview');
    await page.goto(`${container.url}/account/records/1000009/lab_results`);
    await look(page, 'chart-results');
    await page.goto(`${container.url}/account/records/1000009/lab_results?by=day&q=hemo`);
    await look(page, 'chart-results-by-day');
    await overview('1000001');
    await page
      .getByRole('link', { name: /visit$/ })
      .first()
      .click();
    await look(page, 'chart-visit');
    await page.goto(`${container.url}/account/records/1000001/medications`);
    await look(page, 'chart-medications');
  });
});
