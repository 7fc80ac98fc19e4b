import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowContainer } from '../oauth/flow-container.js';
import {
  ask,
  assertion,
  bearer,
  decide,
  exchange,
  OTHER_RECORD,
  post,
  PUBLIC_APP,
  RECORD,
  refresh,
  SECRET_APP,
  service,
  startSmart,
  tokenFor,
} from './smart-container.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startSmart();
});
afterAll(() => container.stop());

const statuses = (token: string, paths: readonly string[]): Promise<number[]> =>
  Promise.all(paths.map(async (path) => (await bearer(container, path, token)).status));

const giveToPerson = (records: readonly string[]): Promise<void> =>
  container.directory.transact((tx) => {
    container.accounts.putUser(tx, { id: 'person', role: 'person', records });
  });

describe('what scopes open', () => {
  const paths = [
    '/fhir/Observation?_count=1',
    '/fhir/Condition?_count=1',
    `/fhir/Patient/${RECORD}`,
    `/records/${RECORD}/lab_results/`,
    `/records/${RECORD}/problems/`,
  ];
  it.each([
    ['patient/*.rs', [200, 200, 200, 200, 200]],
    ['patient/*.read', [200, 200, 200, 200, 200]],
    ['patient/Observation.rs', [200, 403, 403, 200, 403]],
    ['patient/Condition.rs patient/Patient.rs', [403, 200, 200, 403, 200]],
    ['launch/patient user/Observation.rs', [200, 403, 403, 200, 403]],
    ['launch/patient openid', [403, 403, 403, 403, 403]],
    ['patient/*.rs patient/*.cud system/*.rs', [200, 200, 200, 200, 200]],
  ])('%s', async (scope, expected) => {
    const { access_token: token, scope: given } = await tokenFor(container, scope);
    expect(given).not.toMatch(/cud|system/);
    expect(await statuses(token, paths)).toEqual(expected);
  });

  it('of single types make the calls whose classes go out as these alone', async () => {
    const { access_token: token } = await tokenFor(
      container,
      'patient/MedicationRequest.rs patient/Encounter.rs patient/Binary.rs patient/DocumentReference.rs',
    );
    const under = ['encounters/', 'documents/', 'medications/', 'changes', 'problems/', 'demographics'];
    const paths = under.map((each) => `/records/${RECORD}/${each}`);
    expect(await statuses(token, paths)).toEqual([200, 200, 403, 403, 403, 403]);
    const refused = await bearer(container, `/records/${RECORD}/medications/`, token);
    expect(await refused.text()).toContain('scopes for MedicationRequest and MedicationStatement');
  });

  it('a stream of changes by user/*.rs ends when the record is taken from the user', async () => {
    const { access_token: token } = await tokenFor(container, 'user/*.rs', {
      user: 'person',
      record: undefined,
    });
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
    const { body } = await container.request(`/records/${RECORD}/changes`, { headers });
    const told = body?.getReader();
    await told?.read();
    await giveToPerson(['1000004']);
    expect(await told?.read()).toEqual({ done: true, value: undefined });
    await giveToPerson([RECORD, '1000004']);
  });

  it('user/*.rs opens what the user may open, until it is taken from them', async () => {
    const { access_token: token, patient } = await tokenFor(container, 'user/*.rs', {
      user: 'person',
      record: undefined,
    });
    expect(patient).toBeUndefined();
    const own = [
      `/fhir/Observation?patient=${RECORD}`,
      `/fhir/Patient/${RECORD}`,
      `/records/${RECORD}/problems/`,
    ];
    expect(await statuses(token, own)).toEqual([200, 200, 200]);
    const others = [
      '/fhir/Observation',
      `/fhir/Observation?patient=${OTHER_RECORD}`,
      `/fhir/Patient/${OTHER_RECORD}`,
      `/records/${OTHER_RECORD}/problems/`,
      `/fhir/Observation?patient=${RECORD},${OTHER_RECORD}`,
      '/fhir/Patient/nobody',
    ];
    expect(await statuses(token, others)).toEqual([400, 403, 403, 403, 400, 403]);
    const found = await bearer(container, `/fhir/Observation?patient=${RECORD}&_count=1`, token);
    const { entry } = (await found.json()) as { entry: [{ resource: { id: string } }] };
    expect(await statuses(token, [`/fhir/Observation/${entry[0].resource.id}`])).toEqual([200]);
    const { html } = await (await container.browser('person')).open('/account/apps');
    expect(html).toContain('Opens every record that you may open');
    await giveToPerson(['1000004']);
    expect(await statuses(token, own)).toEqual([403, 403, 403]);
    await giveToPerson([RECORD, '1000004']);
  });

  it('a code gives nothing once the record is closed to the user', async () => {
    const asked = ask(container, 'launch/patient patient/*.rs');
    const back = await decide(await container.browser('person'), asked);
    await giveToPerson(['1000004']);
    const { body } = await exchange(container, asked, back.searchParams.get('code') ?? '');
    expect(body['error']).toBe('invalid_grant');
    await giveToPerson([RECORD, '1000004']);
  });
});

describe('once a clinician may not open the record any more', () => {
  let related: FlowContainer;
  beforeAll(async () => {
    related = await startSmart({ clinicians: 'related' });
  });
  afterAll(() => related.stop());

  const give = (records: readonly string[]): Promise<void> =>
    related.directory.transact((tx) => {
      related.accounts.putUser(tx, { id: 'clinician', role: 'clinician', records });
    });
  const ways = {
    'it was taken from them': [() => give([RECORD]), () => give([])],
    'an emergency is over': [
      () => related.accounts.openInEmergency('clinician', RECORD, 'why'),
      () => related.directory.transact((tx) => related.accounts.endEmergencies(tx, 'clinician', [RECORD])),
    ],
  } as const;

  it('a server that asks about the token hears that it is of no use', async () => {
    await give([]);
    await related.accounts.openInEmergency('clinician', RECORD, 'why');
    const asked = ask(related, 'launch/patient patient/*.rs', { client_id: SECRET_APP.id });
    const code = (await decide(await related.browser('clinician'), asked)).searchParams.get('code') ?? '';
    const secret = { client_id: SECRET_APP.id, client_secret: related.secrets[SECRET_APP.id] ?? '' };
    const { body } = await post(related, '/oauth2/token', {
      ...{ ...secret, grant_type: 'authorization_code', code },
      ...{ redirect_uri: asked.returnTo, code_verifier: asked.verifier },
    });
    const isActive = async () =>
      (await post(related, '/oauth2/introspect', { ...secret, token: body.access_token })).body['active'];
    expect(await isActive()).toBe(true);
    await related.directory.transact((tx) => related.accounts.endEmergencies(tx, 'clinician', [RECORD]));
    expect(await isActive()).toBe(false);
  });

  it.each(
    Object.entries(ways).flatMap(([why, [begin, end]]) =>
      ['launch/patient patient/*.rs', 'user/*.rs'].map((scope) => ({ why, scope, begin, end })),
    ),
  )('since $why, $scope opens nothing of it', async ({ scope, begin, end }) => {
    await begin();
    const paths = [`/fhir/Observation?patient=${RECORD}`, `/records/${RECORD}/problems/`];
    const opens = (token: string) =>
      Promise.all(paths.map(async (path) => (await bearer(related, path, token)).status));
    const given = await tokenFor(related, `${scope} offline_access`);
    expect(await opens(given.access_token)).toEqual([200, 200]);
    await end();
    for (const status of await opens(given.access_token)) expect([401, 403]).toContain(status);
    const again = await refresh(related, given.refresh_token ?? '');
    // A token for all records of its user lives on, without this one.
    if (scope === 'user/*.rs') expect(await opens(again.body.access_token)).toEqual([403, 403]);
    else expect(again.body['error']).toBe('invalid_grant');
  });
});

describe('a service', () => {
  it('reads what its scopes cover, of a patient that it names', async () => {
    const { status, body } = await service(container, 'system/Observation.rs');
    expect([status, body['expires_in'], body.refresh_token]).toEqual([200, 300, undefined]);
    const paths = [
      `/fhir/Observation?patient=${RECORD}`,
      `/fhir/Observation?patient=${OTHER_RECORD}`,
      `/fhir/Condition?patient=${RECORD}`,
    ];
    expect(await statuses(body.access_token, paths)).toEqual([200, 200, 403]);
    const unknown = ['/fhir/Observation?patient=nobody', '/fhir/Observation/nothing', '/fhir/Observation'];
    expect(await statuses(body.access_token, unknown)).toEqual([404, 404, 400]);
  });

  it.each([
    ['scopes of people', 'patient/*.rs user/*.rs', {}],
    ['no scope', '', {}],
  ])('asks in vain for %s', async (_, scope) => {
    expect((await service(container, scope)).body['error']).toBe('invalid_scope');
  });

  it.each([
    ['for somebody else', { aud: 'https://elsewhere.example.org/' }],
    ['that lasts too long', { exp: Math.floor(Date.now() / 1000) + 3600 }],
    ['that is over', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['of another app', { iss: PUBLIC_APP.id, sub: PUBLIC_APP.id }],
    ['without an id', { jti: undefined }],
  ])('asks in vain with a proof %s', async (_, claims) => {
    const { status, body } = await service(container, 'system/*.rs', assertion(container, claims));
    expect([400, 401]).toContain(status);
    expect(body.access_token).toBeUndefined();
  });

  it('asks in vain with another key, and with a proof that was used', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const forged = await service(container, 'system/*.rs', assertion(container, {}, privateKey));
    expect(forged.body['error']).toBe('invalid_client');
    const proof = assertion(container);
    const answers = await Promise.all([1, 2, 3].map(() => service(container, 'system/*.rs', proof)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a launch from the record', () => {
  const started = async (user: string, record = RECORD): Promise<URL> => {
    const browser = await container.browser(user);
    const answer = await browser.open(
      `/apps/${encodeURIComponent(PUBLIC_APP.id)}/launch?record_id=${record}`,
    );
    return new URL(answer.headers.get('Location') ?? '');
  };

  it('says which record it is, to the person who began it', async () => {
    const to = await started('clinician', OTHER_RECORD);
    expect([to.origin + to.pathname, to.searchParams.get('iss')]).toEqual([
      'http://localhost:8123/launch',
      `${container.url}/fhir`,
    ]);
    const launch = to.searchParams.get('launch') ?? '';
    const token = await tokenFor(container, 'launch patient/*.rs', { change: { launch }, record: undefined });
    expect(token.patient).toBe(OTHER_RECORD);
  });

  it.each([
    ['another person', 'person', {}],
    ['another app', 'clinician', { client_id: 'lab@smart.example.org' }],
    ['a made-up launch', 'clinician', { launch: 'made-up' }],
  ])('is nothing for %s', async (_, user, change) => {
    const launch = (await started('clinician')).searchParams.get('launch') ?? '';
    const browser = await container.browser(user);
    const first = await browser.open(ask(container, 'launch patient/*.rs', { launch, ...change }).path);
    expect((await browser.open(first.headers.get('Location') ?? '')).status).toBe(410);
  });
});
