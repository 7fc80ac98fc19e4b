import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

let container: FlowContainer;
let admin: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer();
  admin = await container.browser('admin');
});
afterAll(() => container.stop());

const plain = (html: string): string => html.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');

/** Opens a page and those that its link to the next one leads to. */
async function allPages(path: string): Promise<string[]> {
  const { html } = await admin.open(path);
  const [, next] = /<a href="([^"]*)" rel="next"/u.exec(html) ?? [];
  return next === undefined ? [html] : [html, ...(await allPages(next.replaceAll('&amp;', '&')))];
}

it('goes on to the rest of a long list, and of the log while that grows', async () => {
  await container.directory.transact((tx) => {
    for (let at = 0; at < 205; at++)
      container.accounts.putUser(tx, { id: `many${at}`, role: 'person', records: [] });
  });
  const users = await allPages('/admin/users?q=many');
  expect(users.map((html) => html.match(/many\d+<\/a>/gu)?.length)).toEqual([100, 100, 5]);
  expect(plain(users[1] ?? '')).toContain('101 to 200 of 205 Previous Next');

  let now = Date.now() - 86_400_000;
  const log = await openAccessLog(container.data, { clock: () => now });
  for (let at = 0; at < 135; at++) {
    now += 60_000;
    await log.record({
      action: 'read',
      outcome: 'done',
      user: 'reader',
      record: '1000001',
      purpose: `visit ${at}.`,
    });
  }
  const first = await admin.open('/admin/log?user=reader');
  const [, next = ''] = /<a href="([^"]*)" rel="next">Earlier</u.exec(first.html) ?? [];
  now = Date.now() + 1;
  await log.record({ action: 'read', outcome: 'done', user: 'reader', record: '1000001', purpose: 'late' });
  await log.close();
  const earlier = await admin.open(next.replaceAll('&amp;', '&'));
  const visits = (html: string) => [...html.matchAll(/visit (\d+)\./gu)].map(([, at]) => Number(at));
  expect([...visits(first.html), ...visits(earlier.html)]).toEqual(
    Array.from({ length: 135 }, (_, at) => 134 - at),
  );
  expect(plain(earlier.html)).toContain('101 to 135 of 135 Later');
});
