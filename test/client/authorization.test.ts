import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ChartgraphError,
  completeAccess,
  createClient,
  forEachRecord,
  requestAccess,
} from '../../src/client/client.js';
import {
  BACKGROUND_APP,
  startFlowContainer,
  UI_APP,
  type FlowContainer,
} from '../http/oauth/flow-container.js';

let container: FlowContainer;
beforeAll(async () => (container = await startFlowContainer()));
afterAll(() => container.stop());

const appOf = (consumerKey: string) => ({
  baseUrl: container.url,
  consumerKey,
  consumerSecret: container.secrets[consumerKey] ?? '',
});

it('an app gets its access token in three legs, and makes a client with it', async () => {
  const app = appOf(UI_APP);
  const request = await requestAccess(app, { recordId: '1000001' });
  expect(request.url).toBe(container.url + container.authorizeUrl(request.token));
  const { token, verifier } = await container.allow(await container.browser('clinician'), request.token);
  const back = `/medications/authorized?oauth_token=${token}&oauth_verifier=${verifier}`;
  const { recordId, userId, ...access } = await completeAccess(app, request, back);
  expect([recordId, userId]).toEqual(['1000001', 'clinician']);
  const client = createClient({ ...app, ...access });
  const { object } = await client.get_demographics({ record_id: recordId ?? '' });
  expect(object?.n.family_name).toBe('Lindqvale');
  await expect(completeAccess(app, request, { code: verifier })).rejects.toMatchObject({
    kind: 'refused',
    call: 'access_token',
    status: 401,
  });
});

it('an app hears that a person said no, and takes no answer to another request', async () => {
  const app = appOf(UI_APP);
  const request = { token: 'a', tokenSecret: 'b' };
  await expect(
    completeAccess(app, request, 'http://localhost/back?oauth_token=a&oauth_problem=permission_denied'),
  ).rejects.toThrow('access_token: the person did not allow it.');
  await expect(completeAccess(app, request, '?oauth_token=a#oauth_verifier=c')).rejects.toThrow(
    'without a verifier',
  );
  for (const other of ['?oauth_token=other&oauth_verifier=c', '', '/back'])
    await expect(completeAccess(app, request, other)).rejects.toThrow('for another request');
});

it('a wrong secret is refused, and the error does not repeat it', async () => {
  const app = { baseUrl: container.url, consumerKey: UI_APP, consumerSecret: 'S3CRET' };
  const error: unknown = await requestAccess(app).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChartgraphError);
  expect(JSON.stringify(error) + String(error)).not.toContain('S3CRET');
});

it('a background app walks all records, each with a token of its own, and ends when it is told to', async () => {
  const app = appOf(BACKGROUND_APP);
  const walked: string[] = [];
  const count = await forEachRecord(app, async ({ recordId, ...access }) => {
    const { objects } = await createClient({ ...app, ...access }).get_problems({ record_id: recordId });
    walked.push(`${recordId} ${objects.length > 0}`);
  });
  expect(walked).toEqual(Array.from({ length: 10 }, (_, index) => `${1000001 + index} true`));
  expect(count).toBe(10);
  const controller = new AbortController();
  const seen: string[] = [];
  const ended = forEachRecord(
    app,
    ({ recordId }) => {
      seen.push(recordId);
      controller.abort(new Error('enough'));
    },
    { signal: controller.signal },
  );
  await expect(ended).rejects.toThrow('enough');
  expect(seen).toEqual(['1000001']);
});

it('an app that is for people walks no records', async () => {
  await expect(forEachRecord(appOf(UI_APP), () => undefined)).rejects.toMatchObject({
    call: 'forEachRecord',
    kind: 'refused',
  });
});
