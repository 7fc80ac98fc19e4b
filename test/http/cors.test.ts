import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestContainer, type TestContainer } from './container.js';

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
        // What client libraries of browsers add by themselves.
        'x-requested-with',
      ]),
    );
    expect(answer.headers.get('Access-Control-Max-Age')).toBe('600');
    expect(answer.headers.get('Vary')).toBe('Origin');
  });

  it('a script may read the headers that answers are made of', async () => {
    const answer = await open.request('/manifest', { headers: { Origin: allowed } });
    const shown = (answer.headers.get('Access-Control-Expose-Headers') ?? '').split(', ');
    expect(shown).toEqual(expect.arrayContaining(['ETag', 'Link', 'Location']));
    expect(answer.headers.get('Vary')).toBe('Accept, Accept-Encoding, Origin');
  });

  it('OPTIONS without a preflight lists the methods of the path as ever', async () => {
    const answer = await open.request('/manifest', { method: 'OPTIONS', headers: { Origin: allowed } });
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('nobody is allowed when nobody is listed', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await closed.request('/manifest', {
        method,
        headers: { Origin: allowed, ...preflight },
      });
      const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(cors).toEqual([]);
      expect(answer.headers.get('Vary') ?? '').not.toMatch(/Origin/);
    }
  });
});
