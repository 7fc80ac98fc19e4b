import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountName } from '../../../src/access/log/account-name.js';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { lastRevision } from '../../../src/store/change-log.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
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

/** Sends a form of the administration, and confirms it where it asks. @param id what the page is about */
async function act(
  section: string,
  name: string,
  fields: Record<string, string> = {},
  id = '',
): Promise<PlainPage> {
  const page = await admin.open(`/admin/${section}${id === '' ? '' : `?id=${encodeURIComponent(id)}`}`);
  const sent = await admin.submit(page, { ...fields, act: name, id }, `/admin/${section}`);
  return sent.html.includes('name="confirmed"') ? admin.submit(sent, {}, `/admin/${section}`) : sent;
}

/** The cells of the first row of a list that has a text. */
function rowWith(page: PlainPage, text: string): string[] {
  const rows = page.html
    .split('<tr>')
    .slice(1)
    .filter((row) => row.includes(text));
  const cells = [...(rows[0] ?? '').matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)];
  return cells.map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim());
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
    for (const wrong of [{ given_name: 'a\u0007b' }, { family_name: 'x'.repeat(201) }, { user: 'a b' }])
      expect((await act('users', 'add', { ...named, user: 'mira', ...wrong })).status).toBe(400);
    const added = await act('users', 'add', { ...named, user: 'mira' });
    expect([added.status, added.headers.get('Location')]).toEqual([303, '/admin/users?id=mira&done=add']);
    expect(container.accounts.user('mira')).toMatchObject({ records: ['1000001', '1000002'] });
    const again = await act('users', 'add', { ...named, user: 'mira' });
    expect(again.html).toContain('The user name “mira” is taken.');
    // What was typed is not lost, and no list hides the form.
    expect(again.html).toContain('value="Lind"');
    expect(again.html).not.toContain('<table');
    expect((await admin.open('/admin/users')).html).toContain('<a href="#add">Add a user</a>');
    expect((await admin.open('/admin/users?id=mira')).html).toContain('<h1>Users: Mira Lind</h1>');
    for (const asked of ['mira', 'lind', 'Mira Lind'])
      expect(rowWith(await admin.open(`/admin/users?q=${encodeURIComponent(asked)}`), 'mira')[1]).toBe(
        'Mira Lind',
      );
    expect((await admin.open('/admin/users?q=nobody')).html).toContain('Nothing matches.');

    expect(rowWith(await admin.open('/admin/users'), 'mira')[3]).toBe('2 records');
    expect((await admin.open('/admin/users?q=1000002')).html).toContain('Mira Lind');
    expect((await admin.open('/admin/users?format=csv')).html).toContain('1000001 1000002');
    const taking = { act: 'take', records: '1000001', id: 'mira' };
    const asked = await admin.submit(await admin.open('/admin/users?id=mira'), taking, '/admin/users');
    expect(asked.html).toMatch(
      /Mira Lind \(mira\) will no longer be able to open the record of .*\(1000001\)\./,
    );
    expect(container.accounts.user('mira')?.records).toEqual(['1000001', '1000002']);
    await act('users', 'take', { records: '1000001' }, 'mira');
    expect(rowWith(await admin.open('/admin/users'), 'mira')[3]).toBe('1 record');
    expect(container.accounts.user('mira')?.records).toEqual(['1000002']);
    await act('users', 'give', { records: '1000003' }, 'mira');
    await act('users', 'change', { ...named, family_name: 'Berg', role: 'clinician' }, 'mira');
    expect(container.accounts.user('mira')).toMatchObject({
      role: 'clinician',
      records: ['1000002', '1000003'],
    });
    expect((await admin.open('/admin/users?id=mira')).html).toContain('value="Berg"');

    const weak = await act('users', 'password', { password: 'short', again: 'short' }, 'mira');
    expect([weak.status, weak.html.includes('at least 12 characters')]).toEqual([400, true]);
    const next = 'violet tractors under seven umbrellas';
    await act('users', 'password', { password: next, again: next }, 'mira');
    expect(await container.accounts.checkPassword('mira', next)).toBe(true);
    expect((await admin.open('/admin/users?id=mira')).html).not.toContain('second-factor');
    expect(rowWith(await admin.open('/admin/users?q=mira'), 'mira').at(-1)).toBe('');
    await (await container.browser()).signIn('mira', next);
    expect(rowWith(await admin.open('/admin/users?q=mira'), 'mira').at(-1)).toMatch(/^\d+ \w+ \d+, .* UTC$/);
    expect((await act('users', 'remove', {}, 'mira')).status).toBe(303);
    expect(container.accounts.user('mira')).toBeUndefined();

    const done = [await entries('user add'), await entries('user change'), await entries('user remove')];
    for (const found of done) {
      expect(found.find(({ outcome }) => outcome === 'done')).toMatchObject({
        user: 'mira',
        reason: expect.stringMatching(/^by admin(?:;|$)/u) as string,
      });
      expect(found[0]).toMatchObject({ outcome: 'begun', reason: 'by admin' });
    }
    // Two names of a person were none; what cannot be a user name, or is taken, is not even asked about.
    expect(done[0]?.map(({ outcome, user }) => [outcome, user])).toEqual([
      ...Array.from({ length: 2 }, () => ['begun', 'failed'].map((outcome) => [outcome, 'mira'])).flat(),
      ...['begun', 'done'].map((outcome) => [outcome, 'mira']),
    ]);
    expect(JSON.stringify(await entries('user password'))).not.toContain(next);
  });

  it('asks before somebody gets a record or a role, and names whose record it is only then', async () => {
    const sent = async (act: string, fields: Record<string, string>) => {
      const page = await admin.open('/admin/users?id=person');
      return admin.submit(page, { act, ...fields }, '/admin/users');
    };
    const given = container.accounts.user('person')?.records ?? [];
    const question = await sent('give', { records: '1000002' });
    expect(question.html).toMatch(
      /\(person\) will see everything in the record of Tobias Wrenfield \(1000002\), and let apps/,
    );
    expect(container.accounts.user('person')?.records).toEqual(given);
    // Whoever saw another question has not confirmed this one.
    const other = await admin.submit(question, { records: '1000003' }, '/admin/users');
    expect(other.html).toMatch(/everything in the record of [\w ]+ \(1000003\), and let/u);
    const named = { given_name: 'Ines', family_name: 'Vale' };
    expect((await sent('change', { ...named, role: 'clinician' })).html).toContain(
      'Ines Vale (person) becomes a clinician. They can open every record in this container.',
    );
    const above = (await sent('change', { ...named, role: 'admin' })).html;
    expect(above).toMatch(
      /becomes an admin\. They can use these pages, which decide who opens what\. They lose the (?:record|\d+ records) given to them\.</u,
    );
    expect(above).not.toMatch(/analyst|clinician/iu);
    expect((await sent('change', { ...named, role: 'person' })).status).toBe(303);
    expect(container.accounts.user('person')?.records).toEqual(given);

    expect((await admin.open('/admin/users')).html).not.toContain('Lindqvale');
    expect((await admin.open('/admin/users?id=person')).html).toContain('Harriet Maud Lindqvale (1000001)');
    const seen = (await entries('read')).filter(({ resource }) => resource === '/admin/users');
    expect(seen.map(({ record }) => record)).toContain('1000001');
  });

  it('gives several records at once, and none that does not exist', async () => {
    const { accounts } = container;
    const named = { given_name: 'Nora', family_name: 'Quill', role: 'person' };
    const refused = [
      [
        await act('users', 'add', { ...named, user: 'nora', records: '1000001 77' }),
        'There is no record 77.',
      ],
      [await act('users', 'give', { records: '77, 1000002 78' }, 'person'), 'There are no records 77, 78.'],
      [await act('users', 'give', { records: 'a/b' }, 'person'), 'There is no record a/b.'],
    ] as const;
    for (const [page, sentence] of refused) {
      expect(page.status).toBe(400);
      expect(page.html).toContain(sentence);
    }
    expect(accounts.user('nora')).toBeUndefined();
    const before = accounts.user('person')?.records ?? [];
    expect((await act('users', 'give', { records: '1000002 1000003' }, 'person')).status).toBe(303);
    expect(accounts.user('person')?.records).toEqual([...before, '1000002', '1000003']);
    const given = (await entries('user grant')).filter(
      ({ user, outcome }) => [user, outcome].join() === 'person,done',
    );
    expect(given.map(({ record }) => record).sort()).toEqual(['1000002', '1000003']);
    for (const records of ['1000002', '1000003']) await act('users', 'take', { records }, 'person');
  });

  it('refuses at once what cannot be done with a user, and says what is lost', async () => {
    const { accounts } = container;
    const named = { given_name: 'Una', family_name: 'Reed', records: '' };
    const sent = async (fields: Record<string, string>, id = '') => {
      const page = await admin.open(`/admin/users${id && `?id=${id}`}`);
      return (await admin.submit(page, { ...named, ...fields, id }, '/admin/users')).html;
    };
    expect(await sent({ act: 'add', user: 'x y!', role: 'admin' })).toContain(
      'A user name has at most 64 characters',
    );
    expect(await sent({ act: 'add', user: 'person', role: 'admin' })).toContain(
      'The user name “person” is taken.',
    );
    expect(await sent({ act: 'add', user: 'una', role: 'admin', records: '1000001' })).toContain(
      'The role admin opens no records: leave the records empty',
    );
    expect((await admin.open('/admin/users?id=person&done=change')).html).toContain('Changes saved.');
    expect(await sent({ act: 'change', role: 'person' }, 'admin')).toContain('You cannot take your own role');
    expect(
      (await act('users', 'add', { ...named, user: 'una', role: 'person', records: '1000001 1000002' }))
        .status,
    ).toBe(303);
    await act('users', 'change', { ...named, role: 'analyst' }, 'una');
    expect(accounts.user('una')).toMatchObject({ role: 'analyst', records: [] });
    const taken = (await entries('user ungrant')).filter(({ user }) => user === 'una');
    expect(taken.map(({ record }) => record)).toEqual(['1000001', '1000002']);
    // A command may have left some.
    await container.directory.transact((tx) => {
      accounts.putUser(tx, { id: 'una', role: 'admin', records: ['1000001'] });
    });
    expect((await admin.open('/admin/users?id=una')).html).not.toContain('1000001');
    expect(await sent({ act: 'change', role: 'person' }, 'una')).toMatch(
      /becomes a person\. They can no longer use these pages.* will see everything in the record of [\w ]+ \(1000001\)/u,
    );
    await act('users', 'remove', {}, 'una');
    const gone = await admin.open('/admin/users?id=una');
    expect([gone.status, gone.html.includes('There is no user “una”.')]).toEqual([404, true]);
  });

  it('asks before a clinician opens records by what the data says, and links nobody else', async () => {
    const page = await admin.open('/admin/users?id=clinician');
    const sent = { act: 'practitioner', practitioner: '1234567893' };
    const question = await admin.submit(page, sent, '/admin/users');
    expect(question.html).toContain(
      '(clinician) will see everything in every record that names 1234567893 as giving care, and let apps',
    );
    expect(container.accounts.user('clinician')?.practitioner).toBeUndefined();
    expect((await admin.submit(question, {}, '/admin/users')).status).toBe(303);
    expect(container.accounts.user('clinician')?.practitioner).toBe('1234567893');
    expect((await act('users', 'practitioner', { practitioner: '' }, 'clinician')).status).toBe(303);
    expect(container.accounts.user('clinician')?.practitioner).toBeUndefined();
    expect((await admin.open('/admin/users?id=person')).html).not.toContain('name="practitioner"');
    expect((await act('users', 'practitioner', { practitioner: '1' }, 'person')).status).not.toBe(303);
    expect(container.accounts.user('person')?.practitioner).toBeUndefined();
  });

  it('lets no administrator lock themselves out', async () => {
    const named = { given_name: 'A', family_name: 'B', role: 'person' };
    expect((await act('users', 'change', named, 'admin')).status).toBe(400);
    expect((await act('users', 'remove', {}, 'admin')).status).toBe(400);
    expect(container.accounts.user('admin')?.role).toBe('admin');
  });

  it('installs an app from a manifest, shows its secret once, and removes it', async () => {
    expect((await act('apps', 'add', { manifest: '{' })).html).toContain('The manifest is not JSON.');
    const page = await admin.open('/admin/apps');
    const question = await admin.submit(page, { act: 'add', manifest: JSON.stringify(manifest) });
    expect(question.html).toMatch(
      /“Pasted” \(pasted@apps\.example\.org\) by Somebody will be installed\. In a record that lets it in, it may: see everything in the record; /u,
    );
    expect(question.html).toContain('People open it at https://apps.example.org/. Once they have let it in');
    expect(question.html).toContain('they are sent to https://apps.example.org/after.');
    expect(container.accounts.app(manifest.id)).toBeUndefined();
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
    const [, , , rights] = rowWith(await admin.open('/admin/apps'), manifest.id);
    expect(rights).toMatch(/^See everything in the record; .* for the person/u);
    expect(rights).not.toMatch(/\byou\b/u);
    const narrow = { 'http://smartplatforms.org/terms#Medication': {} };
    await act('apps', 'add', {
      manifest: JSON.stringify({ ...manifest, name: 'Renamed', requires: narrow }),
    });
    expect(rowWith(await admin.open('/admin/apps'), manifest.id)).toEqual([
      ...['Renamed', manifest.id, 'opened by people'],
      expect.not.stringContaining('everything') as string,
    ]);
    await act('apps', 'remove', {}, manifest.id);
    expect(container.accounts.app(manifest.id)).toBeUndefined();
    expect((await entries('app add')).map(({ outcome, app }) => [outcome, app])).toEqual([
      // What is no manifest is not even asked about.
      ...Array.from({ length: 3 }, () => ['begun', 'done'].map((outcome) => [outcome, manifest.id])).flat(),
    ]);
  });

  it('issues tokens that are shown once, and revokes them', async () => {
    const asking = async (fields: Record<string, string>): Promise<string> =>
      (await admin.submit(await admin.open('/admin/tokens'), fields, '/admin/tokens')).html;
    const question = await asking({ act: 'issue', app: UI_APP, user: 'ines vale', record: '1000001' });
    expect(question).toMatch(
      /“Medication check” acts as Ines Vale \(person\) in the record of Harriet Maud Lindqvale \(1000001\) until \d+ \w+ \d+, or until you revoke the token\. What it can do there: [^.]*add notes to the record/,
    );
    const named = { act: 'issue-analyst', analyst: 'analyst', purpose: 'a', days: '3', level: 'identified' };
    expect(await asking(named)).toMatch(
      /the tools of [\w ]+ \(analyst\) read this until [\w ]+, or until you revoke it: all records, with names/,
    );
    // What cannot be done is said in names, and what was typed is kept.
    const foreign = await asking({ act: 'issue', app: UI_APP, user: 'person', record: '1000009' });
    expect(foreign).toContain('Ines Vale (person) may not open record 1000009. Give them access');
    expect(foreign).toContain('value="1000009"');
    expect(await asking({ act: 'issue', app: UI_APP, user: 'nobody', record: '' })).toContain('no user');
    // The form searched for a name, and changed nothing.
    const searched = (await entries('read')).filter(({ call }) => call?.endsWith('#search_users'));
    expect(searched.map(({ resource }) => resource)).toContain('/admin/tokens');
    expect((await entries('write')).map(({ resource }) => resource)).not.toContain('/admin/tokens');
    expect(container.accounts.listAnalystTokens()).toEqual([]);
    const issued = await act('tokens', 'issue', { app: UI_APP, user: 'person', record: '1000001' });
    const [token = ''] = issued.html.match(/(?<=aria-label="Token">)[\w-]+/) ?? [];
    const found = container.accounts.token(token);
    expect(found).toMatchObject({ app: UI_APP, user: 'person', record: '1000001', revoked: false });
    const none = await act('tokens', 'issue', { app: 'none', user: 'person' });
    expect([none.status, none.html.includes('There is no app')]).toEqual([400, true]);
    const list = await admin.open('/admin/tokens?q=vale');
    expect(rowWith(list, found?.id ?? '').slice(0, 3)).toEqual([
      ...['Medication check', 'Ines Vale (person)', 'Harriet Maud Lindqvale (1000001)'],
    ]);
    // The list names apps and people; ids are under a heading of their own.
    expect(rowWith(list, found?.id ?? '').at(-3)).toBe('never');
    expect(rowWith(list, found?.id ?? '').at(-1)).toContain(UI_APP);
    const log = await openAccessLog(container.data);
    await log.record({ action: 'read', outcome: 'done', app: UI_APP, tokenId: found?.id ?? '' });
    await log.close();
    expect(rowWith(await admin.open('/admin/tokens'), found?.id ?? '').at(-3)).toMatch(/ UTC$/);
    const ending = await admin.open(`/admin/tokens?id=${found?.id}`);
    const asks = await admin.submit(ending, { act: 'revoke' }, '/admin/tokens');
    expect(asks.html).toContain(
      'will no longer be able to use this token in the name of Ines Vale (person). This cannot',
    );
    expect(container.accounts.token(token)?.revoked).toBe(false);
    await act('tokens', 'revoke', {}, found?.id);
    expect(container.accounts.token(token)?.revoked).toBe(true);
    expect((await admin.open('/admin/tokens')).html).not.toContain(found?.id);
    expect(rowWith(await admin.open('/admin/tokens?show=all'), found?.id ?? '').at(-2)).toBe('revoked');

    const asked = { analyst: 'analyst', purpose: 'a cohort', days: '3', level: 'deidentified' };
    expect((await act('tokens', 'issue-analyst', { ...asked, level: 'all' })).status).toBe(400);
    expect((await act('tokens', 'issue-analyst', { ...asked, days: '0' })).status).toBe(400);
    const bearer = await act('tokens', 'issue-analyst', asked);
    const [secret = ''] = /cga_[\w-]+/.exec(bearer.html) ?? [];
    expect(container.accounts.analystToken(secret)).toMatchObject({ user: 'analyst', isIdentified: false });
    expect((await admin.open('/admin/tokens')).html).not.toContain(secret);
    expect(JSON.stringify(await entries('token issue'))).not.toContain(secret);
  });

  it('shows the access log by filters, as a table too, and checks it', async () => {
    const page = await admin.open('/admin/log?user=person&since=1+Jan+2020&until=31+Dec+2099');
    const [time, who, what] = rowWith(page, 'issued a token');
    expect(time).toMatch(/^\d{1,2}\u00a0\w{3}\u00a0\d{4}, \d\d:\d\d$/u);
    expect([who, what]).toEqual([
      'Cornelius Hathersedge (admin)',
      expect.stringContaining(
        'issued a token to Medication check in the name of Ines Vale (person) for the record of Harriet Maud Lindqvale (1000001)',
      ) as string,
    ]);
    expect(page.html).not.toContain('installed or changed');
    expect(page.html).not.toContain('under way');
    // What an administrator did is found by their name, in whose entries only the reason has it.
    const own = await admin.open('/admin/log?user=Hathersedge');
    expect(own.html).toMatch(/installed or changed the app Renamed|installed or changed the app pasted/);
    expect((await admin.open('/admin/log?until=31+Dec+2020')).html).toContain('Nothing matches.');
    expect((await admin.open('/admin/log?since=yesterday')).html).toContain('Type the date');
    const table = await admin.open('/admin/log?format=csv');
    expect(table.headers.get('Content-Type')).toContain('text/csv');
    expect(table.html).toContain('app add');
    expect((await act('log', 'verify')).html).toMatch(/Checked all \d+ entries: the log is intact\./);
    expect((await admin.open('/admin/log?done=verify')).html).not.toContain('intact.');
  });

  it('says why the access log has nothing, and leaves out who asks about a record', async () => {
    const text = async (query: string): Promise<string> =>
      (await admin.open(`/admin/log?${query}`)).html.replaceAll(/<[^>]*>/gu, ' ');
    expect(await text('since=2+Jan+2026&until=1+Jan+2026')).toContain('“From day” is after “To day”.');
    expect(await text('user=nobody+here')).toContain('There is no user “nobody here”.');
    expect(await text('app=none')).toContain('There is no app “none” now.');
    expect(await text('app=none&format=csv')).toContain('There is no app “none” now.');
    const log = await openAccessLog(container.data);
    await log.record({ action: 'read', outcome: 'done', user: 'jsmith', record: '778' });
    await log.close();
    for (let asked = 0; asked < 2; asked++) {
      const missing = await text('record=777');
      expect(missing).toContain('There is no record 777.');
      expect(missing).not.toContain('read or checked');
      // Both are gone.
      expect(await text('record=778')).toMatch(/jsmith \(removed\)\s*opened the record of 778/u);
    }
    expect(await text('user=admin')).toContain('read or checked the access log');
    expect((await entries('audit')).map(({ record }) => record)).toContain('777');
  });

  it('leaves out nothing of what somebody did, where a row of the log has much of it', async () => {
    const log = await openAccessLog(container.data);
    const calls = ['get_allergies', 'get_problems', 'get_medications', 'get_procedures', 'get_lab_results'];
    for (const [at, name] of calls.entries()) {
      const call = `http://smartplatforms.org/terms/api/calls#${name}`;
      const from = { address: at < 4 ? '192.0.2.1' : '192.0.2.2', resource: '/records/1000003/' };
      await log.record({
        action: 'read',
        outcome: 'done',
        user: 'clinician',
        record: '1000003',
        call,
        ...from,
      });
    }
    await log.close();
    const page = await admin.open('/admin/log?user=clinician&record=1000003');
    // Beyond the end of a minute there may be two rows of one address.
    const saw = ['192.0.2.1', '192.0.2.2'].map((address) =>
      page.html
        .split('<tr>')
        .filter((row) => row.includes(address))
        .join(' '),
    );
    for (const kind of ['Allergies', 'Problems', 'Medications', 'Procedures'])
      expect(saw[0]?.toLowerCase(), kind).toContain(kind.toLowerCase());
    expect(saw[1]?.toLowerCase()).toContain('opened the record of');
    expect(saw[1]?.toLowerCase()).toContain(': lab results');
    expect(saw.join(' ')).not.toContain(' more');
  });

  it('finds in the access log what somebody asks for, says why, and leaves out what no row has', async () => {
    const log = await openAccessLog(container.data);
    const record = '1000005';
    const made = [
      { action: 'emergency.opened', user: 'clinician', record, purpose: 'chest pain' },
      { action: 'read', user: 'clinician', record, resource: `/account/records/${record}` },
      { action: 'read', user: 'admin', record, resource: `/account/accesses/${record}` },
      { action: 'write', user: 'clinician', record, app: UI_APP },
      { action: 'access.allowed', user: 'person', record, app: UI_APP },
      { action: 'read', user: 'person', app: UI_APP, record, resource: `/records/${record}` },
      { action: 'user grant', user: 'person', record, reason: 'by admin' },
      { action: 'export', app: UI_APP, record },
    ];
    for (const each of made) await log.record({ outcome: 'done', ...each });
    await log.record({ action: 'read', outcome: 'refused', user: 'person', record, reason: 'token' });
    await log.close();
    const asked = async (kind: string): Promise<string> =>
      (await admin.open(`/admin/log?record=${record}&kind=${kind}`)).html.replaceAll(/<[^>]*>/g, '');
    const whose = /the record of [\w ]+ \(1000005\)/u.source;
    const says = (text: string) => expect.stringMatching(new RegExp(text.replace('RECORD', whose), 'u'));
    expect(await asked('emergency')).toEqual(
      says('Amara Oxendale \\(clinician\\)\\s*opened RECORD in an emergency, for eight hours\\s*chest pain'),
    );
    const opened = await asked('opened');
    expect(opened).toEqual(says('opened RECORD: overview of the record'));
    expect(opened).toEqual(says('Ines Vale \\(person\\) with the app Medication check\\s*opened RECORD'));
    expect(opened).toEqual(says('opened RECORD in an emergency, for eight hours\\s*chest pain'));
    // Administrators see who looked, and open nothing.
    expect(opened).not.toContain('looked at');
    expect(await asked('')).toEqual(says('\\(admin\\)\\s*saw who looked at RECORD'));
    expect(await asked('changed')).toEqual(says('added or changed [\\w ]+ in RECORD'));
    expect(await asked('refused')).toEqual(
      says('tried to open RECORD.*\\s*refused\\s*The token is not valid'),
    );
    // No row has a reason.
    expect(await asked('changed')).not.toContain('Why');
    expect(await asked('apps')).toEqual(says('\\(person\\)\\s*gave Medication check access to RECORD'));
    expect(await asked('administration')).toEqual(
      says('\\(admin\\)\\s*gave Ines Vale \\(person\\) access to RECORD'),
    );
    expect(await asked('exports')).toEqual(says('The app Medication check\\s*exported RECORD'));
  });

  it('says in the access log what happened where somebody looked for patients, or closed something', async () => {
    const clinician = await container.browser('clinician');
    await clinician.open('/account');
    const here = '/account/emergency';
    await clinician.submit(await clinician.open(here), { number: '777', reason: 'Unconscious' }, here);
    const log = await openAccessLog(container.data);
    const record = '1000004';
    const closed = { outcome: 'done', user: 'person', record } as const;
    await log.record({ ...closed, action: 'record close', purpose: 'Allergies, to all' });
    const to = `user clinician, app ${UI_APP}`;
    await log.record({ ...closed, action: 'record open', purpose: `Notes, to ${to}` });
    for (const action of ['write', 'read'])
      await log.record({ ...closed, action, resource: `/account/closed/${record}` });
    await log.close();
    const text = async (browser: PlainBrowser, path: string): Promise<string> =>
      (await browser.open(path)).html.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
    const own = await text(admin, '/admin/log?user=clinician');
    expect(own).toContain('listed or searched their patients');
    expect(own).toMatch(/asked for emergency access, but no record was found Unconscious/u);
    expect(own).not.toContain('personal details');
    expect(await text(admin, '/admin/log?user=clinician&kind=emergency')).toContain('no record was found');
    const names = 'Notes, to Amara Oxendale( \\(clinician\\))?, Medication check';
    for (const said of [
      await text(admin, `/admin/log?record=${record}`),
      await text(await container.browser('person'), `/account/accesses/${record}`),
    ]) {
      expect(said).toContain('Allergies, to all clinicians and apps');
      expect(said).toMatch(new RegExp(names, 'u'));
      expect(said).toMatch(/began to close or open a part of the record/iu);
      expect(said).not.toMatch(/added or changed[^.]{0,4}what is closed/iu);
    }
  });

  it('delivers to apps again, and ends their subscriptions', async () => {
    const { accounts } = container;
    // Nobody listens there, and nothing is due before the replay: deliveries go on beside this test.
    const url = 'http://localhost:8000/hook';
    const position = container.directory.read(lastRevision);
    const token = await accounts.issueToken({ app: UI_APP, user: 'person', record: '1000001' });
    const request = { app: UI_APP, token: token.id, user: 'person', record: '1000001', url, position };
    const { id } = (await accounts.subscribe(request)).subscription;
    expect((await admin.open('/admin/webhooks')).html).toContain(url);
    expect((await act('webhooks', 'replay', {}, id)).html).toContain('This cannot be done here now.');
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
    // Done, so that the runner leaves it alone.
    await container.accounts.changeExport(begun?.id ?? '', (now) => ({ ...now, state: 'done' }));
    await act('exports', 'end', {}, begun?.id);
    expect(container.accounts.bulkExport(begun?.id ?? '')?.state).toBe('ended');
  });

  it('says how the container is', async () => {
    const { html } = await admin.open('/admin/state');
    for (const name of ['Version', 'Free on the disk', 'Last backup']) expect(html).toContain(name);
    expect(rowWith(await admin.open('/admin/state'), 'Last backup')[1]).toContain(
      `No backup found. Make one every day: chartgraph backup --data ${container.data} FILE`,
    );
    expect(rowWith(await admin.open('/admin/state'), 'Memory used')[1]).toMatch(/^[\d.]+ MB of [\d.]+ GB$/);
    const state = await admin.open('/admin/state');
    expect(rowWith(state, 'Tokens')[1]).toMatch(/^\d+ in use, \d+ expired$/);
    expect(rowWith(state, 'Failing webhooks')[1]).toBe('0');
    const refused = Number(rowWith(state, 'Failed sign-ins')[1]);
    await (await container.browser()).signIn('clinician', 'wrong');
    expect(rowWith(await admin.open('/admin/state'), 'Failed sign-ins')[1]).toBe(String(refused + 1));
    const log = await openAccessLog(container.data);
    await log.record({ action: 'backup', outcome: 'done', account: accountName() });
    await log.close();
    expect(rowWith(await admin.open('/admin/state'), 'Last backup')[1]).toMatch(/^\d.* UTC, by \S+\.$/);
    const again = await openAccessLog(container.data);
    for (const outcome of ['begun', 'failed'] as const)
      await again.record({ action: 'backup', outcome, account: accountName() });
    await again.close();
    expect(rowWith(await admin.open('/admin/state'), 'Last backup')[1]).toMatch(
      /^\d.* UTC, by \S+\. The backup of \d.* UTC failed or is still under way\.$/,
    );
  });
});
