import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorize, ChartgraphError, createClient } from '../../src/client/client.js';
import { startFlowContainer, UI_APP, type FlowContainer } from '../http/oauth/flow-container.js';

let container: FlowContainer;
beforeAll(async () => (container = await startFlowContainer()));
afterAll(() => container.stop());

it('an app gets its access token in three legs, and makes a client with it', async () => {
  const app = {
    baseUrl: container.url,
    consumerKey: UI_APP,
    consumerSecret: container.secrets[UI_APP] ?? '',
  };
  const dance = authorize(app);
  const request = await dance.requestToken('oob', '1000001');
  expect(dance.authorizeUrl(request)).toBe(container.url + container.authorizeUrl(request.token));
  const { verifier } = await container.allow(await container.browser('clinician'), request.token);
  const { recordId, userId, ...token } = await dance.accessToken(request, verifier);
  expect([recordId, userId]).toEqual(['1000001', 'clinician']);
  const client = createClient({ ...app, ...token });
  const { object } = await client.get_demographics({ record_id: recordId ?? '' });
  expect(object?.n.family_name).toBe('Lindqvale');
  await expect(dance.accessToken(request, verifier)).rejects.toMatchObject({
    kind: 'refused',
    call: 'access_token',
    status: 401,
  });
});

it('a wrong secret is refused, and the error does not repeat it', async () => {
  const dance = authorize({ baseUrl: container.url, consumerKey: UI_APP, consumerSecret: 'S3CRET' });
  const error: unknown = await dance.requestToken('oob').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChartgraphError);
  expect(JSON.stringify(error) + String(error)).not.toContain('S3CRET');
});
