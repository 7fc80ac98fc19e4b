import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { entriesOf } from '../access/log/opened-log.js';
import type { RecordedEntry } from '../../src/access/log/access-entry.js';
import { startFlowContainer, type FlowContainer } from './oauth/flow-container.js';
import type { PlainBrowser } from './oauth/plain-browser.js';

let container: FlowContainer;
const browsers: Record<string, PlainBrowser> = {};

beforeAll(async () => {
  container = await startFlowContainer();
  for (const user of ['person', 'clinician', 'admin', 'analyst'])
    browsers[user] = await container.browser(user);
  browsers['nobody'] = await container.browser();
});
afterAll(() => container.stop());

const as = (user: string): PlainBrowser => browsers[user] as PlainBrowser;
const users = ['nobody', 'person', 'clinician', 'admin', 'analyst'] as const;

async function entries(record: string): Promise<RecordedEntry[]> {
  const log = await openAccessLog(container.data);
  try {
    return await entriesOf(log, { record, newestFirst: true });
  } finally {
    await log.close();
  }
}

describe('?explain', () => {
  it.each([
    //                                         nobody person clinician admin analyst
    ['/records/1000001/problems/?explain', /**/ [302, 200, 200, 200, 403]],
    ['/records/1000002/problems/?explain', /**/ [302, 403, 200, 200, 403]],
    ['/records/1000002/demographics?explain', [302, 403, 200, 200, 403]],
    ['/records/search?explain', /*           */ [302, 403, 403, 200, 200]],
    ['/users/search?explain', /*             */ [302, 403, 403, 200, 200]],
    ['/users/clinician?explain', /*          */ [302, 403, 403, 200, 403]],
    ['/ontology?explain', /*                 */ [302, 200, 200, 200, 200]],
    ['/records/9999999/problems/?explain', /**/ [302, 403, 200, 200, 403]],
    ['/records/%22%3E/problems/?explain', /* */ [302, 403, 404, 404, 403]],
  ])('%s is answered to whom it may be', async (path, expected) => {
    const statuses = [];
    for (const user of users) statuses.push((await as(user).open(path)).status);
    expect(statuses).toEqual(expected);
  });

  it('shows the bound queries, the filter with its pattern and where the ontology says so', async () => {
    const { html } = await as('clinician').open('/records/1000001/problems/?explain&date_from=2001&limit=2');
    expect(html).toContain('GET /records/1000001/problems');
    expect(html).toContain(`&lt;${container.url}/records/1000001&gt;`);
    // The page, and what tells the total without another query.
    expect(html).toContain('LIMIT 102');
    expect(html).toMatch(/<td>Filter<\/td>[\s\S]*filters:problems_from_date[\s\S]*filters\.ttl:\d+/u);
    expect(html).toMatch(/<td>Call<\/td>[\s\S]*calls\.ttl:\d+/u);
    expect(html).toContain('From get_problems.rq');
    expect(html).toMatch(/\d+ triples about \d+ things on all pages, in [\d.]+ ms\./u);
    expect(html).not.toContain(process.cwd());
  });

  it('shows both queries by which a page without a filter is chosen', async () => {
    const shown = async (query: string): Promise<boolean> =>
      (await as('clinician').open(`/records/1000001/problems/?explain${query}`)).html.includes(
        'GROUP_CONCAT',
      );
    expect([await shown('&limit=2'), await shown(''), await shown('&limit=2&date_from=2001')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('begins each query with its first word, not with the lines of comments that were cut out', async () => {
    for (const path of ['/records/1000001/problems/', '/records/1000001/demographics', '/records/1000001']) {
      const { html } = await as('clinician').open(`${path}?explain`);
      const queries = [...html.matchAll(/<pre [^>]*>([^]*?)<\/pre>/gu)].map(([, text]) => text);
      expect(queries.length).toBeGreaterThan(0);
      for (const query of queries) expect(query).toMatch(/^\S/u);
    }
  });

  it.each([
    ['/records/1000001/problems/', 'sp:Problem of $record: whole graphs, and those along sp:encounters'],
    ['/records/1000001/demographics', '$resource as sp:Demographics of $record: whole graphs'],
    ['/ontology', '$resource: whole graphs'],
    ['/records/1000001', 'run as it stands'],
    ['/records/search', 'every sp:Demographics: whole graphs'],
  ])('says how the answer at %s is read: %s', async (path, plan) => {
    const { html } = await as('admin').open(`${path}?explain`);
    expect(html).toContain(`<code>${plan}</code>`);
  });

  it('tells an administrator nothing of what a record holds, not even how much', async () => {
    const of = async (record: string): Promise<string> => {
      const { html } = await as('admin').open(`/records/${record}/problems/?explain`);
      return html.replaceAll(record, '#');
    };
    const full = await of('1000001');
    expect(full).toContain('The queries were not run');
    expect(full).toBe(await of('9999999'));
  });

  it('shows an analyst how a search is answered, and nothing of whom it finds', async () => {
    const of = async (name: string): Promise<string> => {
      const { html } = await as('analyst').open(`/records/search?explain&family_name=${name}`);
      // Its beginning is what the index is asked for.
      const said = new RegExp(`${name.slice(0, 5)}[a-z]*`, 'giu');
      return html.replaceAll(said, '#');
    };
    const stored = await of('Lindqvale');
    expect(stored).toContain('From search_records.rq');
    expect(stored).toContain('The queries were not run');
    expect(stored).toBe(await of('Nobodyatall'));
  });

  it('records what was run, and what was refused, as an access to the record', async () => {
    const before = (await entries('1000003')).length;
    await as('clinician').open('/records/1000003/problems/?explain');
    await as('person').open('/records/1000003/problems/?explain');
    await as('admin').open('/records/1000003/problems/?explain');
    expect((await entries('1000003')).slice(0, -before || undefined)).toHaveLength(2);
  });

  it('checks parameters as the call does, and leaves the call itself as it is', async () => {
    expect((await as('admin').open('/records/1000001/problems/?explain&colour=red')).status).toBe(400);
    expect((await as('admin').open('/records/1000001/problems/?explain&date_from=soon')).status).toBe(400);
    expect((await as('clinician').open('/records/1000001/problems/')).status).toBe(401);
    expect((await as('admin').open('/records/1000001/problems/?explained=1')).status).toBe(401);
  });
});
