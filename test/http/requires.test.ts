import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppManifest } from '../../src/access/accounts/manifest.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { COPY_APP, startFlowContainer, type FlowContainer } from './oauth/flow-container.js';

const ID = 'narrow@apps.example.org';
const terms = 'http://smartplatforms.org/terms#';
const manifest: AppManifest = {
  id: ID,
  name: 'Narrow',
  description: 'Needs medications, and notes to write them.',
  mode: 'ui',
  index: 'http://localhost:8000/narrow/',
  icon: 'http://localhost:8000/narrow/icon.png',
  requires: { [`${terms}Medication`]: { methods: ['GET'] }, [`${terms}ClinicalNote`]: { methods: ['POST'] } },
};

const ALL: AppManifest = {
  ...manifest,
  id: 'all@apps.example.org',
  name: 'All',
  requires: { [`${terms}Statement`]: { methods: ['GET'] } },
};

let open: FlowContainer;
beforeAll(async () => {
  open = await startFlowContainer({}, [manifest, ALL]);
});
afterAll(() => open.stop());

async function call(container: FlowContainer, path: string, method = 'GET', app = ID): Promise<Response> {
  const { token, secret } = await container.accounts.issueToken({
    app,
    user: 'clinician',
    record: '1000001',
  });
  return container.signed(path, app, {
    method,
    token: { oauth_token: token, oauth_token_secret: secret },
    ...(method === 'GET' ? {} : { form: {} }),
  });
}

describe('an app whose manifest has `requires`', () => {
  it.each([
    [ALL.id, true],
    [ID, false],
  ])('%s sees everything in a record, as who allows it reads: %s', async (app, isAll) => {
    const { oauth_token: token = '' } = await open.requestToken(app, '1000001');
    const page = await (await open.browser('person')).open(open.authorizeUrl(token));
    expect(page.html.includes('<b>See everything in this record</b>')).toBe(isAll);
  });

  it.each([
    ['GET', '/records/1000001/medications/', 200],
    ['GET', '/records/1000001/medications/none', 404],
    ['GET', '/records/1000001/lab_results/', 403],
    // What is kept instead of a medication needs the right to read medications, that instead of a problem another one.
    ['GET', '/records/1000001/unmapped/medications/', 200],
    ['GET', '/records/1000001/unmapped/medications/none', 404],
    ['GET', '/records/1000001/unmapped/problems/', 403],
    ['GET', '/records/1000001/unmapped/allergies/none', 403],
    ['GET', '/records/1000001/demographics', 403],
    // The class is listed, the method is not; and the other way round.
    ['GET', '/records/1000001/clinical_notes/', 403],
    ['POST', '/records/1000001/clinical_notes/', 415],
    ['PUT', `/records/1000001/apps/${ID}/scratchpad`, 200],
    ['GET', `/records/1000001/apps/${ID}/scratchpad`, 200],
    ['GET', `/records/1000001/apps/${COPY_APP}/scratchpad`, 403],
    ['PUT', `/users/clinician/apps/${ID}/preferences`, 200],
    // What anybody may call is not closed to who signs.
    ['GET', '/records/search', 200],
    ['GET', '/manifest', 200],
  ])('%s %s is %i', async (method, path, status) => {
    const response = await call(open, path, method);
    expect(response.status).toBe(status);
    if (status !== 403) return;
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toMatch(/^The app’s manifest does not list GET of [A-Z][\w ]+ under requires; [^.]+\.$/);
  });

  it('is held to its new manifest from the next call on', async () => {
    const primary = openPrimaryStore(open.directory, open.url);
    expect((await call(open, '/records/1000001/problems/')).status).toBe(403);
    const wider = { ...manifest, requires: { [`${terms}Statement`]: {} } };
    await primary.write({ replace: [appGraph(wider, open.url)] });
    expect((await call(open, '/records/1000001/problems/')).status).toBe(200);
    await primary.write({ replace: [appGraph(manifest, open.url)] });
    expect((await call(open, '/records/1000001/problems/')).status).toBe(403);
  });

  it('reads nothing that is kept instead of a class that it does not list', async () => {
    const primary = openPrimaryStore(open.directory, open.url);
    const cg = 'https://chartgraph.example.org/terms#';
    const own = { ...manifest, requires: { [`${cg}UnmappedProblem`]: {}, [`${cg}Unmapped`]: {} } };
    await primary.write({ replace: [appGraph(own, open.url)] });
    const response = await call(open, '/records/1000001/unmapped/problems/');
    await primary.write({ replace: [appGraph(manifest, open.url)] });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('does not list GET of Problem under requires'),
    ]);
  });

  it('is told on the consent page with what it may read, and no more', async () => {
    const { oauth_token: token = '' } = await open.requestToken(ID, '1000001');
    const { html } = await (await open.browser('clinician')).open(open.authorizeUrl(token));
    expect(html).toMatch(
      /able to do<\/h2>\s*<ul[^>]*>(?:\s*<li><b>[^<]*<\/b><\/li>)*\s*<li>See which medicines are and were taken, and how<\/li>\s*<\/ul>/,
    );
    expect(html).not.toMatch(/everything|laboratory/i);
  });

  it('searches people behind a signature only if it says so', async () => {
    const closed = await startFlowContainer({ containerAccess: 'signed' }, [manifest]);
    try {
      expect((await call(closed, '/records/search')).status).toBe(403);
      expect((await call(closed, '/manifest')).status).toBe(200);
      expect((await call(closed, '/records/search', 'GET', COPY_APP)).status).toBe(200);
    } finally {
      await closed.stop();
    }
  });
});

describe('an app without `requires`', () => {
  it('may do what its token allows', async () => {
    for (const path of ['lab_results/', 'demographics', 'clinical_notes/'])
      expect((await call(open, `/records/1000001/${path}`, 'GET', COPY_APP)).status).toBe(200);
  });
});
