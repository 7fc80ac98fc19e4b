import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccessLog, type AccessLog } from '../../../src/access/log/access-log.js';
import { literal, say } from '../../../src/rdf/terms.js';
import { dcterms } from '../../../src/rdf/vocabulary.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { entriesOf } from '../../access/log/opened-log.js';
import { startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser, PlainPage } from '../oauth/plain-browser.js';

// Niamh Dellacroft, who signs in as person, holds this record.
const RECORD = '1000004';
const REASON = 'Unconscious after a fall';
const here = '/account/emergency';

let container: FlowContainer;
let log: AccessLog;
let clinician: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer({ clinicians: 'related', senderBudget: 1000 });
  log = await openAccessLog(container.data);
  clinician = await container.browser('clinician');
  const primary = openPrimaryStore(container.directory, container.url);
  const name = `${container.url}/records/${RECORD}/demographics`;
  const quads = (primary.graph(name) ?? []).map((quad) =>
    quad.predicate.value === dcterms.identifier && quad.object.value === RECORD
      ? say(quad.subject, dcterms.identifier, literal('C-77'))
      : quad,
  );
  await primary.write({ replace: [{ name, quads }] });
});
afterAll(async () => {
  await log.close();
  await container.stop();
});
beforeEach(() =>
  container.directory.transact((tx) => {
    container.accounts.endEmergencies(tx, 'clinician', [RECORD]);
    container.accounts.putUser(tx, { id: 'clinician', role: 'clinician', records: ['1000001'] });
  }),
);

async function sent(fields: Record<string, string>): Promise<PlainPage> {
  return clinician.submit(await clinician.open(here), fields, here);
}

describe('a clinician opens a record in an emergency', () => {
  const known = { given_name: 'Niamh', family_name: 'Dellacroft', date_of_birth: '1992-09-08' };

  it.each([
    ['the number of the record', { number: RECORD }],
    ['a medical record number', { number: 'C-77' }],
    ['whole name and date of birth, in any case', { ...known, family_name: 'Dellacroft'.toUpperCase() }],
  ])('by %s', async (_, fields) => {
    const refused = await clinician.open(`/account/records/${RECORD}`);
    const sentence = 'You can open only the records of your own patients.';
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining(sentence)]);
    expect((await clinician.open('/account')).html).toContain('Search finds only your own patients.');
    const answer = await sent({ ...fields, reason: REASON });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/account/records/${RECORD}`]);
    expect((await clinician.open(`/account/records/${RECORD}`)).status).toBe(200);
  });

  it.each([
    ['the beginning of a name', { ...known, given_name: 'Niamh'.slice(0, -1) }],
    ['another date of birth', { ...known, date_of_birth: '1901-01-01' }],
    ['a year of birth alone', { ...known, date_of_birth: '1992-09-08'.slice(0, 4) }],
    ['a date that is none', { ...known, date_of_birth: 'in spring' }],
    ['no date of birth', { ...known, date_of_birth: '' }],
    ['an unknown number', { number: '99999' }],
    ['nothing', {}],
  ])('not by %s', async (_, fields) => {
    const answer = await sent({ ...fields, reason: REASON });
    expect(answer.status).toBe(400);
    expect(answer.html).toMatch(/No record matches|Fill in a number, or both names|Type the date/u);
    expect((await clinician.open(`/account/records/${RECORD}`)).status).toBe(403);
  });

  it.each(['', '  ', 'x'.repeat(501)])('not with the reason %j', async (reason) => {
    const answer = await sent({ number: RECORD, reason });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('Write why you open the record');
    expect((await clinician.open(`/account/records/${RECORD}`)).status).toBe(403);
  });

  it('and a record of theirs opens without one', async () => {
    const before = (await entriesOf(log)).length;
    expect((await sent({ number: '1000001', reason: REASON })).status).toBe(303);
    const entries = (await entriesOf(log)).slice(before);
    expect(entries.filter(({ action }) => action === 'emergency.opened')).toEqual([]);
    expect(container.accounts.listEmergencies()).toEqual([]);
  });

  it('and the access log, the person and the administrators are told why', async () => {
    const before = (await entriesOf(log)).length;
    await sent({ number: RECORD, reason: REASON });
    const opened = (await entriesOf(log)).slice(before).find(({ action }) => action === 'emergency.opened');
    expect(opened).toMatchObject({ user: 'clinician', record: RECORD, purpose: REASON, outcome: 'done' });
    const person = await container.browser('person');
    const { html } = await person.open(`/account/accesses/${RECORD}`);
    expect(html).toContain('Opened the record in an emergency, for eight hours');
    expect(html).toContain(REASON);
    const admin = await container.browser('admin');
    const list = await admin.open('/admin/emergencies');
    expect(list.html).toContain(REASON);
    const id = encodeURIComponent(`clinician ${RECORD}`);
    const question = await admin.submit(
      await admin.open(`/admin/emergencies?id=${id}`),
      {},
      '/admin/emergencies',
    );
    expect(question.html).toContain(
      'The emergency access of Amara Oxendale (clinician) to Niamh Dellacroft (1000004) will end at once',
    );
    expect((await clinician.open(`/account/records/${RECORD}`)).status).toBe(200);
    expect((await admin.submit(question, {}, '/admin/emergencies')).status).toBe(303);
    expect((await admin.open(`/admin/emergencies?id=${id}`)).status).toBe(404);
    expect((await clinician.open(`/account/records/${RECORD}`)).status).toBe(403);
    const last = (await entriesOf(log)).filter(({ action }) => action === 'emergency.ended').at(-1);
    expect(last).toMatchObject({ user: 'clinician', record: RECORD, outcome: 'done' });
  });

  it('and keeps what they were given when an administrator ends it', async () => {
    const { accounts, directory } = container;
    await directory.transact((tx) =>
      accounts.putUser(tx, { id: 'clinician', role: 'clinician', records: [RECORD] }),
    );
    await accounts.openInEmergency('clinician', RECORD, REASON);
    const admin = await container.browser('admin');
    const page = await admin.open(`/admin/emergencies?id=${encodeURIComponent(`clinician ${RECORD}`)}`);
    const question = await admin.submit(page, {}, '/admin/emergencies');
    expect((await admin.submit(question, {}, '/admin/emergencies')).status).toBe(303);
    expect(accounts.listEmergencies()).toEqual([]);
    expect((await clinician.open(`/account/records/${RECORD}`)).status).toBe(200);
    const last = (await entriesOf(log)).filter(({ action }) => action === 'user ungrant');
    expect(last).toEqual([]);
  });
});

it.each(['person', 'analyst', 'admin'])('nobody else opens one: %s', async (user) => {
  const browser = await container.browser(user);
  expect((await browser.open(here)).status).toBe(403);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await browser.open('/account')).html) ?? [];
  const body = new URLSearchParams({ csrf, number: '1000002', reason: REASON });
  const answer = await browser.open(here, { method: 'POST', body });
  expect([answer.status, answer.html.includes('Only clinicians open a record')]).toEqual([403, true]);
  expect(container.accounts.listEmergencies()).toEqual([]);
});
