import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppManifest } from '../../src/access/accounts/manifest.js';
import { bindTokens } from '../../src/access/accounts/tokens.js';
import { allowedBy } from '../../src/access/oauth/listed-calls.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { answerOf, startFlowContainer, type Answer, type FlowContainer } from './oauth/flow-container.js';

const ID = 'growing@apps.example.org';
const terms = 'http://smartplatforms.org/terms#';
const growing = (...classes: string[]): AppManifest => ({
  id: ID,
  name: 'Growing',
  description: 'Needs more with each release.',
  mode: 'ui',
  index: 'http://localhost:8000/growing/',
  icon: 'http://localhost:8000/growing/icon.png',
  oauth_callback: 'http://localhost:8000/medications/authorized',
  ...(classes.length > 0
    ? { requires: Object.fromEntries(classes.map((name) => [terms + name, { methods: ['GET'] }])) }
    : {}),
});

let container: FlowContainer;
beforeEach(async () => {
  container = await startFlowContainer({ containerAccess: 'signed' }, [growing('Medication')]);
});
afterEach(() => container.stop());

const install = (...classes: string[]): Promise<number> =>
  openPrimaryStore(container.directory, container.url).write({
    replace: [appGraph(growing(...classes), container.url)],
  });

/** Lets the app in as a person does. @returns its token, and whether the person was asked */
async function letIn(before: () => Promise<unknown> = () => Promise.resolve()) {
  const request = await container.requestToken(ID, '1000001');
  const browser = await container.browser('person');
  const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
  const { verifier } = await container.allow(browser, request['oauth_token'] ?? '');
  await before();
  const token = await answerOf(await container.exchange(request, verifier, ID));
  return { token, isAsked: page.status === 200 };
}

async function get(token: Answer, path: string): Promise<{ status: number; detail: string; text: string }> {
  const response = await container.signed(path, ID, { method: 'GET', token });
  const text = await response.text();
  const { detail = '' } = (response.ok ? {} : JSON.parse(text)) as { detail?: string };
  return { status: response.status, detail, text };
}

const MEDICATIONS = '/records/1000001/medications/';
const PROBLEMS = '/records/1000001/problems/';
const anew =
  /^When this token was given, the app’s manifest did not list GET of [A-Z][\w ]+ under requires; have the person allow the app anew\.$/;

describe('a token, when the manifest of its app is widened', () => {
  it.each([
    ['by a class', ['Medication', 'Problem']],
    ['to everything', []],
  ])('%s, opens no more than its user was shown, until they allow the app anew', async (_, wider) => {
    const { token } = await letIn();
    expect((await get(token, PROBLEMS)).detail).toContain('list what the app needs');
    await install(...wider);
    expect((await get(token, MEDICATIONS)).status).toBe(200);
    expect(await get(token, PROBLEMS)).toMatchObject({ status: 403, detail: expect.stringMatching(anew) });
    expect((await get(token, '/records/search')).status).toBe(403);

    const again = await letIn();
    expect(again.isAsked).toBe(true);
    expect((await get(again.token, PROBLEMS)).status).toBe(200);
    // The old one is as narrow as it was.
    expect((await get(token, PROBLEMS)).status).toBe(403);
    // What is asked for no more ends at once, as ever.
    await install('Medication');
    expect((await get(again.token, PROBLEMS)).detail).toContain('list what the app needs');
  });

  it('is told of no changes that its user was not shown', async () => {
    const { token } = await letIn();
    await install('Medication', 'Problem');
    const revision = openPrimaryStore(container.directory, container.url).revision('');
    const store = openPrimaryStore(container.directory, container.url);
    const [problem = ''] = store.names(`${container.url}/records/1000001/problems/`);
    const [medication = ''] = store.names(`${container.url}/records/1000001/medications/`);
    await store.write({ remove: [problem, medication] });
    const changes = `/records/1000001/changes?since=${revision}`;
    const old = await get(token, changes);
    expect(old.text).toContain(medication);
    expect(old.text).not.toContain(problem);
    const { token: newer } = await letIn();
    expect((await get(newer, changes)).text).toContain(problem);
    // What was known with the old token is not the same answer.
    const asked = (from: Answer, headers: Record<string, string>): Promise<Response> =>
      container.request(changes, {
        headers,
        as: {
          consumerKey: ID,
          consumerSecret: container.secrets[ID] ?? '',
          token: from['oauth_token'] ?? '',
          tokenSecret: from['oauth_token_secret'] ?? '',
        },
      });
    const tag = { 'If-None-Match': (await asked(token, {})).headers.get('ETag') ?? '' };
    expect([(await asked(token, tag)).status, (await asked(newer, tag)).status]).toEqual([304, 200]);
  });

  it('between the answer of its user and the exchange, is bound to what they were shown', async () => {
    const { token } = await letIn(() => install('Medication', 'Problem'));
    expect((await get(token, MEDICATIONS)).status).toBe(200);
    expect((await get(token, PROBLEMS)).detail).toMatch(anew);
  });

  it('is not given without a question where the same words stand for more', async () => {
    await letIn();
    expect((await letIn()).isAsked).toBe(false);
    // A class that no person is asked about, since it lies outside of records.
    await install('Medication', 'User');
    expect((await letIn()).isAsked).toBe(true);
  });

  it('opens what other apps keep where the person was told of it, and only then', async () => {
    const SCRATCHPAD = '/records/1000001/apps/other@apps.example.org/scratchpad';
    const SAYS = 'See what other apps keep for themselves with this record';
    const browser = await container.browser('person');
    const shown = async (): Promise<string> => {
      const request = await container.requestToken(ID, '1000001');
      return (await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''))).html;
    };
    expect(await shown()).not.toContain(SAYS);
    const { token } = await letIn();
    expect((await get(token, SCRATCHPAD)).status).toBe(403);
    await install('Medication', 'ScratchpadData');
    expect(await shown()).toContain(SAYS);
    expect((await get(token, SCRATCHPAD)).status).toBe(403);
    const again = await letIn();
    expect(again.isAsked).toBe(true);
    expect((await get(again.token, SCRATCHPAD)).status).toBe(200);
  });

  it.each<[what: string, changed: Partial<AppManifest>]>([
    [
      'needs what no page has words for',
      { requires: { [`${terms}Medication`]: { methods: ['GET'] }, [`${terms}User`]: { methods: ['GET'] } } },
    ],
    ['is of another author', { author: 'Somebody else' }],
    ['says something else of itself', { description: 'Does more.' }],
    ['has another name', { name: 'Grown' }],
    ['has another address to go back to', { oauth_callback: 'http://localhost:8000/other/authorized' }],
  ])('is not given by a page that was shown before the app %s', async (_, changed) => {
    const browser = await container.browser('person');
    const request = await container.requestToken(ID, '1000001');
    const page = await browser.open(container.authorizeUrl(request['oauth_token'] ?? ''));
    await openPrimaryStore(container.directory, container.url).write({
      replace: [appGraph({ ...growing('Medication'), ...changed }, container.url)],
    });
    const anew = await browser.submit(page, { decision: 'allow' });
    expect(anew.status).toBe(200);
    expect(anew.html).toContain('has changed. Read it again');
    expect((await browser.submit(anew, { decision: 'allow' })).status).toBe(302);
  });

  it('of a version that bound it to nothing, is bound to the manifest that is replaced', async () => {
    const issue = async (user?: string): Promise<Answer> => {
      const { token, secret } = await container.accounts.issueToken({
        ...{ app: ID, record: '1000001' },
        ...(user === undefined ? {} : { user }),
      });
      return { oauth_token: token, oauth_token_secret: secret };
    };
    const [given, own] = [await issue('clinician'), await issue()];
    await container.directory.transact((tx) => bindTokens(tx, ID, allowedBy(growing('Medication'))));
    await install('Medication', 'Problem');
    expect((await get(given, MEDICATIONS)).status).toBe(200);
    expect((await get(given, PROBLEMS)).detail).toMatch(anew);
    // Nobody gave this one: the operator who installs the app decides for background apps.
    expect((await get(own, PROBLEMS)).status).toBe(200);
  });
});
