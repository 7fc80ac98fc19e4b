import { TOTP, Secret } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startFlowContainer({ trustProxy: ['127.0.0.0/8'], secondFactorRoles: ['admin'] });
});
afterAll(() => container.stop());
afterEach(() => container.grants.secondFactors.remove('admin'));

/** A browser that comes through the trusted proxy, from an address of its own. */
async function from(address: string): Promise<PlainBrowser> {
  const browser = await container.browser();
  browser.headers.set('X-Forwarded-For', address);
  return browser;
}

/** Tries wrong passwords until one has to wait. @returns how many were answered before */
async function guess(user: string, browserAt: (round: number) => Promise<PlainBrowser>): Promise<number> {
  for (let tries = 0; tries < 60; tries++) {
    const answer = await (await browserAt(tries)).signIn(user, 'wrong');
    if (answer.status === 429) return tries;
    expect(answer.status).toBe(403);
  }
  throw new Error('nobody ever had to wait');
}

describe('whoever tries too often', () => {
  it('waits, wherever they are, and is told how long', async () => {
    expect(await guess('analyst', (round) => from(`192.0.2.${round}`))).toBeGreaterThan(4);
    const answer = await (await from('198.51.100.7')).signIn('analyst', PASSWORD);
    expect([answer.status, answer.html.includes('role="alert"')]).toEqual([429, true]);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(answer.html).toMatch(/Wait \d+ (seconds|minutes) and try again\./);
    // Others are not slowed.
    expect((await (await from('198.51.100.7')).signIn('clinician', PASSWORD)).status).toBe(303);
  });

  it('cannot lock out a browser that signed in before', async () => {
    const known = await from('192.0.2.1');
    const first = await known.signIn('person', PASSWORD);
    expect(first.headers.getSetCookie().join()).toMatch(
      /chartgraph-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000/,
    );
    await known.submit(await known.open('/logout'), {}, '/logout');
    expect(known.cookies.has('chartgraph-browser')).toBe(true);
    await guess('person', () => from('203.0.113.9'));
    expect((await known.signIn('person', PASSWORD)).status).toBe(303);
  });
});

describe('a second factor', () => {
  /** Sets one up in the browser. @returns the code of a moment and the recovery codes */
  async function enrol(
    browser: PlainBrowser,
  ): Promise<{ codeIn: (seconds: number) => string; recovery: string[] }> {
    const begin = await browser.open('/account/security/second-factor');
    expect((await browser.submit(begin, { current: 'wrong' }, '/second-factor')).status).toBe(403);
    const shown = await browser.submit(begin, { current: PASSWORD }, '/second-factor');
    const secret = /aria-label="Secret">([A-Z2-7]+)</.exec(shown.html)?.[1] ?? '';
    expect(shown.html).toContain('<svg');
    expect(shown.html).toContain(
      `otpauth://totp/Test%20container:admin?issuer=Test%20container&amp;secret=${secret}`,
    );
    expect(shown.html).not.toMatch(/<script|style="/);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeIn = (seconds: number): string => totp.generate({ timestamp: Date.now() + seconds * 1000 });
    const wrong = await browser.submit(shown, { code: '000000' }, '/second-factor');
    expect([wrong.status, wrong.html.includes(secret)]).toEqual([403, false]);
    expect(shown.html).toContain('Then type the code');
    expect(wrong.html).not.toContain('Then type');
    expect(wrong.html).toMatch(/Type the code that the app shows\. The secret is not shown again/);
    const done = await browser.submit(wrong, { code: codeIn(0) }, '/second-factor');
    const recovery = [...done.html.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code = '']) => code);
    expect([done.status, recovery.length]).toEqual([200, 10]);
    return { codeIn, recovery };
  }

  it('is set up before anything else where the role demands it', async () => {
    const browser = await container.browser('admin');
    const there = '/account/security/second-factor';
    for (const path of ['/', '/account/apps', '/account/security', `/apps/${UI_APP}/launch`]) {
      const answer = await browser.open(path);
      expect([answer.status, answer.headers.get('Location')]).toEqual([
        302,
        `${there}?return_url=${encodeURIComponent(path)}`,
      ]);
    }
    expect((await browser.open(there)).html).toContain('Your role needs a second factor');
    await enrol(browser);
    expect((await browser.open('/account/apps')).status).toBe(200);
    expect((await (await container.browser('clinician')).open('/account/apps')).status).toBe(200);
  });

  it('is begun again after a wrong code, and leads on to where its user was going', async () => {
    const browser = await container.browser('admin');
    const begin = await browser.open('/account/security/second-factor?return_url=%2Faccount%2Fapps');
    const shown = await browser.submit(begin, { current: PASSWORD }, '/second-factor');
    const wrong = await browser.submit(shown, { code: '000000' }, '/second-factor');
    for (const { html } of [shown, wrong]) {
      const [, link = ''] = /<a href="([^"]+)">Begin again with a new secret<\/a>/.exec(html) ?? [];
      const again = await browser.open(link);
      expect([again.status, /name="return_url" value="([^"]+)"/.exec(again.html)?.[1]]).toEqual([
        200,
        '/account/apps',
      ]);
    }
  });

  it('is asked for after the right password, and nobody is signed in before', async () => {
    const { codeIn, recovery } = await enrol(await container.browser('admin'));
    const browser = await container.browser();
    const step = await browser.signIn('admin', PASSWORD, '/account/apps');
    expect([step.status, step.html.includes('Second factor')]).toEqual([200, true]);
    expect((await browser.open('/account/apps')).status).toBe(302);
    const wrong = await browser.submit(step, { code: '000000' }, '/login/code');
    expect([wrong.status, wrong.html.includes('The code is wrong')]).toEqual([403, true]);
    // The code that set it up was used.
    expect((await browser.submit(wrong, { code: codeIn(0) }, '/login/code')).status).toBe(403);
    const stranger = await container.browser();
    await stranger.open('/login');
    const proof = /name="proof" value="([^"]+)"/.exec(step.html)?.[1] ?? '';
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.open('/login')).html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf, proof, code: codeIn(30) });
    expect((await stranger.open('/login/code', { method: 'POST', body })).status).toBe(403);

    const entered = await browser.submit(step, { code: codeIn(30) }, '/login/code');
    expect([entered.status, entered.headers.get('Location')]).toEqual([303, '/account/apps']);
    expect((await browser.open('/account/apps')).status).toBe(200);

    const other = await container.browser();
    const again = await other.signIn('admin', PASSWORD);
    const code = recovery[0] ?? '';
    expect((await other.submit(again, { code }, '/login/code')).status).toBe(303);
    const third = await container.browser();
    expect((await third.submit(await third.signIn('admin', PASSWORD), { code }, '/login/code')).status).toBe(
      403,
    );
    expect((await other.open('/account/security')).html).toContain('Recovery codes left: 9');

    const remove = await other.open('/account/security/second-factor');
    expect((await other.submit(remove, { code: '000000' }, '/second-factor')).status).toBe(403);
    expect((await other.submit(remove, { code: recovery[1] }, '/second-factor')).status).toBe(303);
    expect(container.grants.secondFactors.has('admin')).toBe(false);
  });

  it('cannot be guessed: tries of codes are counted', async () => {
    await enrol(await container.browser('admin'));
    const browser = await from('192.0.2.77');
    const step = await browser.signIn('admin', PASSWORD);
    const statuses: number[] = [];
    for (let tries = 0; tries < 30 && statuses.at(-1) !== 429; tries++)
      statuses.push((await browser.submit(step, { code: '000000' }, '/login/code')).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeLessThan(20);
  });
});
