import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patient } from '../cli/patients.js';
import { folder, run, runProcess, start } from '../cli/run.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

/** The status of an answer to a request with fields that fetch would not send. */
function statusFor(
  port: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/night-watch/', method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

const PASSWORD = 'correct horse battery';

/** Whether the icon that a page names can be shown on it. */
const loadIcon = `new Promise((resolve) => {
  const image = new Image();
  image.onload = () => resolve(image.naturalWidth > 0);
  image.onerror = () => resolve(false);
  image.src = document.querySelector('link[rel="icon"]').href;
})`;

/** A container as `npm start` runs it, on any free port. */
class Demo {
  readonly cwd = folder();
  url = '';
  #child: ChildProcess | undefined;
  #said = '';
  readonly #waiting = new Set<() => void>();

  async start(): Promise<void> {
    const child = start(['serve', '--port', '0'], { cwd: this.cwd });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
        for (const look of this.#waiting) look();
      });
    child.on('close', () => {
      this.#said += '\nended';
      for (const look of this.#waiting) look();
    });
    const [, url = ''] = await this.says(/^Chartgraph ready at (\S+)$/m);
    this.url = url;
  }

  /** Waits until the container has said something. @throws Error when it ended without */
  says(what: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = what.exec(this.#said);
        if (!found && !this.#said.endsWith('\nended')) return;
        this.#waiting.delete(look);
        if (found) resolve(found);
        else reject(new Error(`it ended: ${this.#said.slice(-500)}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#child || this.#child.exitCode !== null) resolve();
      else this.#child.once('close', () => resolve()).kill('SIGTERM');
    });
  }
}

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the example apps, served beside the demo data', () => {
  const demo = new Demo();
  const chromium = { stop: (): Promise<void> => Promise.resolve() };
  let page: Page;
  let apps: string;
  /** Addresses that nothing serves, or that answer with an error. */
  const broken: string[] = [];

  beforeAll(async () => {
    await demo.start();
    apps = (await demo.says(/"url":"([^"]+)","msg":"the example apps are served"/))[1] ?? '';
    const set = await run(['user', 'password', 'clinician'], { cwd: demo.cwd, stdin: PASSWORD });
    expect(set).toMatchObject({ code: 0 });
    const { context, stop } = await startChromium({ viewport: DESKTOP });
    chromium.stop = stop;
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // What a page still loaded when the next one was opened.
      if (reason !== 'net::ERR_ABORTED') broken.push(`${request.url()} ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() >= 400) broken.push(`${response.url()} ${response.status()}`);
    });
  });
  afterAll(async () => {
    await chromium.stop();
    await demo.stop();
  });

  /** From the page of a record: the button of the app, then the consent. */
  async function launch(name: string): Promise<void> {
    await page.goto(`${demo.url}/account/records/1000001`);
    await page.getByRole('region', { name: 'Open in an app' }).getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
  }

  it('a newcomer signs in, finds a patient with trends, launches Trends, allows it, and sees a plot', async () => {
    await page.goto(demo.url);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('User name').fill('clinician');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(({ pathname }) => pathname !== '/login');
    // Not every browser asks for the icon by itself, and the page must be allowed to show it.
    expect(await page.evaluate(loadIcon)).toBe(true);
    await page.goto(`${demo.url}/account/trends/1000001`);
    await page.getByRole('img', { name: /^Blood pressure\. Systolic: latest/ }).waitFor();
    await launch('Trends');
    await page.waitForURL(`${apps}/trends/chart`);
    await page.getByRole('heading', { level: 1, name: 'Harriet Lindqvale' }).waitFor();
    await page.getByRole('img', { name: 'Blood pressure over time, in mm[Hg]' }).waitFor();
    await page.getByRole('img', { name: 'Hemoglobin A1c in blood over time, in %' }).waitFor();
    expect(await page.locator('polyline').count()).toBe(3);
    await look(page, 'example-trends');
    await page
      .getByRole('navigation', { name: 'Other tests' })
      .getByRole('link', { name: 'Creatinine in serum or plasma' })
      .click();
    await page.getByRole('heading', { level: 2, name: 'Creatinine in serum or plasma' }).waitFor();
    expect(broken).toEqual([]);
  });

  it('Medication check reads and writes from its own origin, with the token in the browser alone', async () => {
    await launch('Medication check');
    await page.getByRole('heading', { level: 1, name: 'Medications of Harriet Lindqvale' }).waitFor();
    await page.getByRole('img', { name: /^Supplies of lisinopril 10 MG Oral Tablet since/ }).waitFor();
    expect(page.url()).toBe(`${apps}/medications/authorized`);
    expect(await page.evaluate('Object.keys(sessionStorage).length + Object.keys(localStorage).length')).toBe(
      0,
    );
    await look(page, 'example-medication-check');
    await page.getByRole('button', { name: 'Write a note of it' }).click();
    await page.getByText('The note is in the record.').waitFor();
    await page.getByRole('link', { name: 'Back to the record' }).click();
    await page.getByRole('link', { name: 'Medications that have run out' }).first().waitFor();
    expect(broken).toEqual([]);
  });

  it('Night watch has walked all records, and lists what is due again', async () => {
    await page.goto(`${apps}/night-watch/`);
    await page.getByText(/^\d+ tests in \d+ of 10 records, at/).waitFor();
    await page.getByRole('row', { name: /1000001 Hemoglobin A1c in blood last on 23 Jan 2024/ }).waitFor();
    await look(page, 'example-night-watch');
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Walk again' }).click(),
    ]);
    expect(answer.status()).toBe(200);
    expect(broken).toEqual([]);
  });

  it('Chart frame leads to the other apps with the same record', async () => {
    await page.goto(`${demo.url}/account/records/1000001`);
    await page
      .getByRole('region', { name: 'Open in an app' })
      .getByRole('link', { name: 'Chart frame' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Apps for record 1000001' }).waitFor();
    await look(page, 'example-chart-frame');
    await page.getByRole('link', { name: 'Trends' }).click();
    // Allowed before, so that nobody is asked again.
    await page.waitForURL(`${apps}/trends/chart`);
    expect(broken).toEqual([]);
  });

  it('every address in a manifest is served, and a name of another site is not answered', async () => {
    const manifests = (await (await fetch(`${demo.url}/apps/manifests/`)).json()) as Record<
      string,
      unknown
    >[];
    const addresses = manifests.flatMap(({ index, icon, oauth_callback }) => [index, icon, oauth_callback]);
    const served = addresses.filter((address) => address !== undefined);
    expect(served).toHaveLength(9);
    for (const address of served) {
      expect(String(address).startsWith(`${apps}/`)).toBe(true);
      const { status } = await fetch(String(address), { redirect: 'manual' });
      // Whoever comes back without having asked is told to start again.
      expect([200, 303, 400]).toContain(status);
    }
    const { port } = new URL(apps);
    expect(await statusFor(port, { Host: 'elsewhere.example.org' })).toBe(403);
    expect(await statusFor(port, { 'Sec-Fetch-Site': 'cross-site' }, 'POST')).toBe(403);
    expect(await statusFor(port, { 'Sec-Fetch-Site': 'same-origin' }, 'POST')).toBe(200);
  });

  it('they end when somebody else’s record comes, are not started beside it, and their buttons lead to a page that says so', async () => {
    writeFileSync(join(demo.cwd, 'p17.ttl'), patient('Byron'));
    expect(await run(['load', 'p17.ttl'], { cwd: demo.cwd })).toMatchObject({ code: 0 });
    await demo.says(/the example apps have ended: the container holds other records than the demo data now/);
    const says = () => statusAndTitle(`${apps}/trends/index.html`);
    await expect.poll(says).toBe('503 The example apps are not here now');
    await demo.stop();
    await expect.poll(says).toBe('nothing');
    const refused = await runProcess(
      ['serve', '--port', '0', '--workers', '1', '--analysts', 'off', '--examples'],
      {
        cwd: demo.cwd,
      },
    );
    expect([refused.code, refused.stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      'chartgraph: The example apps cannot be served: the container holds other records than the demo data; start with --no-examples.',
    ]);
    await demo.start();
    await expect.poll(says).toBe('503 The example apps are not here now');
    await page.goto(`${apps}/trends/index.html`);
    await look(page, 'example-not-here');
  });
});

async function statusAndTitle(address: string): Promise<string> {
  try {
    const answer = await fetch(address);
    return `${answer.status} ${/<h1>(.*?)<\/h1>/.exec(await answer.text())?.[1]}`;
  } catch {
    return 'nothing';
  }
}
