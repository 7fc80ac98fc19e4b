import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts, keyOf } from '../../../src/access/accounts/accounts.js';
import { readManifest } from '../../../src/access/accounts/manifest.js';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { seededCopy } from '../../setup/seeded-copy.js';
import { PASSWORD, type FlowContainer } from '../oauth/flow-container.js';
import {
  ask,
  bearer,
  decide,
  exchange,
  PUBLIC_APP,
  RECORD,
  refresh,
  SERVICE,
  startSmart,
  tokenFor,
} from './smart-container.js';

const ALL = 'launch/patient patient/*.rs offline_access';
const isOpen = async (container: FlowContainer, token: string): Promise<boolean> =>
  (await bearer(container, `/records/${RECORD}/problems/`, token)).status === 200;

describe('what an app was given', () => {
  let data = '';
  beforeAll(async () => {
    data = await seededCopy();
  });
  afterAll(() => rm(data, { recursive: true, force: true }));

  it('outlives a restart, and is listed and ended like all tokens', async () => {
    let container = await startSmart({ data });
    const first = await tokenFor(container, ALL);
    await container.stop();
    // What was allowed is bound to the address.
    container = await startSmart({ data, port: Number(new URL(container.url).port) });
    try {
      expect(await isOpen(container, first.access_token)).toBe(true);
      const { body } = await refresh(container, first.refresh_token ?? '');
      expect(await isOpen(container, body.access_token)).toBe(true);
      const { accounts, directory } = container;
      const listed = (await accounts.tokensOf('clinician')).filter(({ app }) => app === PUBLIC_APP.id);
      expect(listed.map(({ record, isRefresh = false }) => [record, isRefresh])).toEqual(
        expect.arrayContaining([
          [RECORD, true],
          [RECORD, false],
        ]),
      );
      const stored = directory.read((tx) => JSON.stringify([...tx.range('tokens'), ...tx.range('smart')]));
      expect(stored).not.toContain(body.access_token);
      expect(stored).not.toContain(body.refresh_token);
      await accounts.revoke(accounts.token(body.access_token)?.id ?? '');
      expect(await isOpen(container, body.access_token)).toBe(false);
      expect((await refresh(container, body.refresh_token ?? '')).status).toBe(400);
    } finally {
      await container.stop();
    }
  });
});

describe('without --smart', () => {
  it('there is no such door, and an app of SMART opens as those of 2014', async () => {
    const container = await startSmart({ smart: false });
    try {
      for (const path of ['/oauth2/authorize', '/fhir/.well-known/smart-configuration'])
        expect([path, (await container.request(path)).status]).toEqual([
          path,
          path.startsWith('/oauth2') ? 404 : 401,
        ]);
      const browser = await container.browser('clinician');
      const launch = `/apps/${encodeURIComponent(PUBLIC_APP.id)}/launch?record_id=${RECORD}`;
      expect((await browser.open(launch)).headers.get('Location')).toMatch(
        /^http:\/\/localhost:8123\/\?record_id=/u,
      );
    } finally {
      await container.stop();
    }
  });
});

describe('below a path', () => {
  it('browsers are sent to the right places', async () => {
    const port = 17_923;
    const container = await startSmart({ port, baseUrl: `http://localhost:${port}/health` });
    try {
      const browser = await container.browser();
      const form = await browser.open('/health/login');
      await browser.submit(form, { username: 'clinician', password: PASSWORD }, '/login');
      const asked = ask(container, ALL);
      const back = await decide(browser, { ...asked, path: `/health${asked.path}` });
      const { body } = await exchange(container, asked, back.searchParams.get('code') ?? '');
      expect(await isOpen(container, body.access_token)).toBe(true);
    } finally {
      await container.stop();
    }
  });
});

describe('requests for tokens that nobody understands', () => {
  let container: FlowContainer;
  beforeAll(async () => {
    container = await startSmart();
  });
  afterAll(() => container.stop());

  const form = 'application/x-www-form-urlencoded';
  it.each([
    ['nothing', '', form],
    ['two of a kind', 'grant_type=refresh_token&grant_type=authorization_code&client_id=x', form],
    ['a broken encoding', 'grant_type=%ff%&client_id=%zz', form],
    ['JSON', '{"grant_type":"refresh_token"}', 'application/json'],
    ['a prototype', '__proto__=1&constructor=2&grant_type=toString&client_id=__proto__', form],
    ['an app that is none', 'grant_type=refresh_token&refresh_token=x&client_id=../x', form],
    ['an implicit grant', `grant_type=implicit&client_id=${encodeURIComponent(PUBLIC_APP.id)}`, form],
  ])('%s', async (_, body, type) => {
    for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect']) {
      const options = { method: 'POST', body, headers: { 'Content-Type': type } };
      const response = await container.request(path, options);
      expect([path, [400, 401].includes(response.status)]).toEqual([path, true]);
      expect(Object.keys((await response.json()) as object)).toContain('error');
    }
  });

  it('too many at once from one person', async () => {
    const browser = await container.browser('clinician');
    const statuses: number[] = [];
    while (statuses.length < 60 && statuses.at(-1) !== 429)
      statuses.push((await browser.open(ask(container, ALL).path)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeGreaterThan(40);
    const other = await container.browser('person');
    expect((await other.open(ask(container, ALL).path)).status).toBe(303);
  });

  it('too long a form', async () => {
    const options = { method: 'POST', body: `code=${'x'.repeat(40_000)}`, headers: { 'Content-Type': form } };
    expect((await container.request('/oauth2/token', options)).status).toBe(413);
  });
});

describe('grants', () => {
  let directory: DataDirectory;
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'chartgraph-grants-'));
    directory = await openDataDirectory(dir, { create: true });
  });
  afterAll(async () => {
    await directory.close();
    await rm(dir, { recursive: true, force: true });
  });

  const opened = async () => {
    const accounts = openAccounts(directory, keyOf(directory));
    await directory.transact((tx) => {
      accounts.putApp(tx, { id: 'app', mode: 'ui' });
      accounts.putUser(tx, { id: 'user', role: 'person', records: ['1'] });
    });
    const { smart } = accounts;
    await smart.put('Grant', 'g', { clientId: 'app', accountId: 'user' }, 60);
    await smart.bind('g', { record: '1' }, 'app', 'everything');
    const row = { clientId: 'app', accountId: 'user', grantId: 'g', scope: 'patient/*.rs' };
    const put = (kind: string, id: string) => smart.put(kind, id, { ...row, kind }, 60);
    return { ...accounts, put };
  };

  it('are used once, however many ask at once', async () => {
    const { smart, put } = await opened();
    expect(await put('AuthorizationCode', 'code')).toBe(true);
    const uses = await Promise.all([1, 2, 3].map(() => smart.consume('AuthorizationCode', 'code')));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(smart.grant('g')).toBeUndefined();
    expect(await put('AccessToken', 'late')).toBe(false);
  });

  it('that ended, or were used up, do not come back from a backup', async () => {
    const accounts = await opened();
    const { put, smart } = accounts;
    for (const [kind, id] of [
      ['AccessToken', 'kept'],
      ['RefreshToken', 'used'],
    ] as const)
      await put(kind, id);
    const file = join(dir, 'backup');
    await writeBackup(directory, file);
    expect(await smart.consume('RefreshToken', 'used')).toBe(true);
    await restoreBackup(directory, file);
    expect(accounts.bearer('kept')).toBeDefined();
    expect(smart.find('RefreshToken', 'used')).toHaveProperty('consumed');
    await smart.endGrant('g');
    await restoreBackup(directory, file);
    expect(accounts.bearer('kept')).toBeUndefined();
    expect(smart.grant('g')).toBeUndefined();
  });

  it('are purged in parts, used codes an hour later, and ids of other forms are not looked up', async () => {
    const { smart, put } = await opened();
    for (let at = 0; at < 120; at++) await smart.put('Interaction', `i${at}`, {}, 60);
    await put('AuthorizationCode', 'code');
    await smart.put('Launch', 'x'.repeat(65), {}, 60);
    expect(smart.find('Launch', 'x'.repeat(65))).toBeUndefined();
    const minutes = (count: number): Promise<void> => smart.purge(Date.now() + count * 60_000);
    const found = (kind: string, id: string): boolean => smart.find(kind, id) !== undefined;
    expect([found('Interaction', 'i119'), found('AuthorizationCode', 'code')]).toEqual([true, true]);
    await minutes(2);
    expect(directory.read((tx) => tx.count('smart'))).toBe(1);
    expect(found('AuthorizationCode', 'code')).toBe(true);
    await minutes(62);
    expect(found('AuthorizationCode', 'code')).toBe(false);
  });

  it('cost no memory for texts that are too long for a token', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const key = keyOf(directory);
    const before = heap();
    for (let at = 0; at < 1000; at++) key.lookup(Buffer.alloc(30_000, `${at} `).toString('latin1'));
    expect(heap() - before).toBeLessThan(10_000_000);
  });

  it.each(['app', 'user', 'record', 'records of the user'])('end with the %s', async (what) => {
    const accounts = await opened();
    const { put, smart } = accounts;
    expect(await put('RefreshToken', 'refresh')).toBe(true);
    expect(await put('AccessToken', 'access')).toBe(true);
    expect(accounts.bearer('access')).toBeDefined();
    expect(accounts.bearer('refresh')).toBeUndefined();
    const { closeRecord } = await import('../../../src/access/accounts/accounts.js');
    await directory.transact((tx) => {
      if (what === 'app') accounts.removeApp(tx, 'app');
      else if (what === 'user') accounts.removeUser(tx, 'user');
      else if (what === 'record') closeRecord(tx, '1');
      else accounts.putUser(tx, { id: 'user', role: 'person', records: [] });
    });
    expect(accounts.bearer('access')).toBeUndefined();
    expect(smart.find('RefreshToken', 'refresh')).toBeUndefined();
    expect(await put('AccessToken', 'late')).toBe(false);
  });
});

describe('manifests', () => {
  it.each([
    [
      { redirect_uris: ['http://app.example.org/'] },
      /redirect_uris has an entry that must be an https address/u,
    ],
    [{ redirect_uris: ['https://app.example.org/#f'] }, /must have no part after a #/u],
    [{ smart_launch_url: 'http://app.example.org/' }, /smart_launch_url must be an https address/u],
    [{ redirect_uris: undefined }, /redirect_uris is missing/u],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, /jwks is missing/u],
    [{ token_endpoint_auth_method: 'tls' }, /must be one of none/u],
    [{ jwks: { keys: [{ kty: 'EC', d: 'x' }] } }, /has a private key/u],
    [{ jwks: [] }, /JSON Web Key Set/u],
  ])('%j is refused', (change, message) => {
    expect(() => readManifest({ ...PUBLIC_APP, ...change })).toThrow(message);
  });

  it('of background apps return nowhere', () => {
    expect(readManifest(SERVICE).id).toBe(SERVICE.id);
    expect(() => readManifest({ ...SERVICE, redirect_uris: ['https://a.example.org/'] })).toThrow(
      /background/u,
    );
  });
});
