import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessEntry } from '../../../src/access/log/access-entry.js';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';

const RECORD = '1000004';
const here = `/account/accesses/${RECORD}`;
const MINUTE = 60_000;
const BEGIN = Date.parse('2026-05-06T07:00:00.000Z');

let container: FlowContainer;
let person: PlainBrowser;
let admin: PlainBrowser;
beforeAll(async () => {
  container = await startFlowContainer({ senderBudget: 1000 });
  [person, admin] = [await container.browser('person'), await container.browser('admin')];
});
afterAll(() => container.stop());

const seen: AccessEntry = { action: 'read', outcome: 'done', user: 'clinician', record: RECORD, status: 200 };
const refused: AccessEntry = { ...seen, outcome: 'refused', user: 'nobody', app: UI_APP, status: 403 };

/** Records entries a minute apart, or all at once. */
async function record(entries: readonly AccessEntry[], begin: number, apart = MINUTE): Promise<void> {
  let now = begin;
  const log = await openAccessLog(container.data, { clock: () => now });
  const done = entries.map((entry) => {
    const written = log.record(entry);
    now += apart;
    return written;
  });
  await Promise.all(done);
  await log.close();
}

it('shows an access that thousands of refused requests follow, and those in one line', async () => {
  await record([{ ...seen, purpose: 'the needle' }], BEGIN);
  await record(Array<AccessEntry>(3000).fill(refused), BEGIN + MINUTE, 1);
  for (const path of [here, `${here}?format=csv`]) {
    const { html } = await person.open(path);
    expect(html).toContain('the needle');
    expect(html.split('Asked for: ')).toHaveLength(2);
    expect(html).toMatch(/1000 times|refused,1000/u);
  }
  expect((await person.open(here)).html).toContain('More requests were refused than are counted here.');
});

it('names nobody to a person who was refused and may not open the record', async () => {
  const { html } = await person.open(here);
  expect(html).toContain('Somebody who may not open the record with the app Medication check');
  expect((await admin.open(here)).html).not.toContain('Somebody who may not open the record');
  await record([{ ...refused, user: 'clinician' }], BEGIN + 10 * MINUTE);
  expect((await person.open(here)).html).not.toContain('>nobody');
});

it('says that an administrator did what they did for others', async () => {
  const given = { outcome: 'done', user: 'clinician', record: RECORD, reason: 'by admin' } as const;
  await record(
    [
      { ...given, action: 'token issue', app: UI_APP },
      { ...given, action: 'user grant', user: 'person' },
    ],
    BEGIN + 20 * MINUTE,
  );
  const { html } = await person.open(here);
  const text = html.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
  expect(text).toMatch(
    /Cornelius Hathersedge admin · [\d:–]+ [\d:]+ Gave access to the record: Niamh Dellacroft /u,
  );
  expect(text).toContain('Issued a token for the record: Amara Oxendale with the app Medication check');
});

it('is paged by time: each access stands on one page, also where many came at once', async () => {
  await record(
    Array.from({ length: 250 }, (_, number) => ({ ...seen, purpose: `page ${number}.` })),
    BEGIN + 60 * MINUTE,
  );
  await record(
    Array.from({ length: 205 }, (_, number) => ({ ...seen, purpose: `at once ${number}.` })),
    BEGIN + 900 * MINUTE,
    0,
  );
  const found: string[] = [];
  let [path, pages]: [string | undefined, number] = [here, 0];
  while (path !== undefined) {
    const { html } = await person.open(path);
    found.push(...Array.from(html.matchAll(/Why: ((?:page|at once) \d+\.)/gu), ([, why = '']) => why));
    path = /href="([^"]*before=[^"]*)" rel="next"/u.exec(html)?.[1];
    pages++;
  }
  expect(pages).toBe(3);
  expect(new Set(found).size).toBe(455);
  expect(found).toHaveLength(455);
});

it('shows nothing of an earlier record of the same id, whatever time is asked for', async () => {
  await record([{ action: 'record remove', outcome: 'done', record: RECORD, account: 'root' }], Date.now());
  await record([{ ...seen, purpose: 'of the present' }], Date.now() + 1000);
  for (const path of [here, `${here}?before=2026-05-07T00:00:00.000Z`, `${here}?format=csv`]) {
    const { html } = await person.open(path);
    expect(html).not.toMatch(/needle|Why: page|at once/u);
  }
  expect((await person.open(here)).html).toContain('of the present');
});
