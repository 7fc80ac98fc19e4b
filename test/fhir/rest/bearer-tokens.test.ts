import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import { entriesOf } from '../../access/log/opened-log.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../../http/oauth/flow-container.js';
import { bearerOf, issuedBearer, withBearer } from './bearer.js';

const RECORD = '1000001';

interface Answer {
  readonly rest: readonly [{ readonly resource: readonly { readonly type: string }[] }];
  readonly entry?: readonly { readonly resource: { readonly resourceType: string } }[];
  readonly issue: readonly [{ readonly diagnostics: string }];
}

let container: FlowContainer;
let token: string;
let types: string[];
const ask = (path: string, by = token): Promise<Response> => withBearer(container, path, by);
const statusOf = async (path: string, by = token): Promise<number> => (await ask(path, by)).status;
const read = async (response: Response): Promise<Answer> => (await response.json()) as Answer;
const typesIn = ({ entry = [] }: Answer): string[] => [
  ...new Set(entry.map(({ resource }) => resource.resourceType)),
];

beforeAll(async () => {
  container = await startFlowContainer();
  token = await bearerOf(container);
  const [{ resource }] = (await read(await container.request('/fhir/metadata'))).rest;
  // A Binary is in no search.
  types = resource.map(({ type }) => type).filter((type) => type !== 'Binary');
}, 60_000);
afterAll(() => container.stop());

describe('a bearer token', () => {
  it('opens its record at /fhir, and ends at once when it is revoked', async () => {
    const issued = await issuedBearer(container);
    expect(await statusOf(`Patient/${RECORD}`, issued.token)).toBe(200);
    await container.accounts.revoke(issued.id);
    expect(await statusOf(`Patient/${RECORD}`, issued.token)).toBe(401);
  });

  it('has an end', async () => {
    const brief = await bearerOf(container, { lifetime: 1 });
    expect(await statusOf('Condition', brief)).toBe(401);
  });

  it('without a record opens none', async () => {
    const bare = await bearerOf(container, { record: undefined });
    for (const path of ['Condition', `Patient/${RECORD}`, `Patient/${RECORD}/$everything`])
      expect([path, await statusOf(path, bare)]).toEqual([path, 403]);
  });

  it.each([
    ['/records/1000001/problems/', 200],
    ['/records/1000002/problems/', 403],
    ['/users/clinician', 401],
    ['/account', 302],
  ])('opens calls of its record, and no others: %s', async (path, status) => {
    const headers = { Authorization: `Bearer ${token}` };
    expect((await container.request(path, { headers })).status).toBe(status);
  });

  it('is taken from one header alone: neither from the query, nor from a form', async () => {
    const lenient = { Prefer: 'handling=lenient' };
    const inQuery = await container.request(`/fhir/Condition?access_token=${token}`, { headers: lenient });
    expect([inQuery.status, inQuery.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer realm="${container.url}", OAuth realm="${container.url}"`,
    ]);
    expect(await inQuery.text()).toContain('needs a bearer token of an app, or a signature');
    const inForm = await container.request('/fhir/Condition/_search', {
      method: 'POST',
      headers: { ...lenient, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `access_token=${token}`,
    });
    expect(inForm.status).toBe(401);
    const response = await ask('Condition', `${token}, Bearer ${token}`);
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer realm="${container.url}", error="invalid_token"`,
    ]);
    expect(await response.text()).not.toContain(token);
  });

  it('is not the token of a signature, which others may have seen, nor signs itself', async () => {
    const { token: seen = '' } = await container.token(RECORD);
    expect(await statusOf('Condition', seen)).toBe(401);
    const url = `${container.url}/records/${RECORD}/problems/`;
    const consumerSecret = container.secrets[UI_APP] ?? '';
    for (const tokenSecret of ['', token, 'undefined']) {
      const credentials = { consumerKey: UI_APP, consumerSecret, token, tokenSecret };
      const headers = { Authorization: signRequest({ method: 'GET', url, ...credentials }) };
      expect((await fetch(url, { headers })).status).toBe(401);
    }
  });

  it('searches by POST as well', async () => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const asked = { method: 'POST', headers, body: '_summary=count' };
    expect((await container.request('/fhir/Condition/_search', asked)).status).toBe(200);
  });

  it('is named by its id in the access log, never by itself', async () => {
    const issued = await issuedBearer(container);
    await ask('Condition', issued.token);
    await ask('Condition?patient=1000002', issued.token);
    const log = await openAccessLog(container.data);
    const entries = (await entriesOf(log)).filter(({ tokenId }) => tokenId === issued.id);
    await log.close();
    expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['done', 'refused']));
    expect(entries[0]).toMatchObject({ app: UI_APP, user: 'clinician', record: RECORD });
    expect(JSON.stringify(entries)).not.toContain(issued.token);
  });

  it('stands among the apps of its user, who ends it there', async () => {
    const issued = await issuedBearer(container);
    const browser = await container.browser('clinician');
    const page = await browser.open('/account/security');
    expect(page.html).toContain(issued.id);
    expect(page.html).not.toContain(issued.token);
    await container.grants.revokeAccess({ app: UI_APP, user: 'clinician', record: RECORD });
    expect(await statusOf('Condition', issued.token)).toBe(401);
    token = await bearerOf(container);
  });
});

describe('the scopes of a bearer token', () => {
  it('open their types alone, in its record alone', async () => {
    const leaks: string[] = [];
    for (const covered of types) {
      const narrow = await bearerOf(container, { scope: `patient/${covered}.rs user/Nothing.rs` });
      for (const type of types) {
        const expected = type === covered ? 200 : 403;
        const other = type === 'Patient' ? 'Patient/1000002' : `${type}?patient=1000002`;
        const status = await statusOf(type, narrow);
        if (status !== expected) leaks.push(`${covered}: ${type} ${status}`);
        if (expected === 200) {
          if ((await statusOf(other, narrow)) !== 403) leaks.push(`${covered}: ${other}`);
        } else if ((await statusOf(`${type}/none`, narrow)) !== 403) leaks.push(`${covered}: ${type}/none`);
      }
      const all = typesIn(await read(await ask(`Patient/${RECORD}/$everything?_count=1000`, narrow)));
      const included = typesIn(await read(await ask(`${covered}?_include=*`, narrow)));
      if ([...all, ...included].some((type) => type !== covered)) leaks.push(`${covered}: more`);
    }
    expect(leaks).toEqual([]);
    expect(types.length).toBeGreaterThan(8);
  }, 60_000);

  it('are told of where they refuse', async () => {
    const narrow = await bearerOf(container, { scope: 'patient/Condition.rs' });
    const [{ diagnostics }] = (await read(await ask('Observation', narrow))).issue;
    expect(diagnostics).toBe(
      'The scopes of the token do not cover this type of resource; issue one with its scope.',
    );
  });

  it('of one token are no cached answer of another', async () => {
    const path = `Patient/${RECORD}/$everything?_count=1000`;
    const whole = typesIn(await read(await ask(path)));
    const narrow = await bearerOf(container, { scope: 'patient/Condition.rs patient/Patient.rs' });
    expect(typesIn(await read(await ask(path, narrow))).sort()).toEqual(['Condition', 'Patient']);
    expect(typesIn(await read(await ask(path)))).toEqual(whole);
  });
});
