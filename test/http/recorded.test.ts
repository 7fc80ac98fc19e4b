import type { Context } from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessEntry, RecordedEntry } from '../../src/access/log/access-entry.js';
import { openAccessLog, type AccessLog } from '../../src/access/log/access-log.js';
import { everyRequest } from '../../src/http/pipeline.js';
import { recordAccess } from '../../src/http/request-log.js';
import type { Trace } from '../../src/http/request-context.js';
import { Problem } from '../../src/model/problem.js';
import { entriesOf } from '../access/log/opened-log.js';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from './oauth/flow-container.js';
import type { Credentials } from './container.js';

const FORWARDED = { 'X-Forwarded-For': '192.0.2.7' };
const scratchpad = `/records/1000001/apps/${UI_APP}/scratchpad`;

let container: FlowContainer;
let log: AccessLog;
let token: Credentials;
beforeAll(async () => {
  container = await startFlowContainer({ trustProxy: ['127.0.0.1'] });
  token = await container.token('1000001');
  log = await openAccessLog(container.data);
});
afterAll(async () => {
  await log.close();
  await container.stop();
});

/** The entries that are there when the first byte of an answer is, and were not before the request. */
async function entriesAt(answer: () => Promise<{ headers: Headers }>): Promise<RecordedEntry[]> {
  const before = (await entriesOf(log)).length;
  const { headers } = await answer();
  const entries = (await entriesOf(log)).slice(before);
  for (const { requestId } of entries) expect(requestId).toBe(headers.get('X-Request-Id'));
  return entries;
}

describe('an HTTP request', () => {
  it.each([
    ['a read', 'GET', '/records/1000001/allergies/', true, { action: 'read', outcome: 'done', status: 200 }],
    ['a write', 'PUT', scratchpad, true, { action: 'write', outcome: 'done', status: 200 }],
    ['a removal', 'DELETE', scratchpad, true, { action: 'remove', outcome: 'done', status: 200 }],
    [
      'a read of a record that is not the token’s',
      'GET',
      '/records/1000002/allergies/',
      true,
      { action: 'read', outcome: 'refused', status: 403, record: '1000002' },
    ],
    ['an unsigned write', 'PUT', scratchpad, false, { action: 'write', outcome: 'refused', status: 401 }],
  ])('has left its entry when it is answered: %s', async (_, method, path, isSigned, expected) => {
    const [entry, ...more] = await entriesAt(() =>
      container.request(path, {
        method,
        headers: FORWARDED,
        ...(isSigned && { as: token }),
        ...(method === 'PUT' && { body: 'x' }),
      }),
    );
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      record: '1000001',
      resource: path.replace(/\/$/, ''),
      address: '192.0.2.7',
      ...(isSigned && { app: UI_APP, user: 'clinician' }),
      ...expected,
    });
  });

  it('that is wrongly signed leaves which rule it broke, and the caller does not learn it', async () => {
    const wrong = { ...token, tokenSecret: 'wrong' };
    const path = '/records/1000001/allergies/';
    const [entry] = await entriesAt(() => container.request(path, { as: wrong, headers: FORWARDED }));
    expect(entry).toMatchObject({ status: 401, reason: 'signature', address: '192.0.2.7' });
  });

  it('of the container itself leaves none', async () => {
    expect(await entriesAt(() => container.request('/health/live'))).toEqual([]);
    expect(await entriesAt(() => container.request('/ontology'))).toEqual([]);
  });

  it.each([
    ['an answer', undefined],
    ['a refusal', new Problem('forbidden', 'No.')],
  ])('is not answered before its entry is with the operating system: %s', async (_, refusal) => {
    const trace: Trace = {
      parameters: { record_id: '1000001' },
      route: {
        method: 'GET',
        path: '/records/{record_id}',
        call: { iri: 'urn:call', scope: 'record' },
      } as Trace['route'] & object,
    };
    const context = {
      state: { trace },
      status: 200,
      ip: '::1',
      set: () => undefined,
      response: { get: () => '' },
    };
    const entries: AccessEntry[] = [];
    let written = (): void => undefined;
    const recording = recordAccess({
      record: (entry) => {
        entries.push(entry);
        return new Promise((resolve) => (written = resolve));
      },
    });
    const steps: string[] = [];
    const around = everyRequest({
      secure: false,
      findClient: () => undefined,
      log: () => () => undefined,
      crossOrigin: { preflight: () => false, allow: () => undefined },
      respondProblem: () => {
        steps.push('refused');
        return Promise.resolve();
      },
      recordAccess: recording,
      route: () => {
        steps.push('handled');
        return refusal ? Promise.reject(refusal) : Promise.resolve();
      },
    });
    const answered = Promise.resolve(around(context as unknown as Context, () => Promise.resolve())).then(
      () => steps.push('answered'),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(entries).toMatchObject([{ status: refusal ? 403 : 200 }]);
    expect(steps).toEqual(['handled']);
    written();
    await answered;
    expect(steps).toEqual(['handled', ...(refusal ? ['refused'] : []), 'answered']);
  });
});

describe('a decision about who somebody is', () => {
  it('is recorded with the address of the client and the id of the request', async () => {
    const browser = await container.browser();
    browser.headers.set('X-Forwarded-For', '192.0.2.7');
    const refused = await entriesAt(() => browser.signIn('person', 'a wrong password'));
    expect(refused).toMatchObject([{ action: 'sign-in.refused', user: 'person', address: '192.0.2.7' }]);
    const accepted = await entriesAt(() => browser.signIn('person', PASSWORD));
    expect(accepted).toMatchObject([{ action: 'sign-in.accepted', user: 'person', address: '192.0.2.7' }]);
  });

  it('is recorded so at the token endpoints', async () => {
    const path = '/oauth/request_token';
    const { consumerKey, consumerSecret } = token;
    const as = { consumerKey, consumerSecret };
    const entries = await entriesAt(() =>
      container.request(path, { method: 'POST', as, headers: FORWARDED }),
    );
    expect(entries).toMatchObject([{ action: 'request-token.issued', app: UI_APP, address: '192.0.2.7' }]);
  });
});
