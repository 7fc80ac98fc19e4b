import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser, PlainPage } from '../oauth/plain-browser.js';

let container: FlowContainer;
let admin: PlainBrowser;
let folder: string;
/** Stands for the process of analysts: one query runs until it is ended. */
const running = new Map([
  ['q1', { user: 'analyst', purpose: 'audit', level: 'safe', since: 'now', state: 'running' }],
]);
const analysts = createServer((request, response) => {
  const id = request.url?.split('/').at(-1) ?? '';
  const listed = () => [...running].map(([each, query]) => ({ id: each, ...query }));
  response.end(JSON.stringify(request.method === 'DELETE' ? { ended: running.delete(id) } : listed()));
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analysts-'));
  const socket = join(folder, 'socket');
  await new Promise<void>((resolve) => void analysts.listen(socket, resolve));
  container = await startFlowContainer({ analystSocket: socket });
  admin = await container.browser('admin');
});
afterAll(async () => {
  await container.stop();
  analysts.close();
  await rm(folder, { recursive: true });
});

/** Sends a form of the administration. @param id what the page is about */
async function act(
  section: string,
  name: string,
  fields: Record<string, string> = {},
  id = '',
): Promise<PlainPage> {
  const page = await admin.open(`/admin/${section}${id === '' ? '' : `?id=${encodeURIComponent(id)}`}`);
  expect(page.html).toContain(`name="act" value="${name}"`);
  return admin.submit(page, { ...fields, act: name, id }, `/admin/${section}`);
}

async function entries(action: string) {
  const log = await openAccessLog(container.data);
  const found = [];
  for await (const entry of log.read()) if (entry.action === action) found.push(entry);
  await log.close();
  return found;
}

const sections = ['users', 'apps', 'tokens', 'webhooks', 'exports', 'queries', 'log', 'state'];
const manifest = {
  id: 'pasted@apps.example.org',
  name: 'Pasted',
  description: 'An app from a form',
  author: 'Somebody',
  version: '1',
  mode: 'ui',
  index: 'https://apps.example.org/',
  icon: 'https://apps.example.org/icon.png',
  oauth_callback: 'https://apps.example.org/after',
};

describe('/admin', () => {
  it('is for administrators alone, and says what else they ask for', async () => {
    for (const role of ['person', 'clinician', 'analyst']) {
      const browser = await container.browser(role);
      const start = await browser.open('/');
      expect(start.html).not.toContain('href="/admin"');
      const own = await browser.open('/account/security');
      for (const section of sections) {
        expect((await browser.open(`/admin/${section}`)).status, `${role} ${section}`).toBe(403);
        // The form of a page that they can open has their own proof.
        const form = { ...own, html: own.html.replaceAll(/action="[^"]*"/g, `action="/admin/${section}"`) };
        const sent = await browser.submit(form, { act: 'add', user: 'x', given_name: 'X', family_name: 'X' });
        expect(sent.status, `${role} ${section}`).toBe(403);
      }
    }
    expect(container.accounts.user('x')).toBeUndefined();
    expect((await entries('administration.refused')).length).toBe(2 * 3 * sections.length);
    const stranger = await container.browser();
    expect((await stranger.open('/admin/users')).headers.get('Location')).toContain('/login');
    expect((await admin.open('/')).html).toContain('href="/admin"');
    expect((await admin.open('/')).html).not.toContain('/launch');
    for (const section of sections) expect((await admin.open(`/admin/${section}`)).status, section).toBe(200);
  });

  it('refuses a form without the proof of its page', async () => {
    const page = await admin.open('/admin/users');
    const fields = {
      act: 'add',
      user: 'forged',
      given_name: 'F',
      family_name: 'F',
      role: 'admin',
      csrf: 'x',
    };
    expect((await admin.submit(page, fields)).status).toBe(403);
    expect(container.accounts.user('forged')).toBeUndefined();
  });

  it('adds, changes and removes users, with entries in the access log', async () => {
    const named = { given_name: 'Mira', family_name: 'Lind', role: 'person', records: '1000001 1000002' };
    const weak = await act('users', 'add', { ...named, user: 'mira', password: 'short' });
    expect([weak.status, weak.html.includes('at least 12 characters')]).toEqual([400, true]);
    for (const wrong of [{ given_name: 'a\u0007b' }, { family_name: 'x'.repeat(201) }, { user: 'a b' }])
      expect((await act('users', 'add', { ...named, user: 'mira', ...wrong })).status).toBe(400);
    const added = await act('users', 'add', { ...named, user: 'mira', password: PASSWORD });
    expect([added.status, added.headers.get('Location')]).toEqual([303, '/admin/users?done=add']);
    expect(container.accounts.user('mira')).toMatchObject({ records: ['1000001', '1000002'] });
    expect((await act('users', 'add', { ...named, user: 'mira' })).html).toContain('already');
    expect((await admin.open('/admin/users?q=mira')).html).toContain('Mira Lind');

    await act('users', 'change', { ...named, family_name: 'Berg', role: 'clinician', records: '' }, 'mira');
    expect(container.accounts.user('mira')).toMatchObject({ role: 'clinician', records: [] });
    expect((await admin.open('/admin/users?id=mira')).html).toContain('value="Berg"');

    const next = 'violet tractors under seven umbrellas';
    await act('users', 'password', { password: next, again: next }, 'mira');
    expect(await container.accounts.checkPassword('mira', next)).toBe(true);
    expect((await act('users', 'second-factor', {}, 'mira')).html).toContain('has no second factor');
    expect((await act('users', 'remove', {}, 'mira')).status).toBe(303);
    expect(container.accounts.user('mira')).toBeUndefined();

    const done = [await entries('user add'), await entries('user change'), await entries('user remove')];
    for (const found of done) {
      expect(found.find(({ outcome }) => outcome === 'done')).toMatchObject({
        user: 'mira',
        reason: 'by admin',
      });
      expect(found[0]).toMatchObject({ outcome: 'begun', reason: 'by admin' });
    }
    // A password was too weak, names were none, then a name was taken.
    expect(done[0]?.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 4 }, () => ['begun', 'failed']).flat(),
      ...['begun', 'done', 'begun', 'failed'],
    ]);
    expect(JSON.stringify(done)).not.toContain(PASSWORD);
  });

  it('lets no administrator lock themselves out', async () => {
    const named = { given_name: 'A', family_name: 'B', role: 'person' };
    expect((await act('users', 'change', named, 'admin')).status).toBe(400);
    expect((await act('users', 'remove', {}, 'admin')).status).toBe(400);
    expect(container.accounts.user('admin')?.role).toBe('admin');
  });

  it('installs an app from a manifest, shows its secret once, and removes it', async () => {
    expect((await act('apps', 'add', { manifest: '{' })).html).toContain('The manifest is not JSON.');
    const installed = await act('apps', 'add', { manifest: JSON.stringify(manifest) });
    const secret = container.directory.read(
      (tx) => container.accounts.appCredentials(tx, manifest.id)?.secret,
    );
    expect(installed.html).not.toContain('not an app manifest');
    expect([installed.status, installed.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(installed.html).toContain(secret);
    const again = await act('apps', 'add', { manifest: JSON.stringify({ ...manifest, name: 'Renamed' }) });
    expect(again.headers.get('Location')).toBe('/admin/apps?done=add');
    expect((await admin.open('/admin/apps')).html).not.toContain(secret);
    expect((await admin.open('/admin/apps')).html).toContain('Renamed');
    await act('apps', 'remove', {}, manifest.id);
    expect(container.accounts.app(manifest.id)).toBeUndefined();
  });

  it('issues tokens that are shown once, and revokes them', async () => {
    const issued = await act('tokens', 'issue', { app: UI_APP, user: 'person', record: '1000001' });
    const [token = ''] = issued.html.match(/(?<=aria-label="Token">)[\w-]+/) ?? [];
    const found = container.accounts.token(token);
    expect(found).toMatchObject({ app: UI_APP, user: 'person', record: '1000001', revoked: false });
    const none = await act('tokens', 'issue', { app: 'none', user: 'person' });
    expect([none.status, none.html.includes('There is no app')]).toEqual([400, true]);
    await act('tokens', 'revoke', {}, found?.id);
    expect(container.accounts.token(token)?.revoked).toBe(true);

    const asked = { analyst: 'analyst', purpose: 'a cohort', days: '3' };
    expect((await act('tokens', 'issue-analyst', { ...asked, days: '0' })).status).toBe(400);
    const bearer = await act('tokens', 'issue-analyst', asked);
    const [secret = ''] = /cga_[\w-]+/.exec(bearer.html) ?? [];
    expect(container.accounts.analystToken(secret)).toMatchObject({ user: 'analyst', isIdentified: false });
    expect((await admin.open('/admin/tokens')).html).not.toContain(secret);
    expect(JSON.stringify(await entries('token issue'))).not.toContain(secret);
  });

  it('shows the access log by filters, as a table too, and checks it', async () => {
    const page = await admin.open('/admin/log?user=person&since=2020-01-01');
    expect(page.html).toContain('token issue');
    expect(page.html).not.toContain('app add');
    expect((await admin.open('/admin/log?since=yesterday')).status).toBe(400);
    const table = await admin.open('/admin/log?format=csv');
    expect(table.headers.get('Content-Type')).toContain('text/csv');
    expect(table.html).toContain('app add');
    expect((await act('log', 'verify')).headers.get('Location')).toBe('/admin/log?done=verify');
  });

  it('delivers to apps again, and ends their subscriptions', async () => {
    const { accounts } = container;
    const url = 'https://apps.example.org/hook';
    const token = await accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
    const request = { app: UI_APP, token: token.id, user: 'person', record: '1000001', url, position: 9 };
    const { id } = (await accounts.subscribe(request)).subscription;
    expect((await admin.open('/admin/webhooks')).html).toContain(url);
    expect((await act('webhooks', 'replay', {}, id)).html).toContain('Everything has been delivered.');
    const lost = { since: 3, revision: 5, at: 0, reason: 'status 500' };
    await accounts.changeSubscription(id, (now) => ({ ...now, failures: 2, deadLetters: [lost] }));
    expect((await act('webhooks', 'replay', {}, id)).status).toBe(303);
    expect(accounts.subscription(id)).toMatchObject({ position: 3, deadLetters: [] });
    expect((await act('webhooks', 'remove', {}, id)).status).toBe(303);
    expect(accounts.subscription(id)).toBeUndefined();
    const replays = (await entries('subscription replay')).map(({ outcome }) => outcome);
    expect(replays).toEqual(['begun', 'failed', 'begun', 'done']);
    expect((await entries('subscription remove')).at(-1)).toMatchObject({ app: UI_APP, record: '1000001' });
  });

  it('stops queries of analysts', async () => {
    expect((await admin.open('/admin/queries')).html).toContain('q1');
    expect((await act('queries', 'stop', {}, 'q1')).status).toBe(303);
    expect(running.size).toBe(0);
    expect(await entries('query end')).toMatchObject([
      { outcome: 'begun', reason: 'by admin' },
      { outcome: 'done', user: 'analyst', reason: 'by admin' },
    ]);
  });

  it('ends exports of apps', async () => {
    const begun = await container.accounts.beginExport({
      ...{ app: UI_APP, format: 'ndjson', revision: 1, epoch: 'e' },
    });
    await act('exports', 'end', {}, begun?.id);
    expect(container.accounts.bulkExport(begun?.id ?? '')?.state).toBe('ended');
  });

  it('says how the container is', async () => {
    const { html } = await admin.open('/admin/state');
    for (const name of ['Version', 'Free on the disk', 'Last backup']) expect(html).toContain(name);
  });
});
