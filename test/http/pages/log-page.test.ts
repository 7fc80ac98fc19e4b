import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessEntry } from '../../../src/access/log/access-entry.js';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

const RECORD = '1000001';
const BEGIN = Date.parse('2026-05-06T07:00:10.000Z');

let container: FlowContainer;
let admin: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer({ analystSocket: '/nobody-listens' });
  admin = await container.browser('admin');
});
afterAll(() => container.stop());

/** Returns the rows of the log, without marks. */
async function rows(query: string): Promise<string[]> {
  const { html } = await admin.open(`/admin/log?${query}`);
  return html
    .split('<tr>')
    .slice(2)
    .map((row) => row.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' '));
}

/** Records entries so many seconds after the beginning. */
async function record(...entries: readonly (readonly [seconds: number, entry: Partial<AccessEntry>])[]) {
  let now = BEGIN;
  const log = await openAccessLog(container.data, { clock: () => now });
  for (const [seconds, entry] of entries) {
    now = BEGIN + seconds * 1000;
    await log.record({ outcome: 'done', address: '192.0.2.7', ...entry, action: entry.action ?? 'read' });
  }
  await log.close();
}

const on = (day: string) => `since=${day}&until=${day}`;
const DAY = on('2026-05-06');
const patients = { resource: '/account', call: 'http://smartplatforms.org/terms/api/calls#search_records' };

it('leaves out names that were shown, or puts them into the row of the act that showed them', async () => {
  const clinician = { user: 'clinician' } as const;
  const named = { ...clinician, resource: '/account' };
  await record(
    [0, { ...clinician, ...patients }],
    ...['1000001', '1000002', '1000003', '1000004'].map((each) => [1, { ...named, record: each }] as const),
    [70, { ...clinician, resource: '/users/person' }],
  );
  expect(await rows(DAY)).toEqual([expect.stringMatching(/listed or searched their patients 192/u)]);
  const all = await rows(`${DAY}&kind=all`);
  expect(all).toHaveLength(2);
  expect(all[0]).toContain('saw the name of Niamh Dellacroft (person)');
  expect(all[1]).toMatch(
    /listed or searched their patients; saw the names of the patients [\w ]+ \(\d+\), [\w ]+ \(\d+\), [\w ]+ \(\d+\) and 1 more/u,
  );
  expect(await rows(`${DAY}&record=1000002`)).toEqual([]);
  expect(await rows(`${DAY}&record=1000002&kind=all`)).toHaveLength(1);
  // The table to download has each entry.
  expect((await admin.open(`/admin/log?${DAY}&format=csv`)).html.trim().split('\n')).toHaveLength(7);
});

it('says that something was tried once, and how it ended', async () => {
  const by = { user: 'person', reason: 'by admin' };
  await record(
    [86_400, { ...by, action: 'user password', outcome: 'failed' }],
    [86_500, { user: 'person', action: 'sign-in.refused', outcome: 'refused' }],
    [86_600, { user: 'person', action: 'password.refused', outcome: 'refused' }],
    [86_700, { user: 'person', app: 'x', record: RECORD, action: 'access.denied', outcome: 'refused' }],
  );
  const said = (await rows(on('2026-05-07'))).join('\n');
  expect(said).toContain('tried to set the password of Niamh Dellacroft (person), but it failed');
  expect(said).toContain('tried to sign in, but was refused');
  expect(said).toMatch(/gave a wrong password where they had to prove who they are 192/u);
  expect(said).toMatch(/did not give x access to the record of [\w ]+ \(1000001\) 192/u);
});

it('has the row with the latest act first', async () => {
  const act = { user: 'clinician', record: RECORD, resource: `/records/${RECORD}/` };
  // Two processes write, and one of them is late.
  await record(
    [172_800, { ...act, purpose: 'early' }],
    [172_900, { ...act, purpose: 'late' }],
    [172_850, { ...act, purpose: 'between' }],
  );
  const order = (await rows(on('2026-05-08'))).map((row) => /early|late|between/u.exec(row)?.[0]);
  expect(order).toEqual(['late', 'between', 'early']);
});

it('finds a record by the name of the patient, and asks which one where there are several', async () => {
  const here = on('2026-05-08');
  for (const asked of ['Lindqvale', 'harriet', 'Harriet+Lindqvale', 'Harriet+Maud+Lindq'])
    expect((await rows(`${here}&record=${asked}`)).length, asked).toBe(3);
  expect((await admin.open('/admin/log?record=Nobodysname')).html).toContain(
    'There is no patient “Nobodysname”.',
  );
  const several = (await admin.open('/admin/log?record=a')).html;
  expect(several).toMatch(
    /Several patients have this name: [^(]+, born \d+ \w+ \d+ \(\d+\); .*Type the number in the parentheses/u,
  );
  const log = await openAccessLog(container.data);
  const text = [];
  for await (const entry of log.read()) text.push(JSON.stringify(entry));
  await log.close();
  expect(text.join('\n')).not.toMatch(/Nobodysname|Lindqvale|harriet/iu);
  // Whose names were shown is recorded.
  const [, first = ''] = /\((\d+)\)/u.exec(several) ?? [];
  expect(text.some((each) => each.includes('/admin/log') && each.includes(first))).toBe(true);
});

it('says what an administrator gave, in sentences and in the table', async () => {
  const sent = async (section: string, fields: Record<string, string>, id = '') => {
    const page = await admin.open(`/admin/${section}${id && `?id=${id}`}`);
    const asked = await admin.submit(page, { ...fields, id }, `/admin/${section}`);
    return asked.html.includes('name="confirmed"') ? admin.submit(asked, {}, `/admin/${section}`) : asked;
  };
  const named = { given_name: 'Ana', family_name: 'Lystova' };
  await sent('users', { ...named, act: 'add', user: 'an1', role: 'clinician', records: '' });
  await sent('users', { act: 'practitioner', practitioner: '1234567893' }, 'an1');
  await sent('users', { act: 'practitioner', practitioner: '{record}' }, 'an1');
  await sent('users', { ...named, act: 'change', role: 'analyst' }, 'an1');
  const forged = await sent('users', { ...named, act: 'change', role: 'undefined' }, 'an1');
  expect(forged.html).toContain('Choose a role.');
  const token = { act: 'issue-analyst', analyst: 'an1', purpose: 'Audit of sepsis', days: '1' };
  await sent('tokens', { ...token, level: 'identified' });
  await sent('users', { ...named, act: 'change', role: 'admin', family_name: 'Berg' }, 'an1');
  const said = (await rows('user=an1')).join('\n');
  const until = String.raw`until \d+ \w+ \d{4}`;
  for (const sentence of [
    /added the user Ana Berg \(an1\) as a clinician/u,
    /gave Ana Berg \(an1\) the provider identifier 1234567893; was none/u,
    /changed the user Ana Berg/u,
    /made Ana Berg \(an1\) an analyst; was clinician/u,
    new RegExp(
      `issued a token to Ana Berg \\(an1\\) for questions over all records, with names, ${until} Audit`,
      'u',
    ),
    /made Ana Berg \(an1\) an admin; was analyst, and has another name/u,
  ])
    expect(said).toMatch(sentence);
  const table = (await admin.open('/admin/log?user=an1&format=csv')).html;
  expect(table).toMatch(/"by admin; with names, until \d{4}-\d\d-\d\d; Audit of sepsis"/u);
  expect(table).toContain('"by admin; role admin, was analyst; name",,an1,Cornelius Hathersedge,Ana Berg');
});
