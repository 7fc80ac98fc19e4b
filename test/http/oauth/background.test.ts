import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import {
  answerOf,
  BACKGROUND_APP,
  startFlowContainer,
  UI_APP,
  type FlowContainer,
} from './flow-container.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startFlowContainer();
});
afterAll(() => container.stop());

const path = (rest: string, app = BACKGROUND_APP): string => `/apps/${app}/tokens/records/${rest}`;

describe('tokens of a background app', () => {
  it('lead through all records in text order and end with exactly 404', async () => {
    const seen: string[] = [];
    let response = await container.signed(path('first'), BACKGROUND_APP);
    while (response.status === 200) {
      expect(response.headers.get('Content-Type')).toBe('application/x-www-form-urlencoded');
      const token = await answerOf(response);
      expect(Object.keys(token)).toEqual(['oauth_token', 'oauth_token_secret', 'smart_record_id']);
      const record = token['smart_record_id'] ?? '';
      seen.push(record);
      const read = await container.signed(`/records/${record}/problems/`, BACKGROUND_APP, {
        method: 'GET',
        token,
      });
      expect(read.status).toBe(200);
      response = await container.signed(path(`${record}/next`), BACKGROUND_APP);
    }
    expect(response.status).toBe(404);
    expect(seen).toEqual([...seen].sort());
    expect(seen.length).toBeGreaterThanOrEqual(8);
    expect(seen[0]).toBe('1000001');
  });

  it.each([
    ['a record by its id', '1000003', 200, '1000003'],
    ['after a record that does not exist', '10000025/next', 200, '1000003'],
    ['after one that sorts before all', '0/next', 200, '1000001'],
    ['a record that does not exist', '4711', 404, undefined],
    ['after one that sorts behind all', 'zzz/next', 404, undefined],
    ['after an id that can be none', '%20/next', 404, undefined],
  ])('%s', async (_, rest, status, record) => {
    const response = await container.signed(path(rest), BACKGROUND_APP);
    expect(response.status).toBe(status);
    if (record !== undefined) expect(await answerOf(response)).toMatchObject({ smart_record_id: record });
  });

  it('answers GET as it answers POST', async () => {
    const url = container.url + path('first');
    const consumerSecret = container.secrets[BACKGROUND_APP] ?? '';
    const authorization = signRequest({ method: 'GET', url, consumerKey: BACKGROUND_APP, consumerSecret });
    expect((await fetch(url, { headers: { Authorization: authorization } })).status).toBe(200);
  });

  it.each([
    ['an app for people', path('first', UI_APP), UI_APP, 403],
    ['an app for people on the path of another', path('first'), UI_APP, 403],
    ['the background app on the path of another', path('first', UI_APP), BACKGROUND_APP, 403],
    ['nobody known', path('first'), 'nobody@apps.example.org', 401],
  ])('are refused to %s', async (_, target, app, status) => {
    expect((await container.signed(target, app)).status).toBe(status);
  });

  it('are refused to a background app that signs with a token', async () => {
    const token = await answerOf(await container.signed(path('first'), BACKGROUND_APP));
    expect((await container.signed(path('first'), BACKGROUND_APP, { token })).status).toBe(403);
  });

  it('open one record, belong to nobody and end within a day', async () => {
    const token = await answerOf(await container.signed(path('1000002'), BACKGROUND_APP));
    const stored = container.accounts.token(token['oauth_token'] ?? '');
    expect(stored).toMatchObject({ app: BACKGROUND_APP, record: '1000002' });
    expect(stored).not.toHaveProperty('user');
    expect((stored?.expires ?? 0) - (stored?.issued ?? 0)).toBe(24 * 60 * 60 * 1000);
    const other = await container.signed('/records/1000001/problems/', BACKGROUND_APP, {
      method: 'GET',
      token,
    });
    expect(other.status).toBe(403);
  });
});
