import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { PASSWORD, startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainPage } from '../oauth/plain-browser.js';

const PATH = '/account/query-tokens';
let container: FlowContainer;
beforeAll(async () => {
  // Nothing listens there: its queries are none of this page's business.
  container = await startFlowContainer({ analystSocket: join(tmpdir(), 'no-analysts.sock') });
});
afterAll(() => container.stop());

async function wish(fields: Record<string, string>): Promise<PlainPage> {
  const browser = await container.browser('analyst');
  const page = await browser.open(PATH);
  return browser.submit(page, { purpose: 'a cohort', days: '7', current: PASSWORD, ...fields }, PATH);
}

const tokens = () => container.accounts.listAnalystTokens().filter(({ user }) => user === 'analyst');

describe('/account/query-tokens', () => {
  it('makes a token that is shown once, is de-identified, and lives as long as was asked for', async () => {
    const before = Date.now();
    const made = await wish({});
    const [token = ''] = /cga_[\w-]+/.exec(made.html) ?? [];
    const found = container.accounts.analystToken(token);
    expect(found).toMatchObject({ user: 'analyst', purpose: 'a cohort', isIdentified: false });
    expect(Math.round(((found?.expires ?? 0) - before) / 86_400_000)).toBe(7);
    const browser = await container.browser('analyst');
    const later = await browser.open(PATH);
    expect(later.html).not.toContain(token);
    expect(later.html).toContain('a cohort');
    expect((await browser.open('/account')).html).toContain(`href="${PATH}"`);
    const log = await openAccessLog(container.data);
    const entries = [];
    for await (const entry of log.read({ user: 'analyst' })) entries.push(entry);
    await log.close();
    expect(entries.find(({ action }) => action === 'query-token.issued')).toMatchObject({
      tokenId: found?.id,
      outcome: 'done',
    });
  });

  it.each([
    [{ current: 'wrong' }, 403, 'The current password is wrong.'],
    [{ purpose: '  ' }, 400, 'Say in 1 to 500 characters'],
    [{ purpose: 'x'.repeat(501) }, 400, 'Say in 1 to 500 characters'],
    [{ days: '0' }, 400, 'A token lives 1 to 90 days.'],
    [{ days: '91' }, 400, 'A token lives 1 to 90 days.'],
    [{ days: '1e1' }, 400, 'A token lives 1 to 90 days.'],
  ])('makes none for %j, and says why', async (fields, status, sentence) => {
    const before = tokens().length;
    const refused = await wish(fields);
    expect([refused.status, refused.html.includes(sentence)]).toEqual([status, true]);
    expect(tokens()).toHaveLength(before);
  });

  it.each(['admin', 'clinician'])(
    'tells the %s, as the workbench does, by which command roles are given',
    async (user) => {
      const browser = await container.browser(user);
      for (const path of [PATH, '/workbench']) {
        const { status, html } = await browser.open(path);
        expect(status).toBe(403);
        expect(html).toContain('chartgraph user change ID --role analyst.');
        expect(html).not.toContain('An administrator gives roles');
      }
    },
  );

  it('is where a browser is led that opens what ends a token', async () => {
    const browser = await container.browser('analyst');
    browser.headers.set('accept', 'text/html,*/*;q=0.8');
    const opened = await browser.open(`${PATH}/end`);
    expect([opened.status, opened.headers.get('Location')]).toEqual([303, PATH]);
  });

  it('ends a token of its owner, and of nobody else', async () => {
    await container.directory.transact((tx) => {
      container.accounts.putUser(tx, { id: 'other', role: 'analyst', records: [] });
    });
    const request = { purpose: 'theirs', isIdentified: false, lifetime: 60_000 };
    const theirs = await container.accounts.issueAnalystToken({ ...request, user: 'other' });
    const own = await container.accounts.issueAnalystToken({ ...request, user: 'analyst' });
    const browser = await container.browser('analyst');
    const page = await browser.open(PATH);
    expect(page.html).not.toContain(theirs.id);
    for (const { id } of [theirs, own]) {
      const ended = await browser.submit(page, { token: id }, '/end');
      expect([ended.status, ended.headers.get('Location')]).toEqual([303, `${PATH}?ended=1`]);
    }
    expect(container.accounts.analystToken(theirs.token)).toBeDefined();
    expect(container.accounts.analystToken(own.token)).toBeUndefined();
    expect((await browser.open(`${PATH}?ended=1`)).html).toContain('The token has ended.');
  });

  it('is for analysts, and takes no form of another site', async () => {
    const clinician = await container.browser('clinician');
    expect((await clinician.open(PATH)).status).toBe(403);
    const browser = await container.browser('analyst');
    const page = await browser.open(PATH);
    const before = tokens().length;
    const answer = await browser.submit(
      page,
      { csrf: 'x', purpose: 'x', days: '1', current: PASSWORD },
      PATH,
    );
    expect(answer.status).toBe(403);
    expect(tokens()).toHaveLength(before);
  });
});
