import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSessions } from '../../../src/access/accounts/sessions.js';
import { PASSWORD, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainPage } from '../oauth/plain-browser.js';
import {
  ask,
  bearer,
  decide,
  exchange,
  LAB_APP,
  opened,
  OTHER_APP,
  OTHER_RECORD,
  post,
  PUBLIC_APP,
  RECORD,
  refresh,
  RETURN,
  SECRET_APP,
  startSmart,
  tokenFor,
} from './smart-container.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startSmart();
});
afterAll(() => container.stop());

const ALL = 'launch/patient patient/*.rs';
const isOpen = async (token: string): Promise<boolean> =>
  (await bearer(container, '/fhir/Observation?_count=1', token)).status === 200;
const codeOf = (back: URL): string => back.searchParams.get('code') ?? '';

describe('SMART App Launch', () => {
  it.each(['/fhir', ''])('says where things are, to any origin, below %j', async (under) => {
    const response = await container.request(`${under}/.well-known/smart-configuration`, {
      headers: { Origin: 'https://anywhere.example.org' },
    });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(await response.json()).toMatchObject({
      issuer: `${container.url}/oauth2`,
      authorization_endpoint: `${container.url}/oauth2/authorize`,
      token_endpoint: `${container.url}/oauth2/token`,
      code_challenge_methods_supported: ['S256'],
    });
  });

  it('says so in the CapabilityStatement', async () => {
    const { rest } = (await (await container.request('/fhir/metadata')).json()) as {
      rest: { security: { service: unknown; extension: { extension: object[] }[] } }[];
    };
    const { service, extension } = rest[0]?.security ?? { extension: [] };
    expect(service).toMatchObject([{ coding: [{ code: 'SMART-on-FHIR' }] }]);
    expect(extension[0]?.extension).toContainEqual({
      url: 'authorize',
      valueUri: `${container.url}/oauth2/authorize`,
    });
  });

  it('lets an app into one record, at FHIR and at calls, and says who asks', async () => {
    const body = await tokenFor(container, `${ALL} openid fhirUser`);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, patient: RECORD });
    expect(body.refresh_token).toBeUndefined();
    const [, claims = ''] = (body.id_token ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      ...{ sub: 'clinician', aud: PUBLIC_APP.id, iss: `${container.url}/oauth2` },
      fhirUser: `${container.url}/fhir/Practitioner/clinician`,
    });
    expect(await isOpen(body.access_token)).toBe(true);
    const statuses = await Promise.all(
      [
        `/fhir/Observation?patient=${OTHER_RECORD}`,
        `/records/${RECORD}/lab_results/`,
        `/records/${OTHER_RECORD}/lab_results/`,
      ].map(async (path) => (await bearer(container, path, body.access_token)).status),
    );
    expect(statuses).toEqual([403, 200, 403]);
    const written = await container.request(`/records/${RECORD}/clinical_notes/`, {
      ...{ method: 'POST', body: 'x', headers: { Authorization: `Bearer ${body.access_token}` } },
    });
    expect(written.status).toBe(401);
  });

  it('names the user to an app that was let know who they are, and to no other', async () => {
    const named = async (scope: string): Promise<[number, boolean]> => {
      const { access_token: token } = await tokenFor(container, scope);
      const response = await bearer(container, '/fhir/Practitioner/clinician', token);
      return [response.status, (await response.text()).includes('"name"')];
    };
    expect(await named(`${ALL} openid fhirUser`)).toEqual([200, true]);
    expect(await named(ALL)).toEqual([403, false]);
  });

  it('shows in words what an app asks, no more than its manifest lists', async () => {
    const asked = ask(container, 'launch/patient patient/*.rs', { client_id: LAB_APP.id });
    const browser = await container.browser('clinician');
    const list = await opened(browser, asked);
    const choice = /href="([^"]*\?record_id=1000001)"/.exec(list.html)?.[1] ?? '';
    const { html } = await browser.open(choice);
    expect(html).toContain('<li>See lab results</li>');
    expect(html.match(/<li>See /g)).toHaveLength(1);
    const { access_token: token } = await tokenFor(container, ALL, { change: { client_id: LAB_APP.id } });
    const statuses = await Promise.all(
      [`/records/${RECORD}/lab_results/`, `/records/${RECORD}/problems/`, '/fhir/Condition'].map(
        async (path) => (await bearer(container, path, token)).status,
      ),
    );
    expect(statuses).toEqual([200, 403, 403]);
  });

  it('gives a person’s app a record of theirs, and no other', async () => {
    const browser = await container.browser('person');
    const list = await opened(browser, ask(container, ALL));
    const address = new URL(list.url).pathname;
    const page = await browser.open(`${address}?record_id=${RECORD}`);
    expect(page.html).toContain('Let “');
    const foreign = await browser.open(`${address}?record_id=${OTHER_RECORD}`);
    expect(foreign.status).toBe(403);
    const forged = await browser.submit(page, { decision: 'allow', record_id: OTHER_RECORD });
    expect(forged.status).toBe(403);
  });
});

describe('what is refused', () => {
  it.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE in the clear', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another audience', { aud: 'https://elsewhere.example.org/fhir' }, 'invalid_request'],
    ['no audience', { aud: undefined }, 'invalid_request'],
    ['a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    ['a resource that is not ours', { resource: 'https://elsewhere.example.org/' }, 'invalid_target'],
    ['no page for the person', { prompt: 'none' }, 'consent_required'],
  ])('%s', async (_, change, error) => {
    const browser = await container.browser('clinician');
    const answer = await browser.open(ask(container, ALL, change).path);
    const back = new URL(answer.headers.get('Location') ?? '');
    expect(back.origin + back.pathname).toBe(RETURN);
    expect((back.search || back.hash).split(/[?#&]/)).toContain(`error=${error}`);
  });

  it.each([
    ['an address that is not the app’s', { redirect_uri: 'http://localhost:8123/smart/other' }],
    ['an address of another app', { client_id: OTHER_APP.id }],
    ['an app that is not there', { client_id: 'nobody' }],
    ['an answer by a form that sends itself', { response_mode: 'form_post' }],
    ['an app that does not come in by SMART', { client_id: 'demo-ui@apps.example.org' }],
  ])('%s, on a page of the container', async (_, change) => {
    const browser = await container.browser('clinician');
    const answer = await browser.open(ask(container, ALL, change).path);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('No access was given');
  });

  it('scopes that open nothing', async () => {
    const browser = await container.browser('clinician');
    const page = await opened(browser, ask(container, 'launch offline_access patient/*.cud'));
    const back = await browser.open(page.headers.get('Location') ?? '');
    expect(back.headers.get('Location')).toContain('error=invalid_scope');
  });

  it('a stranger, who signs in first', async () => {
    const answer = await (await container.browser()).open(ask(container, ALL).path);
    expect(answer.headers.get('Location')).toMatch(/^\/login\?return_url=/);
  });

  it('nothing of a long question, which is whole after the sign-in', async () => {
    const browser = await container.browser();
    const { path } = ask(container, ALL, { state: 'z'.repeat(3500) });
    const form = await browser.open((await browser.open(path)).headers.get('Location') ?? '');
    const entered = await browser.submit(form, { username: 'clinician', password: PASSWORD }, '/login');
    expect(entered.headers.get('Location')).toBe(path);
    const stranger = await container.browser();
    const long = await stranger.open(`/account?x=${'z'.repeat(5000)}`);
    expect(long.headers.get('Location')).toBe('/login');
  });

  it('another browser, and a person who says no', async () => {
    const asked = ask(container, ALL);
    const browser = await container.browser('clinician');
    const first = await browser.open(asked.path);
    const address = first.headers.get('Location') ?? '';
    const stranger = await container.browser('clinician');
    expect((await stranger.open(address)).status).toBe(410);
    const back = await decide(browser, asked, RECORD, 'deny');
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  it('another decision than the first, while more of the same land where it leads', async () => {
    const browser = await container.browser('clinician');
    const asked = ask(container, ALL);
    const list = await opened(browser, asked);
    const choose = (record: string): Promise<PlainPage> =>
      browser.open(new RegExp(`href="([^"]*\\?record_id=${record})"`).exec(list.html)?.[1] ?? '');
    const [page, other] = [await choose(RECORD), await choose(OTHER_RECORD)];
    const grants = (): number => container.directory.read((tx) => tx.count('grants'));
    const before = grants();
    const decided = await Promise.all([1, 2, 3].map(() => browser.submit(page, { decision: 'allow' })));
    const [to, ...more] = new Set(decided.map(({ headers }) => headers.get('Location') ?? ''));
    expect([more, grants() - before]).toEqual([[], 1]);
    expect((await browser.submit(page, { decision: 'deny' })).status).toBe(410);
    expect((await browser.submit(other, { decision: 'allow' })).status).toBe(410);
    const back = new URL((await browser.open(to ?? '')).headers.get('Location') ?? '');
    expect((await exchange(container, asked, codeOf(back))).body).toMatchObject({ patient: RECORD });
    expect((await browser.submit(page, { decision: 'allow' })).status).toBe(410);
  });

  it('nobody who clicks twice that they do not allow it', async () => {
    const browser = await container.browser('person');
    const list = await opened(browser, ask(container, ALL));
    const page = await browser.open(`${new URL(list.url).pathname}?record_id=${RECORD}`);
    const decided = await Promise.all([1, 2].map(() => browser.submit(page, { decision: 'deny' })));
    const [to, ...more] = new Set(decided.map(({ headers }) => headers.get('Location') ?? ''));
    expect(more).toEqual([]);
    const back = await browser.open(to ?? '');
    expect(back.headers.get('Location')).toContain('error=access_denied');
  });

  it.each([
    ['a query that is too long', 'clinician', { state: 'z'.repeat(4096) }, 400],
    ['an administrator', 'admin', {}, 403],
  ])('%s, before anything is stored', async (_, user, change, status) => {
    const count = (): number => container.directory.read((tx) => tx.count('smart'));
    const browser = await container.browser(user);
    const before = count();
    const answer = await browser.open(ask(container, ALL, change).path);
    expect([answer.status, count()]).toEqual([status, before]);
  });

  it.each([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: '' }],
    ['another app', { client_id: OTHER_APP.id }],
    ['another address', { redirect_uri: 'http://localhost:8123/' }],
  ])('a code with %s', async (_, change) => {
    const asked = ask(container, ALL);
    const code = codeOf(await decide(await container.browser('clinician'), asked));
    const { status, body } = await post(container, '/oauth2/token', {
      ...{ grant_type: 'authorization_code', client_id: asked.app, code },
      ...{ redirect_uri: RETURN, code_verifier: asked.verifier, ...change },
    });
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('a second use of a code, which ends what the first gave', async () => {
    const asked = ask(container, `${ALL} offline_access`);
    const code = codeOf(await decide(await container.browser('clinician'), asked));
    const first = await exchange(container, asked, code);
    expect(await isOpen(first.body.access_token)).toBe(true);
    expect((await exchange(container, asked, code)).body['error']).toBe('invalid_grant');
    expect(await isOpen(first.body.access_token)).toBe(false);
    expect((await refresh(container, first.body.refresh_token ?? '')).status).toBe(400);
  });

  it('all but one of uses at the same time', async () => {
    const asked = ask(container, ALL);
    const code = codeOf(await decide(await container.browser('clinician'), asked));
    const all = await Promise.all([1, 2, 3, 4].map(() => exchange(container, asked, code)));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThan(2);
  });

  it('a confidential app without its secret', async () => {
    const asked = ask(container, ALL, { client_id: SECRET_APP.id });
    const code = codeOf(await decide(await container.browser('clinician'), asked));
    expect((await exchange(container, asked, code)).body['error']).toBe('invalid_client');
    const pair = [SECRET_APP.id, container.secrets[SECRET_APP.id] ?? ''].map(encodeURIComponent).join(':');
    const headers = { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: RETURN,
      code_verifier: asked.verifier,
    };
    const { status, body } = await post(container, '/oauth2/token', form, headers);
    expect(status).toBe(200);
    const { body: told } = await post(container, '/oauth2/introspect', { token: body.access_token }, headers);
    expect(told).toMatchObject({ active: true, client_id: SECRET_APP.id });
    const { access_token: foreign } = await tokenFor(container, ALL);
    expect((await post(container, '/oauth2/introspect', { token: foreign }, headers)).body).toEqual({
      active: false,
    });
  });
});

describe('when the person signed in', () => {
  const signedIn = async (secondsAgo: number) => {
    const browser = await container.browser('clinician');
    await container.directory.transact((tx) => {
      for (const { key, value } of [...tx.range('sessions')]) {
        const since = Date.now() - secondsAgo * 1000;
        tx.put('sessions', String(key), { ...(value as object), since });
      }
    });
    return browser;
  };

  it.each([{ max_age: '600' }, { prompt: 'login' }, { max_age: '0' }])(
    '%j asks for it anew',
    async (change) => {
      const browser = await signedIn(700);
      const answer = await browser.open(ask(container, `${ALL} openid`, change).path);
      const back = new URL(answer.headers.get('Location') ?? '');
      expect([back.origin + back.pathname, back.searchParams.get('error')]).toEqual([
        RETURN,
        'login_required',
      ]);
    },
  );

  it.each([
    [{ max_age: '800' }, 700],
    [{ max_age: '0', prompt: 'login' }, 20],
  ])('%j says when that was', async (change, ago) => {
    const asked = ask(container, `${ALL} openid`, change);
    const { body } = await exchange(container, asked, codeOf(await decide(await signedIn(ago), asked)));
    const [, claims = ''] = (body.id_token ?? '').split('.');
    const { auth_time: at } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      auth_time: number;
    };
    expect(Math.abs(Date.now() / 1000 - ago - at)).toBeLessThan(15);
  });
});

describe('refresh tokens', () => {
  it.each([
    ['online_access', 'signs out where they allowed it', 'own', 'invalid_grant'],
    ['online_access', 'ends all their sessions', 'all', 'invalid_grant'],
    ['online_access', 'signs out elsewhere', 'other', undefined],
    ['offline_access', 'signs out where they allowed it', 'own', undefined],
  ])('of %s, once the person %s', async (scope, _, which, error) => {
    const [browser, other] = [await container.browser('person'), await container.browser('person')];
    const asked = ask(container, `${ALL} ${scope}`);
    const { body } = await exchange(container, asked, codeOf(await decide(browser, asked)));
    if (which === 'all') await container.directory.transact((tx) => endSessions(tx, 'person'));
    const leaving = which === 'other' ? other : browser;
    if (which !== 'all') await leaving.submit(await leaving.open('/logout'), {}, '/logout');
    expect(await isOpen(body.access_token)).toBe(error === undefined);
    expect((await refresh(container, body.refresh_token ?? '')).body['error']).toBe(error);
  });

  it('give other tokens, once each, and no wider ones', async () => {
    const { refresh_token: first = '', access_token: old } = await tokenFor(
      container,
      'launch/patient offline_access patient/Observation.rs',
    );
    expect((await bearer(container, '/fhir/Observation', first)).status).toBe(401);
    const wider = await refresh(container, first, { scope: 'patient/*.rs' });
    expect(wider.body['error']).toBe('invalid_scope');
    const { body } = await refresh(container, first);
    expect(body).toMatchObject({ patient: RECORD });
    expect(await isOpen(body.access_token)).toBe(true);
    expect((await refresh(container, first)).body['error']).toBe('invalid_grant');
    expect([await isOpen(old), await isOpen(body.access_token)]).toEqual([false, false]);
  });

  it('end with the access that the person ends, and when the app revokes one', async () => {
    const { refresh_token: token = '', access_token: open } = await tokenFor(
      container,
      `${ALL} online_access`,
    );
    const browser = await container.browser('clinician');
    const page = await browser.open('/account/apps');
    expect(page.html).toContain(PUBLIC_APP.name);
    await browser.submit(
      page,
      { app_id: PUBLIC_APP.id, user_id: 'clinician', record_id: RECORD },
      '/account/apps',
    );
    expect(await isOpen(open)).toBe(false);
    expect((await refresh(container, token)).body['error']).toBe('invalid_grant');

    const other = await tokenFor(container, `${ALL} offline_access`);
    await post(container, '/oauth2/revoke', { client_id: OTHER_APP.id, token: other.access_token });
    expect(await isOpen(other.access_token)).toBe(true);
    await post(container, '/oauth2/revoke', { client_id: PUBLIC_APP.id, token: other.refresh_token ?? '' });
    expect(await isOpen(other.access_token)).toBe(false);
  });
});
