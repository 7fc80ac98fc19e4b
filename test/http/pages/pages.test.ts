import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { blankNode, literal, namedNode, quad } from '../../../src/rdf/terms.js';
import { dcterms, rdf, sp } from '../../../src/rdf/vocabulary.js';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import { PlainBrowser, type PlainPage } from '../oauth/plain-browser.js';
import { cheapHash } from '../../setup/cheap-hash.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startFlowContainer();
});
afterAll(() => container.stop());

describe('every page', () => {
  it.each([
    ['/', 200],
    ['/login', 200],
    ['/login?return_url=a&return_url=b', 400],
    ['/login?return_url=%zz', 400],
    ['/login?return_url=/apps/%25zz/launch', 200],
    ['/oauth/authorize', 410],
    ['/oauth/authorize?oauth_token=unknown', 410],
    ['/oauth/authorize?oauth_token=a&oauth_token=b', 400],
    ['/apps/nobody/launch', 302],
    ['/apps/nobody/launch?record_id=1000001/demographics', 400],
    ['/oauth/authorize?oauth_token=unknown&record_id=1000001/demographics', 400],
    ['/account/security', 302],
    ['/account/security/second-factor', 302],
    ['/login/code', 302],
    ['/account/apps', 302],
    ['/logout', 302],
  ])('%s has the headers that protect it', async (path, status) => {
    const response = await fetch(container.url + path, { redirect: 'manual' });
    expect(response.status).toBe(status);
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('has a language, a title, one main part and one first heading', async () => {
    const browser = await container.browser('clinician');
    for (const path of [
      '/',
      '/login',
      '/account/apps',
      '/account/security',
      '/account/security/second-factor',
      `/apps/${UI_APP}/launch`,
      '/logout',
      '/oauth/authorize',
    ]) {
      const { html } = await browser.open(path);
      if (html === '') continue;
      expect(html).toMatch(/<html lang="en">/);
      expect(html).toMatch(/<title>\S.* – Test container<\/title>/);
      expect([...html.matchAll(/<main /g)]).toHaveLength(1);
      expect([...html.matchAll(/<h1>/g)]).toHaveLength(1);
      expect(html).not.toMatch(/<script|style="| on\w+="/);
      const ids = [...html.matchAll(/<(?:input|select)(?![^>]*type="hidden")[^>]*\bid="([^"]+)"/g)];
      for (const [, id] of ids) expect(html).toContain(`<label for="${id}"`);
    }
  });

  it('has an icon, which is where browsers look for one as well', async () => {
    const { html, headers } = await (await container.browser()).open('/');
    const [, path = ''] = /<link rel="icon" href="([^"]+)" \/>/.exec(html) ?? [];
    expect(path).toBe('/favicon.ico');
    expect(headers.get('Content-Security-Policy')).toContain("img-src 'self';");
    const icon = await fetch(container.url + path, {
      headers: { Accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' },
    });
    expect([icon.status, icon.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
    expect(icon.headers.get('Cache-Control')).toMatch(/^public, max-age=/);
    expect(await icon.text()).toMatch(/^<svg xmlns="[^"]+"[^]*<\/svg>$/);
  });

  it('leads from the start page to the records, and says of a wrong address that no page is there', async () => {
    const browser = await container.browser();
    expect((await browser.open('/')).html).toContain('href="/login?return_url=/account"');
    browser.headers.set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    const wrong = await browser.open('/acount');
    expect(wrong.status).toBe(404);
    expect(wrong.html).toContain('<h1>There is no such page</h1>');
    expect(wrong.html).not.toContain('Sign out');
    const known = await container.browser('person');
    known.headers.set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect((await known.open('/acount')).html).toContain('aria-label="Account"');
  });

  it('answers other methods with 405', async () => {
    for (const path of ['/', '/login', '/account/apps', `/apps/${UI_APP}/launch`]) {
      expect((await fetch(container.url + path, { method: 'DELETE' })).status).toBe(405);
    }
  });
});

describe('what a form is sent to', () => {
  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const targets = ['/account/security/password', '/account/security/sessions', '/account/security/tokens'];

  it.each(targets)('%s leads a browser that opens it to the page with the form', async (path) => {
    const browser = await container.browser('analyst');
    browser.headers.set('accept', html);
    const opened = await browser.open(path);
    expect([opened.status, opened.headers.get('Location')]).toEqual([303, '/account/security']);
    expect(opened.headers.get('Cache-Control')).toBe('no-store');
    expect((await browser.open('/account/security')).html).toContain('action="/account/security/password"');
  });

  it.each(targets)('%s has no GET for programs, nor a third method for anybody', async (path) => {
    const allow = 'POST, OPTIONS';
    for (const init of [{}, { headers: { Accept: 'application/json' } }, { method: 'HEAD' }]) {
      const answer = await fetch(container.url + path, { redirect: 'manual', ...init });
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow]);
    }
    const headers = { Accept: html };
    const other = await fetch(container.url + path, { method: 'DELETE', headers });
    expect([other.status, other.headers.get('Allow')]).toEqual([405, allow]);
  });
});

describe('sessions', () => {
  it('have a cookie that scripts and other sites do not see, new at sign-in', async () => {
    const browser = await container.browser();
    const page = await browser.open('/login');
    expect(page.headers.get('Set-Cookie')).toMatch(
      /^chartgraph-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const [before] = browser.cookies.values();
    const signedIn = await browser.signIn('person', PASSWORD);
    expect(signedIn.headers.get('Set-Cookie')).toContain('HttpOnly');
    expect([...browser.cookies.values()]).not.toContain(before);
    expect((await browser.open('/')).html).toContain('Niamh Dellacroft');
    const old = new PlainBrowser(container.url);
    old.cookies.set('chartgraph-session', before ?? '');
    expect((await old.open('/account/apps')).status).toBe(302);
  });

  it('of two people who came by one id open no request for both', async () => {
    const { oauth_token: token = '' } = await container.requestToken(UI_APP, '1000001');
    const browser = await container.browser();
    await browser.open(container.authorizeUrl(token));
    const other = await container.browser();
    for (const [name, id] of browser.cookies) other.cookies.set(name, id);
    await browser.signIn('person', PASSWORD);
    expect((await browser.open(container.authorizeUrl(token))).status).toBe(200);
    await other.signIn('clinician', PASSWORD);
    const refused = await other.open(container.authorizeUrl(token));
    expect([refused.status, refused.html.includes('another person')]).toEqual([403, true]);
    const answered = await other.open('/oauth/authorize', {
      method: 'POST',
      body: new URLSearchParams({
        csrf: /name="csrf" value="([^"]*)"/.exec(refused.html)?.[1] ?? '',
        oauth_token: token,
        record_id: '1000001',
        decision: 'allow',
      }),
    });
    expect(answered.status).toBe(403);
    expect(answered.html).toContain('another person');
  });

  it('end for good at sign-out', async () => {
    const browser = await container.browser('person');
    const kept = new Map(browser.cookies);
    const out = await browser.submit(await browser.open('/logout'), {}, '/logout');
    expect([out.status, out.headers.get('Location')]).toEqual([303, '/login?signed_out=1']);
    expect((await browser.open('/login?signed_out=1')).html).toContain('You are signed out.');
    const thief = new PlainBrowser(container.url);
    for (const [name, value] of kept) thief.cookies.set(name, value);
    expect((await thief.open('/account/apps')).status).toBe(302);
  });

  it('are not begun, and no password is set, by one that is changed while it is checked', async () => {
    const { accounts, directory } = container;
    const [user] = accounts.listUsers().filter(({ id }) => id === 'person');
    if (!user) throw new Error('there is no person');
    const tries = (): string => JSON.stringify(directory.read((tx) => [...tx.range('signIns')]));
    /** Changes the password as soon as the try is counted; to check a hash of full cost takes longer than that. */
    const changedDuring = async (sent: (browser: PlainBrowser) => Promise<PlainPage>): Promise<PlainPage> => {
      await accounts.setPassword('person', PASSWORD);
      const browser = await container.browser('person');
      const before = tries();
      const answer = sent(browser);
      while (tries() === before) await new Promise((resolve) => setTimeout(resolve, 2));
      const passwordHash = cheapHash('seven quiet herons');
      await directory.transact((tx) => accounts.putUser(tx, { ...user, passwordHash }));
      return answer;
    };
    const signedIn = await changedDuring(async () => (await container.browser()).signIn('person', PASSWORD));
    expect([signedIn.status, signedIn.headers.get('Set-Cookie')]).toEqual([403, null]);
    const again = 'nine loud herons at noon';
    await changedDuring(async (browser) =>
      browser.submit(
        await browser.open('/account/security'),
        { current: PASSWORD, password: again, again },
        '/password',
      ),
    );
    expect(await accounts.checkPassword('person', again)).toBe(false);
    expect(await accounts.checkPassword('person', 'seven quiet herons')).toBe(true);
    await accounts.setPassword('person', PASSWORD);
  });

  it('end when the password changes', async () => {
    const browser = await container.browser('person');
    expect((await browser.open('/account/apps')).status).toBe(200);
    await container.accounts.setPassword('person', 'another one here');
    expect((await browser.open('/account/apps')).status).toBe(302);
    await container.accounts.setPassword('person', PASSWORD);
  });
});

describe('forms', () => {
  it.each([
    ['without their token', { csrf: undefined }],
    ['with the token of another session', { csrf: 'a'.repeat(32) }],
  ])('are refused %s', async (_, fields) => {
    const browser = await container.browser();
    const page = await browser.open('/login');
    const answer = await browser.submit(page, { username: 'person', password: PASSWORD, ...fields });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('Set-Cookie')).toBeNull();
  });

  it('are refused when another site sent them', async () => {
    const browser = await container.browser('person');
    const page = await browser.open('/account/apps');
    const csrf = /name="csrf" value="(\w+)"/.exec(page.html)?.[1] ?? '';
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site };
      const body = new URLSearchParams({ csrf });
      expect((await browser.open('/logout', { method: 'POST', headers, body })).status).toBe(403);
    }
    // A browser leaves the cookie out of such a form (SameSite), and must keep the one that it has.
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const form = { method: 'POST', headers, body: new URLSearchParams({ csrf }) };
    const bare = await (await container.browser()).open('/logout', form);
    expect([bare.status, bare.headers.get('Set-Cookie')]).toEqual([403, null]);
    const json = {
      method: 'POST',
      body: JSON.stringify({ csrf }),
      headers: { 'Content-Type': 'application/json' },
    };
    expect((await browser.open('/logout', json)).status).toBe(400);
    expect((await browser.open('/account/apps')).status).toBe(200);
  });

  it('are refused when a field occurs twice', async () => {
    const browser = await container.browser('person');
    const csrf = /name="csrf" value="(\w+)"/.exec((await browser.open('/account/apps')).html)?.[1] ?? '';
    const body = new URLSearchParams([
      ['csrf', csrf],
      ['record_id', '1'],
      ['record_id', '2'],
    ]);
    expect((await browser.open('/account/apps', { method: 'POST', body })).status).toBe(400);
  });

  it('cannot answer for a record other than the one asked for, or without a decision', async () => {
    const browser = await container.browser('clinician');
    const request = await container.requestToken(UI_APP, '1000001');
    const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
    expect((await browser.submit(page, { decision: 'allow', record_id: '1000002' })).status).toBe(400);
    expect((await browser.submit(page, {})).status).toBe(400);
    expect((await browser.submit(page, { decision: 'allow' })).status).toBe(302);
  });

  it('allow what was shown: where the app can do something else by now, it is shown anew', async () => {
    const browser = await container.browser('clinician');
    const request = await container.requestToken(UI_APP, '1000001');
    const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
    const anew = await browser.submit(page, { decision: 'allow', wording: 'of an older page' });
    expect(anew.status).toBe(200);
    expect(anew.html).toContain('has changed. Read it again');
    expect((await browser.submit(anew, { decision: 'allow' })).status).toBe(302);
  });
});

describe('signing in', () => {
  it.each([
    ['/account/apps', '/account/apps'],
    ['/oauth/authorize?oauth_token=a%26b', '/oauth/authorize?oauth_token=a%26b'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/\t/evil.example/', '/'],
    ['/..//evil.example/', '/'],
    ['/%2e%2e//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ])('with the return_url %j leads to %s', async (wanted, expected) => {
    const answer = await (await container.browser()).signIn('person', PASSWORD, wanted);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, expected]);
  });

  it('says the same whether the password is wrong, the user unknown or without a password', async () => {
    const texts = new Set<string>();
    for (const user of ['person', 'nobody', '../x', 'search']) {
      const browser = await container.browser();
      const answer = await browser.signIn(user, 'wrong');
      const plain = answer.html.replace(/value="[^"]*"/g, '');
      texts.add(`${answer.status} ${plain}`);
    }
    expect(texts.size).toBe(1);
  });
});

describe('the launch page', () => {
  it('opens the index with the record and the base, encoded', async () => {
    const browser = await container.browser('person');
    const opened = await browser.open(`/apps/${UI_APP}/launch?record_id=1000001`);
    expect(opened.headers.get('Location')).toBe(
      `http://localhost:8000/medications/index.html?record_id=1000001&api_base=${encodeURIComponent(container.url)}`,
    );
    const other = await browser.open('/apps/copy@apps.example.org/launch?record_id=1000001');
    expect(other.headers.get('Location')).toMatch(
      /^http:\/\/localhost:8000\/copy\/\?a=1&record_id=1000001&api_base=[^#]+#top$/,
    );
  });

  it.each([
    ['person', UI_APP, '1000002', 403],
    ['person', UI_APP, '4711', 403],
    ['clinician', UI_APP, '1000002', 302],
    ['clinician', UI_APP, '4711', 404],
    ['analyst', UI_APP, '1000001', 403],
    ['admin', UI_APP, '1000001', 403],
    ['clinician', 'nobody', '1000001', 404],
    ['clinician', 'demo-background@apps.example.org', '1000001', 404],
    ['clinician', '%zz', '1000001', 404],
  ])('for %s, app %s and record %s is %i', async (user, app, record, status) => {
    const browser = await container.browser(user);
    expect((await browser.open(`/apps/${app}/launch?record_id=${record}`)).status).toBe(status);
  });

  it.each(['1000001/demographics', '../users', '%2e%2e', '1000001%00', 'a b', '1000001?x', 'search'])(
    'takes no record called %j, whoever asks',
    async (record) => {
      for (const user of [undefined, 'person', 'clinician']) {
        const browser = await container.browser(user);
        const { oauth_token: token = '' } = await container.requestToken(UI_APP);
        for (const path of [`/apps/${UI_APP}/launch?`, `${container.authorizeUrl(token)}&`]) {
          const answer = await browser.open(`${path}record_id=${encodeURIComponent(record)}`);
          expect([user, path, answer.status]).toEqual([user, path, 400]);
          expect(answer.html).toContain('cannot be the id of a record');
        }
      }
    },
  );

  it('searches for clinicians, as the call does', async () => {
    const browser = await container.browser('clinician');
    const found = await browser.open(`/apps/${UI_APP}/launch?family_name=wren`);
    expect(found.html).toContain('Tobias Wrenfield');
    expect([...found.html.matchAll(/record_id=/g)]).toHaveLength(1);
    const wrong = await browser.open(`/apps/${UI_APP}/launch?date_of_birth=yesterday`);
    expect(wrong.html).toContain('role="alert"');
    expect(wrong.html).toContain('Type the date with the month as a word');
    expect(wrong.html).not.toContain('No record matches');
    const none = await browser.open(`/apps/${UI_APP}/launch?offset=100000`);
    expect(none.status).toBe(200);
  });

  it('finds a record for clinicians by a medical record number, and by its own', async () => {
    const { url, directory } = container;
    const record = `${url}/records/1000088`;
    const [demographics, number] = [namedNode(`${record}/demographics`), blankNode()];
    const graphs = [
      { name: record, quads: [quad(namedNode(record), namedNode(rdf.type), namedNode(sp.MedicalRecord))] },
      {
        name: demographics.value,
        quads: [
          quad(demographics, namedNode(rdf.type), namedNode(sp.Demographics)),
          quad(demographics, namedNode(sp.belongsTo), namedNode(record)),
          quad(demographics, namedNode(sp.medicalRecordNumber), number),
          // The number of another record, in another hospital.
          quad(number, namedNode(dcterms.identifier), literal('1000002')),
        ],
      },
    ];
    await openPrimaryStore(directory, url).write({ replace: graphs });
    const browser = await container.browser('clinician');
    for (const [terms, found] of [
      ['medical_record_number=1000088', ['1000088']],
      ['medical_record_number=%201000003%20', ['1000003']],
      ['medical_record_number=1000002', ['1000002', '1000088']],
      ['medical_record_number=1000002&family_name=lind', []],
      ['medical_record_number=1000999', []],
      ['medical_record_number=/../x', []],
    ] as const) {
      const { html } = await browser.open(`/apps/${UI_APP}/launch?${terms}`);
      const records = [...html.matchAll(/record_id=(\d+)/g)].map(([, id]) => id);
      expect([terms, ...records.sort()]).toEqual([terms, ...found]);
      expect(html.includes('No record matches.')).toBe(found.length === 0);
    }
    const person = await container.browser('person');
    const { html } = await person.open(`/apps/${UI_APP}/launch?medical_record_number=1000088`);
    expect(html).not.toContain('1000088');
  });
});

describe('ending an access', () => {
  it('is for the owner and for an admin', async () => {
    const allow = async (): Promise<string> => {
      const request = await container.requestToken(UI_APP, '1000001');
      const { verifier } = await container.allow(
        await container.browser('person'),
        request['oauth_token'] ?? '',
      );
      const answer = await (await container.exchange(request, verifier)).text();
      return new URLSearchParams(answer).get('oauth_token') ?? '';
    };
    const isRevoked = (token: string): boolean => container.accounts.token(token)?.revoked ?? true;
    const token = await allow();
    const end = async (user: string): Promise<void> => {
      const browser = await container.browser(user);
      const csrf = /name="csrf" value="(\w+)"/.exec((await browser.open('/account/apps')).html)?.[1] ?? '';
      const body = new URLSearchParams({ csrf, app_id: UI_APP, user_id: 'person', record_id: '1000001' });
      await browser.open('/account/apps', { method: 'POST', body });
    };
    await end('clinician');
    expect(isRevoked(token)).toBe(false);
    await end('admin');
    expect(isRevoked(token)).toBe(true);
    const second = await allow();
    const { html } = await (await container.browser('person')).open('/account/apps');
    // The name of a control begins with what it shows (WCAG 2.2, 2.5.3).
    expect(html).toMatch(/<button class="danger" aria-label="End access of [^"]+">End access<\/button>/);
    await end('person');
    expect(isRevoked(second)).toBe(true);
  });
});
