import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import {
  answerOf,
  COPY_APP,
  PASSWORD,
  startFlowContainer,
  UI_APP,
  type FlowContainer,
} from './flow-container.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startFlowContainer();
});
afterAll(() => container.stop());

describe('letting an app into a record', () => {
  it('goes from a request token to a signed call', async () => {
    const request = await container.requestToken(UI_APP, '1000001');
    expect(Object.keys(request)).toEqual(['oauth_token', 'oauth_token_secret', 'oauth_callback_confirmed']);
    const browser = await container.browser();
    const url = container.authorizeUrl(request['oauth_token'] ?? '');

    const toLogin = await browser.open(url);
    expect(toLogin.status).toBe(302);
    expect(toLogin.headers.get('Location')).toBe(`/login?return_url=${encodeURIComponent(url)}`);
    const signedIn = await browser.signIn('clinician', PASSWORD, url);
    expect([signedIn.status, signedIn.headers.get('Location')]).toEqual([303, url]);

    const { verifier, token } = await container.allow(browser, request['oauth_token'] ?? '');
    expect(token).toBe(request['oauth_token']);
    const access = await answerOf(await container.exchange(request, verifier));
    expect(Object.keys(access)).toEqual(['oauth_token', 'oauth_token_secret', 'record_id', 'user_id']);
    expect(access).toMatchObject({ record_id: '1000001', user_id: 'clinician' });

    const read = await container.signed('/records/1000001/medications/', UI_APP, {
      method: 'GET',
      token: access,
    });
    expect(read.status).toBe(200);
    expect(read.headers.get('Content-Type')).toBe('application/rdf+xml');
    expect(
      (await container.signed('/records/1000002/medications/', UI_APP, { method: 'GET', token: access }))
        .status,
    ).toBe(403);
    const own = await container.signed(`/users/${access['user_id']}/apps/${UI_APP}/preferences`, UI_APP, {
      method: 'GET',
      token: access,
    });
    expect(own.status).not.toBe(403);
  });

  it('shows the verifier when the manifest has no callback', async () => {
    const request = await answerOf(
      await container.signed('/oauth/request_token', COPY_APP, {
        form: { container_record_id: '1000001', oauth_callback: 'oob' },
      }),
    );
    const browser = await container.browser('person');
    const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
    const shown = await browser.submit(page, { decision: 'allow' });
    expect(shown.status).toBe(200);
    const verifier = /aria-label="Code">([\w-]+)</.exec(shown.html)?.[1] ?? '';
    const access = await answerOf(await container.exchange(request, verifier, COPY_APP));
    expect(access).toMatchObject({ record_id: '1000001', user_id: 'person' });
  });

  it('issues nothing when the person denies, and says so afterwards', async () => {
    const request = await container.requestToken(UI_APP, '1000002');
    const browser = await container.browser('clinician');
    const url = container.authorizeUrl(request['oauth_token'] ?? '');
    const denied = await browser.submit(await browser.open(url), { decision: 'deny' });
    expect([denied.status, denied.headers.get('Location')]).toEqual([
      303,
      `http://localhost:8000/medications/authorized?oauth_token=${request['oauth_token']}&oauth_problem=permission_denied`,
    ]);
    const again = await browser.open(url);
    expect([again.status, again.html.includes('was denied')]).toEqual([410, true]);
    expect((await container.exchange(request, 'anything')).status).toBe(401);
  });

  it('says so itself when the person denies an app without a callback', async () => {
    const request = await container.requestToken(COPY_APP, '1000004');
    const browser = await container.browser('person');
    const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
    const denied = await browser.submit(page, { decision: 'deny' });
    expect([denied.status, denied.headers.get('Location')]).toEqual([200, null]);
    expect(denied.html).toContain('You did not allow it');
  });

  it('denies, or was too late and says so, where the app exchanges in the same moment what another tab allowed', async () => {
    const browser = await container.browser('clinician');
    const first = await container.requestToken(UI_APP, '1000007');
    const page = await browser.open(container.authorizeUrl(first['oauth_token'] ?? ''));
    const outcomes = new Set<string>();
    for (let number = 0; number < 30; number++) {
      const request = await container.requestToken(UI_APP, '1000007');
      const { token, verifier } = await container.allow(browser, request['oauth_token'] ?? '');
      const [exchanged, answer] = await Promise.all([
        container.exchange(request, verifier),
        browser.submit(page, { decision: 'deny', oauth_token: token }),
      ]);
      const told = answer.headers.get('Location')?.includes('permission_denied') ? 'denied' : answer.status;
      outcomes.add(`${exchanged.status} ${told}`);
    }
    expect([...outcomes].filter((each) => !['200 410', '401 denied'].includes(each))).toEqual([]);
  });

  it('lets one exchange win of ten at once', async () => {
    const request = await container.requestToken(UI_APP, '1000003');
    const { verifier } = await container.allow(
      await container.browser('clinician'),
      request['oauth_token'] ?? '',
    );
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => container.exchange(request, verifier)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
    const browser = await container.browser('clinician');
    const used = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
    expect([used.status, used.html.includes('This request is over')]).toEqual([410, true]);
  });

  it('asks once for the same app, record and wording, until the person ends the access', async () => {
    const browser = await container.browser('clinician');
    const ask = async () => {
      const request = await container.requestToken(UI_APP, '1000004');
      const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
      return { request, page };
    };
    const first = await ask();
    expect(first.page.status).toBe(200);
    const { verifier } = await container.allow(browser, first.request['oauth_token'] ?? '');
    // Allowed but never exchanged is no consent to remember.
    expect((await ask()).page.status).toBe(200);
    const access = await answerOf(await container.exchange(first.request, verifier));
    expect((await ask()).page.status).toBe(302);
    const id = container.accounts.token(access['oauth_token'] ?? '')?.id ?? '';
    await container.accounts.revoke(id);
    expect((await ask()).page.status).toBe(200);
  });

  it('lets a person choose a record when the app names none', async () => {
    const request = await container.requestToken(UI_APP);
    const browser = await container.browser('person');
    const url = container.authorizeUrl(request['oauth_token'] ?? '');
    const list = await browser.open(url);
    expect(list.html).toContain('record_id=1000001');
    expect(list.html).not.toContain('record_id=1000002');
    const consent = await browser.open(`${url}&record_id=1000004`);
    const allowed = await browser.submit(consent, { decision: 'allow' });
    const verifier = /oauth_verifier=([\w-]+)$/.exec(allowed.headers.get('Location') ?? '')?.[1] ?? '';
    expect(await answerOf(await container.exchange(request, verifier))).toMatchObject({
      record_id: '1000004',
    });
  });

  it('passes over a record that does not exist', async () => {
    const request = await container.requestToken(UI_APP, '4711');
    const page = await (
      await container.browser('clinician')
    ).open(container.authorizeUrl(request['oauth_token'] ?? ''));
    expect(page.html).toContain('Choose a record');
  });

  it('never redirects a token call', async () => {
    for (const path of ['/oauth/request_token', '/oauth/access_token', '/oauth/request_token/']) {
      const url = container.url + path;
      const authorization = signRequest({ method: 'POST', url, consumerKey: 'nobody', consumerSecret: 'x' });
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { Authorization: authorization },
      });
      expect([path, response.status]).toEqual([path, 401]);
    }
  });
});
