import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isomorphic } from 'rdf-isomorphic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../src/cli/package.js';
import { makeExamples } from '../../src/authoring/examples/examples.js';
import { sampleOf } from '../../src/authoring/examples/sample.js';
import type { CallExample, Examples } from '../../src/authoring/examples/example.js';
import { factsOf } from '../../src/model/ontology/answer-forms.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { SEED, shippedModel } from '../authoring/shipped-model.js';
import { startTestContainer, type TestContainer } from './container.js';
import { codeIn, partsOf, unescaped } from './site.js';

const LARGEST_PAGE = 300 * 1024;
const root = resolve(import.meta.dirname, '../..');
const model = await shippedModel();
const { ontology } = model;

let container: TestContainer;
let pages: Map<string, string>;

beforeAll(async () => {
  container = await startTestContainer();
  pages = await crawl(container, '/docs');
});
afterAll(() => container.stop());

/** Every page that can be reached from one, by its path. */
async function crawl(from: TestContainer, start: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const response = await from.request(path);
    expect([path, response.status]).toEqual([path, 200]);
    const page = await response.text();
    found.set(path, page);
    for (const link of partsOf(page).links) {
      const [target = ''] = link.split('#');
      if (target.startsWith('/docs')) waiting.push(target);
    }
  }
  return found;
}

describe('the documentation that a container serves', () => {
  it('has a page for each call, class and code set, all reached from the first', () => {
    for (const { name } of ontology.calls) expect(pages.has(`/docs/calls/${name}`)).toBe(true);
    const others = [
      '/docs',
      '/docs/calls',
      '/docs/classes',
      '/docs/codes',
      '/docs/properties',
      '/docs/mappings',
    ];
    expect(pages.size).toBe(others.length + ontology.calls.length + ontology.classes.size);
  });

  it('has no dead link and no dead anchor, and leaves the container nowhere', async () => {
    const outside = new Set<string>();
    for (const [path, page] of pages) {
      const { links, ids, anchors } = partsOf(page);
      expect([path, ids.length]).toEqual([path, anchors.size]);
      for (const link of links) {
        const [target = '', anchor] = link.split('#');
        if (target !== '' && !target.startsWith('/docs')) outside.add(target);
        if (anchor === undefined) continue;
        const there = target === '' ? anchors : partsOf(pages.get(target) ?? '').anchors;
        expect([path, link, there.has(anchor)]).toEqual([path, link, true]);
      }
    }
    for (const target of outside)
      expect([target, (await container.request(target)).status]).toEqual([target, 200]);
    expect([...outside].sort()).toEqual(
      expect.arrayContaining(['/', '/manifest', '/ontology', '/openapi.json']),
    );
  });

  it('has pages that load quickly, nothing from elsewhere, and no script', () => {
    for (const [path, page] of pages) {
      expect([path, page.length < LARGEST_PAGE]).toEqual([path, true]);
      expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(| on\w+=|javascript:/i);
    }
  });

  it('is protected as the other pages are, and may be kept for a while', async () => {
    const { headers } = await container.request('/docs');
    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    const again = await container.request('/docs', {
      headers: { 'If-None-Match': headers.get('ETag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it.each(['/docs/', '/docs/calls/', '/docs/calls/get_medications/'])(
    'answers %s with its slash',
    async (path) => {
      expect((await container.request(path)).status).toBe(200);
    },
  );

  it.each(['/docs/calls/get_nothing', '/docs/classes/..%2f..%2fetc', '/docs/x'])(
    'has no page at %s',
    async (path) => {
      expect((await container.request(path)).status).toBe(404);
    },
  );

  it('is sent compressed to those who can read it so', async () => {
    const gzip = await container.request('/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(gzip.headers.get('Content-Encoding')).toBe('gzip');
    expect(gzip.headers.get('Vary')).toBe('Accept, Accept-Encoding, Origin');
    const plain = await container.request('/openapi.json', { headers: { 'Accept-Encoding': 'identity' } });
    expect(await gzip.json()).toEqual(await plain.json());
    expect(gzip.headers.get('ETag')).not.toBe(plain.headers.get('ETag'));
  });

  it('is led to from the start page', async () => {
    expect(await (await container.request('/')).text()).toContain('href="/docs"');
  });
});

describe('the examples of the documentation', () => {
  let examples: Examples;
  beforeAll(async () => {
    examples = await makeExamples({
      ...model,
      base: container.url,
      seed: SEED,
      container: {
        name: 'Test container',
        description: 'A container for tests',
        admin: 'admin@example.org',
        version: packageVersion(),
      },
    });
  });

  // What services answer is made of what has happened, and the seed says nothing of that.
  const calls = ontology.calls
    .filter((call) => factsOf(call).service === undefined)
    .map(({ name, method, answer }) => ({ name, method, answer }));

  it('has one for every call that no service answers', () => {
    expect([...examples.calls.keys()].sort()).toEqual(calls.map(({ name }) => name).sort());
  });

  async function send(example: CallExample, accept?: string): Promise<Response> {
    const { request } = example;
    const headers: Record<string, string> = {};
    if (accept !== undefined) headers['Accept'] = accept;
    if (request.body) headers['Content-Type'] = request.body.mediaType;
    return container.request(request.target, {
      method: request.call.method,
      as: await container.token(request.record, request.app, request.user),
      headers,
      ...(request.body ? { body: request.body.text } : {}),
    });
  }

  it.each(calls.filter(({ method, answer }) => method === 'GET' && answer !== 'blob'))(
    'shows for $name what the container answers, to the letter',
    async ({ name }) => {
      const example = examples.calls.get(name) as CallExample;
      for (const { mediaType, text, linesOmitted, charactersOmitted } of example.samples) {
        const response = await send(example, mediaType);
        expect([response.status, response.headers.get('Content-Type')]).toEqual([200, mediaType]);
        const body = await response.text();
        const whole = mediaType === 'application/json' ? JSON.stringify(JSON.parse(body), null, 2) : body;
        // Lines that are too long to be read are cut in both.
        expect(sampleOf(mediaType, whole)).toEqual({ mediaType, text, linesOmitted, charactersOmitted });
        for (const [header, value] of example.headers) expect(response.headers.get(header)).toBe(value);
        expect(pages.get(`/docs/calls/${name}`)).toBeDefined();
        expect(codeIn(pages.get(`/docs/calls/${name}`) ?? '')).toContain(text);
      }
    },
  );

  it.each([
    'put_scratchpad_data',
    'get_scratchpad_data',
    'delete_scratchpad_data',
    'put_user_preferences',
    'get_user_preferences',
    'delete_user_preferences',
  ])('shows for %s what the container answers when the calls are made in their order', async (name) => {
    const example = examples.calls.get(name) as CallExample;
    const response = await send(example);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(example.samples[0]?.text ?? '');
  });

  it('shows a note that can be posted as it stands, and what is stored then but for its name', async () => {
    const example = examples.calls.get('post_clinical_note') as CallExample;
    const response = await send(example);
    expect(response.status).toBe(200);
    const location = response.headers.get('Location') ?? '';
    const [[, shownLocation] = ['', '']] = example.headers;
    const read = (text: string) => parseRdf(Buffer.from(text), { format: 'rdfxml', baseIRI: container.url });
    const stored = await read((await response.text()).replaceAll(location, shownLocation));
    expect(isomorphic(stored, await read(example.samples[0]?.text ?? ''))).toBe(true);
  });

  it.each(['get_medications', 'put_scratchpad_data', 'search_users', 'post_clinical_note'])(
    'shows a shell that sends %s',
    async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'chartgraph-docs-'));
      try {
        const page = pages.get(`/docs/calls/${name}`) ?? '';
        const [shell = ''] = codeIn(/<div id="shell">.*?<\/pre>/s.exec(page)?.[0] ?? '');
        const [body] = codeIn(/<div id="body">.*?<\/pre>/s.exec(page)?.[0] ?? '');
        if (body !== undefined) await writeFile(join(folder, 'body.rdf'), body);
        const program = `"${process.execPath}" "${join(root, 'dist/cli/chartgraph.js')}"`;
        const script = shell
          .replaceAll('npx chartgraph', program)
          .replace('curl', `curl -s -w '\\n%{http_code}'`);
        const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], {
          cwd: folder,
          env: {
            ...process.env,
            CHARTGRAPH_DATA: container.data,
            ...(container.store !== undefined && { CHARTGRAPH_STORE: container.store }),
          },
        });
        expect(stdout.split('\n').at(-1)).toBe('200');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    120_000,
  );

  it('never shows anything of what a container was filled with, be it by its own seed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chartgraph-docs-'));
    const shipped = await readFile(join(SEED, 'records/1000001.ttl'), 'utf8');
    const [, name = ''] = /v:family-name\s+"([^"]+)"/.exec(shipped) ?? [];
    await mkdir(join(folder, 'records'));
    await writeFile(join(folder, 'records/1000001.ttl'), shipped.replaceAll(name, 'Somebody-Real'));
    const own = await startTestContainer({ seed: folder });
    try {
      const found = await (await own.request('/records/search')).text();
      expect(found).toContain('Somebody-Real');
      for (const path of ['/docs/calls/get_demographics', '/openapi.json']) {
        const text = unescaped(await (await own.request(path)).text());
        expect([path, text.includes(name), text.includes('Somebody-Real')]).toEqual([path, true, false]);
      }
    } finally {
      await own.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('/ontology for people', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const java = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

  it.each([
    [undefined, 'application/rdf+xml'],
    ['*/*', 'application/rdf+xml'],
    ['application/rdf+xml, text/html', 'application/rdf+xml'],
    ['application/rdf+xml, text/html;q=0.9', 'application/rdf+xml'],
    ['text/html;q=0.5, */*', 'application/rdf+xml'],
    ['text/turtle, text/html;q=0.4', 'text/turtle'],
    ['text/*', 'text/turtle'],
    [java, 'application/rdf+xml'],
    ['text/html, image/gif, image/jpeg, */*; q=0.2', 'application/rdf+xml'],
    ['text/html', 'text/html; charset=utf-8'],
    [browser, 'text/html; charset=utf-8'],
    ['text/html, application/rdf+xml;q=0.9', 'text/html; charset=utf-8'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const response = await container.request(
      '/ontology',
      accept === undefined ? {} : { headers: { Accept: accept } },
    );
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
    expect(response.headers.get('Vary')).toMatch(/\bAccept\b/);
    const text = await response.text();
    expect(text.startsWith('<!doctype html>')).toBe(type.startsWith('text/html'));
  });

  it('is the page of the classes, and says so', async () => {
    const response = await container.request('/ontology', { headers: { Accept: browser } });
    expect(response.headers.get('Content-Location')).toBe(`${container.url}/docs/classes`);
    expect(await response.text()).toBe(pages.get('/docs/classes'));
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  it('is RDF for whoever names a serialisation, refused for other images, and no page of other calls', async () => {
    const get = (path: string, accept: string) => container.request(path, { headers: { Accept: accept } });
    const turtle = await get('/ontology?_format=turtle', browser);
    expect(turtle.headers.get('Content-Type')).toBe('text/turtle');
    expect((await get('/ontology', 'image/png')).status).toBe(406);
    expect((await get('/users/clinician', 'text/html')).status).toBe(406);
  });

  it('asks for a signature where RDF does', async () => {
    const signed = await startTestContainer({ containerAccess: 'signed' });
    try {
      const headers = { Accept: browser };
      expect((await signed.request('/ontology', { headers })).status).toBe(401);
      const as = await signed.token('1000001');
      const response = await signed.request('/ontology', { as, headers });
      expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache']);
    } finally {
      await signed.stop();
    }
  });
});

describe('/context.jsonld', () => {
  it('gives the names of every JSON-LD answer the meaning that the answer itself gives them', async () => {
    const response = await container.request('/context.jsonld');
    expect(response.headers.get('Content-Type')).toBe('application/ld+json');
    const whole = ((await response.json()) as { '@context': Record<string, unknown> })['@context'];
    const as = await container.token('1000001');
    for (const path of ['medications/', 'demographics', 'lab_results/', 'vital_sign_sets/']) {
      const answer = await container.request(`/records/1000001/${path}`, {
        as,
        headers: { Accept: 'application/ld+json' },
      });
      const own = ((await answer.json()) as { '@context': Record<string, unknown> })['@context'];
      expect(Object.keys(own).length).toBeGreaterThan(3);
      for (const [name, definition] of Object.entries(own))
        expect([name, whole[name]]).toEqual([name, definition]);
    }
  });
});
