import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { readManifest } from '../../src/access/accounts/manifest.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { appGraph, appManifestIri } from '../../src/records/app-graph.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const allowed = 'https://app.example.org';
let open: TestContainer;
let closed: TestContainer;

beforeAll(async () => {
  open = await startTestContainer({ corsOrigins: [allowed, 'http://localhost:3000'] });
  closed = await startTestContainer();
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

const BROWSER_APP = 'browser-app@apps.example.org';

/** Works on the data directory of a container as a command does. */
async function withStore(
  { data, store, url }: TestContainer,
  work: (primary: PrimaryStore, accounts: Accounts) => Promise<void>,
): Promise<void> {
  const directory = await openDataDirectory(data, { store });
  try {
    await work(
      openPrimaryStore(directory, url),
      openAccounts(directory, await loadSecretKey(data, process.env)),
    );
  } finally {
    await directory.close();
  }
}

const preflight = {
  'Access-Control-Request-Method': 'PUT',
  'Access-Control-Request-Headers': 'authorization',
};

describe('requests from other origins', () => {
  it.each([
    // Origin, allowed origin in the answer
    [allowed, allowed],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://evil.example.org', null],
    ['https://app.example.org.evil.example', null],
    ['http://app.example.org', null],
    ['https://app.example.org:8443', null],
    ['null', null],
  ])('from %s are told %s', async (origin, told) => {
    for (const path of ['/manifest', '/records/1000001/problems/', '/nothing']) {
      const answer = await open.request(path, { headers: { Origin: origin } });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(told);
      expect(answer.headers.get('Vary')).toMatch(/\bOrigin\b/);
      expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    const before = await open.request('/records/1000001/problems/', {
      method: 'OPTIONS',
      headers: { Origin: origin, ...preflight },
    });
    expect(before.headers.get('Access-Control-Allow-Origin')).toBe(told);
    expect(before.headers.get('Access-Control-Allow-Methods')).toBe(
      told === null ? null : 'GET, HEAD, POST, PUT, DELETE',
    );
  });

  it('a preflight needs no credentials and may ask for what calls need', async () => {
    const answer = await open.request('/records/1000001/apps/x/scratchpad', {
      method: 'OPTIONS',
      headers: { Origin: allowed, ...preflight },
    });
    expect(answer.status).toBe(204);
    const may = (answer.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(', ');
    expect(may).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'if-match',
        'if-none-match',
        'idempotency-key',
        'last-event-id',
        // What client libraries of browsers add by themselves.
        'x-requested-with',
        'x-request-id',
      ]),
    );
    expect(answer.headers.get('Access-Control-Max-Age')).toBe('600');
    expect(answer.headers.get('Vary')).toBe('Origin');
  });

  it('a script may read the headers that answers are made of', async () => {
    const answer = await open.request('/manifest', { headers: { Origin: allowed } });
    const shown = (answer.headers.get('Access-Control-Expose-Headers') ?? '').split(', ');
    expect(shown).toEqual(expect.arrayContaining(['ETag', 'Link', 'Location', 'X-Request-Id']));
    expect(answer.headers.get('Vary')).toBe('Accept, Accept-Encoding, Origin');
  });

  it('OPTIONS without a preflight lists the methods of the path as ever', async () => {
    const answer = await open.request('/manifest', { method: 'OPTIONS', headers: { Origin: allowed } });
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('nobody is allowed when nobody is listed and no app lives there', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await closed.request('/manifest', {
        method,
        headers: { Origin: allowed, ...preflight },
      });
      const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(cors).toEqual([]);
      expect(answer.headers.get('Vary')).toMatch(/\bOrigin\b/);
    }
  });
});

describe('the origin in the manifest of an installed app', () => {
  const problems = '/records/1000001/problems/';
  const foreign = 'https://evil.example.org';
  // Of the demo apps: their index and their oauth_callback.
  const own = 'http://localhost:8000';
  const other = 'https://other.example.org';
  let mine: Credentials;
  let others: Credentials;

  beforeAll(async () => {
    mine = await closed.token('1000001');
    await withStore(closed, async (primary, accounts) => {
      const manifest = {
        id: BROWSER_APP,
        name: 'Browser app',
        description: 'Runs in a browser',
        mode: 'ui' as const,
        scope: 'record' as const,
        index: `${other}/index.html`,
        icon: `${other}/icon.png`,
        oauth_callback: `${other}/back`,
      };
      await primary.write({ replace: [appGraph(readManifest(manifest), closed.url)] }, (tx) => {
        accounts.putApp(tx, { id: BROWSER_APP, mode: 'ui' });
      });
    });
    others = await closed.token('1000001', BROWSER_APP);
  });

  const told = async (origin: string, path: string, as?: Credentials): Promise<[number, string | null]> => {
    const answer = await closed.request(path, { headers: { Origin: origin }, as });
    expect(answer.headers.get('Vary')).toMatch(/\bOrigin\b/);
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    return [answer.status, answer.headers.get('Access-Control-Allow-Origin')];
  };

  it('may read what its app has signed, refusals among it', async () => {
    expect(await told(own, problems, mine)).toEqual([200, own]);
    expect(await told(other, problems, others)).toEqual([200, other]);
    expect(await told(own, '/records/1000002/problems/', mine)).toEqual([403, own]);
    expect(await told(own, `${problems}none`, mine)).toEqual([404, own]);
    const answer = await closed.request(problems, { headers: { Origin: own }, as: mine });
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('ETag');
  });

  it('may not read what another app has signed, nor what nobody has', async () => {
    expect(await told(other, problems, mine)).toEqual([200, null]);
    expect(await told(own, problems, others)).toEqual([200, null]);
    expect(await told(own, '/manifest')).toEqual([200, null]);
    expect(await told(own, '/records/search')).toEqual([200, null]);
    expect(await told(own, '/login')).toEqual([200, null]);
  });

  it('is told that a signature was refused, and no foreign origin is', async () => {
    const wrong = { ...mine, tokenSecret: 'wrong' };
    expect(await told(own, problems, wrong)).toEqual([401, own]);
    expect(await told(own, problems)).toEqual([401, own]);
    expect(await told(foreign, problems, wrong)).toEqual([401, null]);
  });

  it('is none of those that look like it, and of those that nobody named', async () => {
    for (const origin of [
      foreign,
      'null',
      'http://localhost:8001',
      'https://localhost:8000',
      `${own}.evil.example`,
    ])
      expect(await told(origin, problems, mine)).toEqual([200, null]);
  });

  it('is given leave to try by a preflight, and loses it with its app', async () => {
    const ask = (origin: string): Promise<Response> =>
      closed.request(problems, { method: 'OPTIONS', headers: { Origin: origin, ...preflight } });
    const given = await ask(other);
    expect([given.status, given.headers.get('Access-Control-Allow-Origin')]).toEqual([204, other]);
    expect(given.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    expect((await ask(foreign)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    await withStore(closed, async (primary, accounts) => {
      await primary.write({ remove: [appManifestIri(closed.url, BROWSER_APP)] }, (tx) => {
        accounts.removeApp(tx, BROWSER_APP);
      });
    });
    expect((await ask(other)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect((await ask(own)).headers.get('Access-Control-Allow-Origin')).toBe(own);
  });
});
