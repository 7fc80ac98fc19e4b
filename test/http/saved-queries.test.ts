import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import type { ListedQueries } from '../../src/analysts/workbench/workbench-data.js';
import { startFlowContainer, type FlowContainer } from './oauth/flow-container.js';
import type { PlainBrowser, PlainPage } from './oauth/plain-browser.js';

const PATH = '/workbench/queries';
let container: FlowContainer;
let ann: PlainBrowser;
let token: string;

beforeAll(async () => {
  // Nothing listens there: no query is run here.
  container = await startFlowContainer({ analystSocket: join(tmpdir(), 'no-analysts.sock') });
  ann = await container.browser('analyst');
  ({ token } = await container.accounts.issueAnalystToken({
    user: 'analyst',
    purpose: 'a test',
    isIdentified: false,
    lifetime: 60_000,
  }));
});
afterAll(() => container.stop());

const wanted = {
  title: 'Problems',
  description: 'All of\nthem',
  query: 'ASK { ?s a sp:Problem }',
  isShared: false,
};
const save = (more: object = {}, headers: Record<string, string> = {}, by = ann): Promise<PlainPage> =>
  by.open(PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ...wanted, ...more }),
  });
const list = async (): Promise<ListedQueries> => JSON.parse((await ann.open(PATH)).html) as ListedQueries;

describe('the saved queries of analysts', () => {
  it('are saved, listed and removed in the account of whoever is signed in', async () => {
    const saved = await save();
    expect(saved.status).toBe(201);
    const { id } = JSON.parse(saved.html) as { id: string };
    expect((await ann.open(PATH)).headers.get('Cache-Control')).toBe('no-store');
    expect(await list()).toEqual({
      own: [{ ...wanted, id, user: 'analyst', description: 'All of them' }],
      shared: [],
    });
    expect((await ann.open(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ann.open(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await list()).toEqual({ own: [], shared: [] });
  });

  it('are shared with a line in the access log, and what others share is not theirs to remove', async () => {
    const { accounts, directory } = container;
    await directory.transact((tx) => accounts.putUser(tx, { id: 'ben', role: 'analyst', records: [] }));
    const shared = { ...wanted, description: '', user: 'ben', isShared: true };
    const id = await accounts.saveQuery(shared);
    await accounts.saveQuery({ ...shared, title: 'His alone', isShared: false });
    expect((await list()).shared).toEqual([{ ...shared, id }]);
    expect((await ann.open(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(404);
    await save({ isShared: true });
    const log = await openAccessLog(container.data);
    const entries = [];
    for await (const { action, user } of log.read({})) entries.push([action, user]);
    await log.close();
    expect(entries.filter(([action]) => action === 'saved-query.shared')).toEqual([
      ['saved-query.shared', 'analyst'],
    ]);
  });

  it('are for analysts who are signed in, not for tokens, and not for pages of other sites', async () => {
    expect((await fetch(container.url + PATH)).status).toBe(401);
    expect((await (await container.browser('clinician')).open(PATH)).status).toBe(403);
    const asked = await fetch(container.url + PATH, { headers: { Authorization: `Bearer ${token}` } });
    expect(asked.status).toBe(403);
    expect((await save({}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await save({}, { Origin: 'https://elsewhere.example.org' })).status).toBe(403);
    expect((await save({}, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it.each<[string, object, string]>([
    ['without a title', { title: ' ' }, 'title is a text of 1 to 80 characters.'],
    ['with a title that is no text', { title: 1 }, 'title is a text of 1 to 80 characters.'],
    ['with a long description', { description: 'x'.repeat(501) }, 'description is a text of at most 500'],
    ['without a text', { query: '' }, 'query is a text of 1 to 65536 characters.'],
    ['that is too long', { query: 'x'.repeat(65_537) }, 'query is a text of 1 to 65536 characters.'],
  ])('are refused %s in a sentence', async (_, more, sentence) => {
    const refused = await save(more);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(sentence);
  });

  it('are refused where the body is no object, or too many are there', async () => {
    for (const body of ['{', '[', 'null', '"x"']) {
      const refused = await ann.open(PATH, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect([body, refused.status]).toEqual([body, 400]);
    }
    const long = '#'.repeat(65_536);
    for (let at = 0; at < 3; at++)
      expect((await save({ title: `Long ${at}`, query: long })).status).toBe(201);
    const refused = await save({ title: 'One more', query: `${long.slice(1)} ` });
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('remove some first');
  });
});
