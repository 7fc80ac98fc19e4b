import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { readMapping } from '../../../src/access/sign-on/claim-mapping.js';
import { PASSWORD, startFlowContainer, UI_APP, type FlowContainer } from '../oauth/flow-container.js';
import { PlainBrowser, type PlainPage } from '../oauth/plain-browser.js';
import { CLIENT, startHospital, type Account, type Hospital } from './hospital.js';

const mapping = {
  name: 'the hospital',
  scope: 'openid profile email groups',
  user: 'preferred_username',
  role: 'groups',
  roles: [
    { value: 'it', role: 'admin' },
    { value: 'physicians', role: 'clinician' },
    { value: 'scientists', role: 'analyst' },
  ],
  newUsers: true,
  acr: ['gold'],
  amr: ['mfa'],
};

const ada: Account = {
  preferred_username: 'ada',
  given_name: 'Ada',
  family_name: 'Quillane',
  groups: ['everybody', 'physicians'],
};

let hospital: Hospital;
let container: FlowContainer;
let log = '';
const codes: string[] = [];

const sink = new Writable({
  write(piece: Buffer, _, done) {
    log += piece.toString();
    done();
  },
});

async function start(more: Parameters<typeof startFlowContainer>[0] = {}, mapped: object = mapping) {
  const started = await startFlowContainer({
    signOn: {
      issuer: hospital.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      mapping: readMapping(mapped),
    },
    log: pino({ level: 'trace' }, sink),
    ...more,
  });
  hospital.serve(started.url);
  return started;
}

/** Begins to sign in. @returns where the provider sends the browser back to */
async function begun(browser: PlainBrowser, who: string, more = ''): Promise<string> {
  const begin = await browser.open(`/login/organisation?return_url=%2Faccount%2Fapps${more}`);
  hospital.who = who;
  const back = await hospital.pass(begin.headers.get('Location') ?? '');
  codes.push(new URL(back).searchParams.get('code') ?? 'no code');
  return back;
}

async function signOn(browser: PlainBrowser, who: string, more = ''): Promise<PlainPage> {
  return browser.open(await begun(browser, who, more));
}

const whereTo = ({ status, headers }: PlainPage) => [status, headers.get('Location')];
const problemOf = ({ status, html }: PlainPage) => [
  status,
  /role="alert"[^>]*>(?:\s*<[^>]+>)*([^<]*)/.exec(html)?.[1]?.trim() ?? '',
];
/** Where a page of somebody who signed out leads on to. */
const endOf = ({ html }: PlainPage): string =>
  (/<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
const isSignedIn = async (browser: PlainBrowser): Promise<boolean> =>
  (await browser.open('/account/apps')).status === 200;

async function entriesOf(user: string) {
  const log = await openAccessLog(container.data);
  const found = [];
  for await (const { action, outcome, reason } of log.read({ user }))
    if (action !== 'read') found.push([action, outcome, reason]);
  await log.close();
  return found;
}

const ENTERED = [303, '/account/apps'];

describe('who signs in with their organisation', () => {
  beforeAll(async () => {
    hospital = await startHospital();
    container = await start({ secondFactorRoles: ['admin'] });
  });
  afterAll(async () => {
    await container.stop();
    await hospital.stop();
  });
  beforeEach(() => {
    hospital.accounts.clear();
    hospital.accounts.set('1', ada);
  });

  it('is not asked to change a password that an administrator set, which they do not use', async () => {
    hospital.accounts.set('9', { ...ada, preferred_username: 'vera' });
    await signOn(await container.browser(), '9');
    await container.accounts.setPassword('vera', 'seventeen grey herons', { isTemporary: true });
    const browser = await container.browser();
    expect(whereTo(await signOn(browser, '9'))).toEqual(ENTERED);
    expect(await isSignedIn(browser)).toBe(true);
    const byPassword = await container.browser();
    await byPassword.signIn('vera', 'seventeen grey herons');
    expect(whereTo(await byPassword.open('/account'))[1]).toContain('/account/security/new-password');
  });

  it('is made a user at first, comes back as the same one, and takes the role that the claims give', async () => {
    const browser = await container.browser();
    const page = await browser.open('/login?return_url=%2Faccount%2Fapps');
    expect(page.html).toContain(
      '<a class="button whole" href="/login/organisation?return_url=%2Faccount%2Fapps">Sign in with the hospital</a>',
    );
    expect(whereTo(await signOn(browser, '1'))).toEqual(ENTERED);
    expect((await browser.open('/account')).html).toContain('Ada Quillane');
    expect(container.accounts.user('ada')).toEqual({ id: 'ada', role: 'clinician', records: [] });
    expect(whereTo(await browser.open('/login/organisation'))).toEqual([302, '/']);

    // Their name there has changed: the subject counts.
    hospital.accounts.set('1', { ...ada, preferred_username: 'ada.lovelace', groups: ['scientists'] });
    const other = await container.browser();
    expect(whereTo(await signOn(other, '1'))).toEqual(ENTERED);
    expect(container.accounts.user('ada')?.role).toBe('analyst');
    expect(container.accounts.user('ada.lovelace')).toBeUndefined();
    // A session of the role before has ended.
    expect(await isSignedIn(browser)).toBe(false);

    const ofApp = await container.accounts.issueToken({ app: UI_APP, user: 'ada' });
    const others = await container.accounts.issueToken({ app: UI_APP, user: 'clinician' });
    await container.accounts.issueAnalystToken({
      user: 'ada',
      purpose: 'a cohort',
      isIdentified: false,
      lifetime: 60_000,
    });
    const alive = () => [
      container.accounts.isTokenAlive(ofApp.id),
      container.accounts.isTokenAlive(others.id),
      container.accounts.listAnalystTokens().length,
    ];
    expect(alive()).toEqual([true, true, 1]);
    hospital.accounts.set('1', { ...ada, groups: ['everybody'] });
    const third = await container.browser();
    expect(problemOf(await signOn(third, '1'))).toEqual([403, 'The hospital gives you no role here.']);
    expect([await isSignedIn(third), await isSignedIn(other)]).toEqual([false, false]);
    expect(alive()).toEqual([false, true, 0]);

    expect(await entriesOf('ada')).toEqual([
      ['user add', 'done', 'first sign-in'],
      ['sign-in.accepted', 'done', 'identity provider'],
      ['user change', 'done', 'role analyst'],
      ['sign-in.accepted', 'done', 'identity provider'],
      ['sign-in.refused', 'refused', 'no role'],
    ]);
  });

  it.each<[string, Account, RegExp]>([
    [
      'has no name that a user can have',
      { ...ada, preferred_username: 'a/b' },
      /does not say what a new user needs/,
    ],
    [
      'has no family name',
      { preferred_username: 'bob', given_name: 'Bob', groups: ['it'] },
      /does not say what/,
    ],
    ['has no role', { ...ada, preferred_username: 'carol', groups: [] }, /gives you no role here/],
    [
      'is called as another user',
      { ...ada, preferred_username: 'clinician' },
      /No user here is linked to you\. .* chartgraph user link ID --issuer http:\S+ --subject &#39;7&#39;$/,
    ],
    [
      'is called as another user, and has no family name',
      { preferred_username: 'clinician', given_name: 'Bob', groups: ['it'] },
      /does not say what/,
    ],
  ])('is refused when somebody new %s', async (_, account, problem) => {
    hospital.accounts.set('7', account);
    const browser = await container.browser();
    const before = container.accounts.listUsers().length;
    const [status, said] = problemOf(await signOn(browser, '7'));
    expect([status, said]).toEqual([403, expect.stringMatching(problem)]);
    expect([await isSignedIn(browser), container.accounts.listUsers().length]).toEqual([false, before]);
  });

  it('reads a command that holds nothing but the subject', async () => {
    const subject = "7'; $(reboot)";
    hospital.accounts.set(subject, { ...ada, preferred_username: 'clinician' });
    const [, said] = problemOf(await signOn(await container.browser(), subject));
    expect(String(said).replaceAll('&#39;', "'")).toMatch(/ --subject '7'\\''; \$\(reboot\)'$/);
  });

  it('takes over a user of the container only where the operator linked them', async () => {
    hospital.accounts.set('8', { ...ada, preferred_username: 'clinician' });
    const identity = { issuer: hospital.issuer, subject: '8' };
    await container.directory.transact((tx) => {
      container.accounts.putUser(tx, { id: 'clinician', role: 'clinician', records: [], identity });
    });
    const browser = await container.browser();
    expect(whereTo(await signOn(browser, '8'))).toEqual(ENTERED);
    expect(container.accounts.userWith(identity)?.id).toBe('clinician');
    // Nobody else is linked to them, and they to nobody else.
    const linkPerson = () =>
      container.directory.transact((tx) => {
        container.accounts.putUser(tx, { id: 'person', role: 'person', records: [], identity });
      });
    await expect(linkPerson()).rejects.toThrow('They are linked to the user clinician already.');
    await container.directory.transact((tx) => container.accounts.removeUser(tx, 'clinician'));
    await linkPerson();
    expect(container.accounts.userWith(identity)?.id).toBe('person');
  });

  it('needs the second factor of their role there', async () => {
    const admin = { ...ada, preferred_username: 'dora', groups: ['it'] };
    // Only the ID token tells of one.
    for (const proof of [{ amr: ['pwd'] }, { besides: { amr: ['mfa'], acr: 'gold' } }]) {
      hospital.accounts.set('9', { ...admin, ...proof });
      expect(problemOf(await signOn(await container.browser(), '9'))).toEqual([
        403,
        'Your role needs a second factor: sign in with the hospital by one.',
      ]);
    }
    for (const proof of [{ amr: ['pwd', 'mfa'] }, { acr: 'gold' }]) {
      hospital.accounts.set('9', { ...admin, ...proof });
      const browser = await container.browser();
      expect(whereTo(await signOn(browser, '9'))).toEqual(ENTERED);
      expect(await isSignedIn(browser)).toBe(true);
    }
  });

  it('proves there, not by a password, who they are before they change how they sign in', async () => {
    const browser = await container.browser();
    await signOn(browser, '1');
    const page = await browser.open('/account/security');
    expect(page.html).toContain('You signed in with your organisation, which keeps your password.');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf, current: '', password: PASSWORD, again: PASSWORD });
    expect(problemOf(await browser.open('/account/security/password', { method: 'POST', body }))).toEqual([
      403,
      'You signed in with your organisation: change your password there.',
    ]);
    const there = '/account/security/second-factor';
    const begin = await browser.submit(await browser.open(there), {}, there);
    expect(begin.html).toContain('Scan this with your authenticator app');

    const { issuer } = hospital;
    const old = { issuer, idToken: '', hasSecondFactor: false, proved: Date.now() - 6 * 60 * 1000 };
    const session = await container.grants.signIn('', 'ada', undefined, old);
    browser.cookies.set('chartgraph-session', session);
    const late = await browser.submit(await browser.open(there), {}, there);
    expect(problemOf(late)).toEqual([403, 'Sign in again first.']);
    const again = await browser.open('/login/organisation?again=1&return_url=%2Faccount%2Fapps');
    const asked = new URL(again.headers.get('Location') ?? '').searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
    expect(whereTo(await signOn(browser, '1', '&again=1'))).toEqual(ENTERED);
    expect((await browser.submit(await browser.open(there), {}, there)).status).toBe(200);
  });

  it('sets up a second factor here without a password', async () => {
    const browser = await container.browser();
    await signOn(browser, '1');
    const there = '/account/security/second-factor';
    const page = await browser.open(there);
    expect(page.html).toContain('With a second factor your organisation alone signs nobody in');
    expect(page.html).not.toContain('type="password"');
    expect((await browser.submit(page, {}, there)).html).toContain('Scan this');
  });

  it('types the code of a second factor that they have here, unless they have one there', async () => {
    hospital.accounts.set('11', { ...ada, preferred_username: 'fay' });
    await signOn(await container.browser(), '11');
    const { secret } = await container.grants.secondFactors.enrol('fay', 'test');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await container.grants.secondFactors.confirm('fay', totp.generate());
    const browser = await container.browser();
    const step = await signOn(browser, '11');
    expect([step.status, step.html.includes('Second factor'), await isSignedIn(browser)]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await browser.submit(step, { code: '000000' }, '/login/code')).status).toBe(403);
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    expect(whereTo(await browser.submit(step, { code }, '/login/code'))).toEqual(ENTERED);
    const out = await browser.submit(await browser.open('/logout'), {}, '/logout');
    expect(endOf(out)).toContain('id_token_hint=');
    hospital.accounts.set('11', { ...ada, preferred_username: 'fay', amr: ['mfa'] });
    expect(whereTo(await signOn(browser, '11'))).toEqual(ENTERED);
  });

  it('signs out there, too', async () => {
    const browser = await container.browser();
    await signOn(browser, '1');
    const out = await browser.submit(await browser.open('/logout'), {}, '/logout');
    const there = endOf(out);
    const at = new PlainBrowser(hospital.issuer);
    const confirm = await at.open(there);
    expect([out.status, await isSignedIn(browser), confirm.status]).toEqual([200, false, 200]);
    const done = await at.submit(confirm, { logout: 'yes' });
    expect(whereTo(done)).toEqual([303, `${container.url}/login?signed_out=1`]);
    expect((await browser.open('/login?signed_out=1')).html).toContain('You are signed out.');
  });

  it('lands on own paths only', async () => {
    const browser = await container.browser();
    const begin = await browser.open('/login/organisation?return_url=https%3A%2F%2Fevil.example%2F');
    hospital.who = '1';
    const page = await browser.open(await hospital.pass(begin.headers.get('Location') ?? ''));
    expect(whereTo(page)).toEqual([303, '/']);
  });
});

describe('an answer that was not asked for', () => {
  let browser: PlainBrowser;
  beforeAll(async () => {
    hospital = await startHospital();
    container = await start();
  });
  afterAll(async () => {
    await container.stop();
    await hospital.stop();
  });
  beforeEach(async () => {
    hospital.accounts.set('1', ada);
    browser = await container.browser();
  });
  afterEach(async () => {
    expect(await isSignedIn(browser)).toBe(false);
  });

  const LATE = 'This sign-in took longer than ten minutes, or began in another browser. Sign in again.';
  const FAILED = 'Signing in with the hospital did not work. Try again.';

  /** Begins with another request than the one that the container made. */
  async function changed(parameter: string, value: string): Promise<string> {
    const begin = await browser.open('/login/organisation');
    const there = new URL(begin.headers.get('Location') ?? '');
    there.searchParams.set(parameter, value);
    hospital.who = '1';
    return hospital.pass(there.href);
  }

  it('is refused in another browser than the one that asked', async () => {
    const victim = await container.browser();
    const back = await begun(browser, '1');
    expect(problemOf(await victim.open(back))).toEqual([403, LATE]);
    expect(await isSignedIn(victim)).toBe(false);
  });

  it('is refused with another state', async () => {
    const back = new URL(await begun(browser, '1'));
    const state = back.searchParams.get('state') ?? '';
    back.searchParams.set('state', `${state.slice(0, -2)}AA`);
    expect(problemOf(await browser.open(back.href))).toEqual([403, LATE]);
    back.searchParams.delete('state');
    expect(problemOf(await browser.open(back.href))).toEqual([403, LATE]);
    back.search = `state=${state}&state=${state}`;
    expect((await browser.open(back.href)).status).toBe(400);
  });

  it.each([
    ['another nonce', 'nonce', 'of somebody else'],
    ['another challenge', 'code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  ])('is refused when its code was made for %s', async (_, parameter, value) => {
    expect(problemOf(await browser.open(await changed(parameter, value)))).toEqual([403, FAILED]);
  });

  it('is refused with the code of somebody else, with an error, and without a code', async () => {
    const other = await container.browser();
    const stolen = new URL(await begun(other, '1')).searchParams.get('code') ?? '';
    const back = new URL(await begun(browser, '1'));
    const own = back.searchParams.get('code') ?? '';
    back.searchParams.set('code', stolen);
    expect(problemOf(await browser.open(back.href))).toEqual([403, FAILED]);
    back.searchParams.delete('code');
    expect(problemOf(await browser.open(back.href))).toEqual([403, FAILED]);
    back.searchParams.set('code', own);
    back.searchParams.set('error', 'access_denied');
    expect(problemOf(await browser.open(back.href))).toEqual([403, FAILED]);
  });

  it('is refused from another issuer (RFC 9207)', async () => {
    const back = new URL(await begun(browser, '1'));
    back.searchParams.set('iss', 'https://other.example');
    expect(problemOf(await browser.open(back.href))).toEqual([403, FAILED]);
    back.searchParams.delete('iss');
    expect(problemOf(await browser.open(back.href))).toEqual([403, FAILED]);
  });
});

describe('tries from one network', () => {
  beforeAll(async () => {
    hospital = await startHospital();
    container = await start();
    hospital.accounts.set('1', ada);
  });
  afterAll(async () => {
    await container.stop();
    await hospital.stop();
  });

  it('are slowed before the provider hears of them, and are not counted for who gets in', async () => {
    const browser = await container.browser();
    for (let each = 0; each < 3; each++)
      expect(whereTo(await signOn(browser, '1', '&again=1'))).toEqual(ENTERED);
    expect(hospital.exchanged).toBe(3);
    const wrong = new URL(await begun(browser, '1', '&again=1'));
    wrong.searchParams.set('code', 'guessed');
    const pages = await Promise.all(Array.from({ length: 60 }, () => browser.open(wrong.href)));
    const statuses = pages.map(({ status }) => status);
    const isBetween = (count: number, least: number) => count >= least && count <= 45;
    expect([...new Set(statuses)].sort()).toEqual([403, 429]);
    expect([hospital.exchanged - 3, isBetween(hospital.exchanged - 3, 41)]).toEqual([
      statuses.filter((status) => status === 403).length,
      true,
    ]);
    const slowed = pages.find(({ status }) => status === 429);
    expect(problemOf(slowed as PlainPage)[1]).toMatch(/^There were too many tries\. Wait \d+ seconds/);
  });

  it('with a state that is missing or of another browser are not in the access log', async () => {
    const count = async (): Promise<number> => {
      const log = await openAccessLog(container.data);
      const found = [];
      for await (const entry of log.read({})) found.push(entry);
      await log.close();
      return found.length;
    };
    const back = await begun(await container.browser(), '1');
    const before = await count();
    for (const path of [back, '/login/organisation/callback'])
      expect((await (await container.browser()).open(path)).status).toBe(403);
    expect(await count()).toBe(before);
  });
});

describe('a container that takes no passwords', () => {
  beforeAll(async () => {
    hospital = await startHospital();
    await hospital.stop();
    const analystSocket = join(tmpdir(), 'no-analysts.sock');
    container = await start({ passwords: false, analystSocket }, { ...mapping, user: 'email' });
    hospital.accounts.set('1', { ...ada, email: 'ada@example.org', email_verified: true });
  });
  afterAll(async () => {
    await container.stop();
    await hospital.stop();
  });

  it('lets who is signed in go on while the provider is away, and tells others until it is back', async () => {
    const AWAY = 'The sign-in of the hospital does not answer. Try again in a few minutes.';
    const first = await container.browser();
    expect(problemOf(await first.open('/login/organisation'))).toEqual([503, AWAY]);
    await hospital.comeBack();
    expect(whereTo(await signOn(first, '1'))).toEqual(ENTERED);
    const second = await container.browser();
    const back = await begun(second, '1');
    await hospital.stop();
    expect(problemOf(await second.open(back))).toEqual([503, AWAY]);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, false]);
    const out = await first.submit(await first.open('/logout'), {}, '/logout');
    expect(await isSignedIn(first)).toBe(false);
    expect([200, 303]).toContain(out.status);
    await hospital.comeBack();
  });

  it('leaves no code, token or secret in the log', () => {
    expect(log).toContain('a request to the identity provider failed');
    expect([CLIENT.secret, 'eyJ', ...codes].filter((secret) => log.includes(secret))).toEqual([]);
  });

  it('names nobody by an address that they did not verify', async () => {
    hospital.accounts.set('2', { ...ada, email: 'boss@example.org', email_verified: false });
    expect((await signOn(await container.browser(), '2')).status).toBe(403);
    expect(container.accounts.user('boss@example.org')).toBeUndefined();
  });

  it('makes a token for queries within five minutes of a sign-in there', async () => {
    const browser = await container.browser();
    const there = '/account/query-tokens';
    const pageAfter = async (proved: number): Promise<PlainPage> => {
      const signOn = { issuer: hospital.issuer, idToken: '', hasSecondFactor: false, proved };
      const session = await container.grants.signIn('', 'analyst', undefined, signOn);
      browser.cookies.set('chartgraph-session', session);
      return browser.open(there);
    };
    const wish = { purpose: 'a cohort', days: '7' };
    const late = await pageAfter(Date.now() - 6 * 60 * 1000);
    expect(late.html).toContain(
      '<a href="/login/organisation?again=1&amp;return_url=%2Faccount%2Fquery-tokens">Sign in again</a>',
    );
    expect(late.html).not.toContain('type="password"');
    expect(problemOf(await browser.submit(late, wish, there))).toEqual([403, 'Sign in again first.']);
    const fresh = await pageAfter(Date.now());
    expect(fresh.html).not.toContain('Sign in again');
    expect((await browser.submit(fresh, wish, there)).html).toMatch(/cga_[\w-]+/);
  });

  it('ends a session that another provider began, and tells its own nothing of it', async () => {
    const browser = await container.browser();
    const enter = async (issuer: string): Promise<void> => {
      const signOn = { issuer, idToken: 'of a session', hasSecondFactor: false, proved: 0 };
      const session = await container.grants.signIn('', 'analyst', undefined, signOn);
      browser.cookies.set('chartgraph-session', session);
    };
    await enter(hospital.issuer);
    expect((await browser.open('/account')).html).toContain('/logout');
    const page = await browser.open('/logout');
    await enter('https://id.example.org');
    expect(whereTo(await browser.open('/logout'))).toEqual([302, '/']);
    const csrf = container.grants.csrfToken(browser.cookies.get('chartgraph-session') ?? '');
    const out = await browser.submit(page, { csrf }, '/logout');
    expect([out.status, endOf(out)]).toEqual([303, '']);
  });

  it('neither asks for them nor takes them, nor a session that began with one', async () => {
    const browser = await container.browser();
    const page = await browser.open('/login');
    expect([page.html.includes('type="password"'), page.html.includes('/login/organisation')]).toEqual([
      false,
      true,
    ]);
    // A form of a page that is signed out has the token of the browser.
    const csrf = container.grants.csrfToken(browser.cookies.get('chartgraph-session') ?? '');
    const body = new URLSearchParams({ csrf, username: 'clinician', password: PASSWORD });
    const answer = await browser.open('/login', { method: 'POST', body });
    expect(problemOf(answer)).toEqual([403, 'Nobody signs in with a password here.']);
    // Nor does a session count that began with one.
    const id = await container.grants.signIn('', 'clinician');
    browser.cookies.set('chartgraph-session', id);
    expect(await isSignedIn(browser)).toBe(false);
  });
});
