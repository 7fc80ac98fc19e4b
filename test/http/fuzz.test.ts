import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { loadFile } from '../../src/records/load-file.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { runs } from '../setup/runs.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const { ontology } = await loadOntology(resolve(import.meta.dirname, '..', '..', 'ontology'));

/** Stands in every literal of a record that nobody who asks has a token for. */
const secret = 'never-to-be-seen';
const mine = '1000001';

let folder: string;
let container: TestContainer;
let token: Credentials;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartgraph-fuzz-'));
  const data = join(folder, 'data');
  // Every request is to be looked at, however many before it were refused.
  container = await startTestContainer({ data, senderBudget: 1000 });
  port = Number(new URL(container.url).port);
  const path = join(folder, 'other.ttl');
  const statements = [...ontology.classes.values()]
    .filter(({ kind, basePath, name }) => kind === 'statement' && basePath && name !== 'Demographics')
    .map(({ iri }) => `[] a <${iri}> ; dcterms:title "${secret}" ; dcterms:date "2001-01-01" .`);
  await writeFile(path, ['@prefix dcterms: <http://purl.org/dc/terms/> .', ...statements].join('\n'));
  const directory = await openDataDirectory(data);
  const primary = openPrimaryStore(directory, container.url);
  expect(await loadFile({ path, recordId: 'other', primary, ontology, base: container.url })).toMatchObject({
    status: 'loaded',
  });
  theirs.push(...primary.names(`${container.url}/records/other/`).map((name) => name.replace(/^.*\//, '')));
  await directory.close();
  token = await container.token(mine);
});
afterAll(async () => {
  await container.stop();
  await rm(folder, { recursive: true });
});

interface Answered {
  /** Status of the first response; 0 when the connection closed without one. */
  readonly status: number;
  readonly text: string;
}

/** Writes bytes to the port and reads until the server closes, or has nothing more to say. */
function exchange(bytes: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    };
    // A request without an end waits for more.
    socket.setTimeout(150, done);
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('close', done);
    // The server may close while we still write.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) done();
      else reject(error);
    });
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}

function request(method: string, target: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  return [
    `${method} ${target} HTTP/1.1`,
    'Host: h',
    'Connection: close',
    ...length,
    ...headers,
    '',
    body,
  ].join('\r\n');
}

function signed(method: string, target: string): string[] {
  try {
    return [`Authorization: ${signRequest({ method, url: container.url + target, ...token })}`];
  } catch {
    return [];
  }
}

function harmless({ status, text }: Answered): void {
  expect(text.slice(0, 300)).not.toMatch(/^HTTP\/1\.1 5/);
  expect(text).not.toContain(secret);
  if (status >= 400) expect(text).not.toMatch(/node_modules|at .*\.js:\d/);
}

const methods = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
);
/** Pieces that mean something to some layer: paths, encodings, SPARQL, RDF/XML, SQL, shells. */
const tokens = fc.constantFrom(
  ...[
    'records',
    'other',
    mine,
    'medications',
    'documents',
    'users',
    'search',
    'apps',
    'manifest',
    'manifests',
  ],
  ...[
    'ontology',
    'health',
    'oauth',
    'photograph',
    'scratchpad',
    'login',
    'problems',
    '..',
    '.',
    '',
    '%2F',
    '%2e%2e',
  ],
  ...[
    '%00',
    '%0d%0a',
    '%',
    '%zz',
    '%C3%28',
    '%22',
    '%27',
    '%3E',
    '%7D',
    '?',
    '#',
    '&',
    '=',
    '+',
    ';',
    '//',
    '\\',
  ],
  ...['> } UNION { ?s ?p ?o } #', '"@en', '^^<x>', '$record', '?x', '__proto__', 'constructor', 'toString'],
  ...[
    '_format',
    'limit',
    'offset',
    'date_from',
    'family_name',
    'oauth_token',
    'rxnorm',
    '-1',
    '1e9',
    '9'.repeat(40),
  ],
);
const word = fc.oneof(
  { weight: 4, arbitrary: tokens },
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const path = fc.array(word, { maxLength: 6 }).map((words) => `/${words.join('/')}`);
const query = fc
  .array(fc.tuple(word, word), { maxLength: 4 })
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );
/** What may stand in a request line; the rest goes percent-encoded, as a client would send it. */
const asTarget = (text: string): string =>
  text.replace(/[^\u0021-\u007e]/gu, (one) => encodeURIComponent(one));
const target = fc.tuple(path, query).map(([before, after]) => asTarget(before + after));
/** Ids of statements of the other record; filled when it is loaded. */
const theirs: string[] = ['x'];
const known: Record<string, fc.Arbitrary<string>> = {
  record_id: fc.constantFrom(mine, mine, mine, 'other'),
  smart_app_id: fc.constantFrom(
    'demo-ui@apps.example.org',
    'demo-ui%40apps.example.org',
    'demo-frame@apps.example.org',
  ),
  user_id: fc.constantFrom('clinician', 'person'),
};
/** The path of a call with something in its places: mostly what exists, an id of the other record, or anything. */
const pathOf = (template: string): fc.Arbitrary<string> => {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const pieces = names.map((name) =>
    fc.oneof(
      { weight: 6, arbitrary: known[name] ?? fc.nat().map((n) => theirs[n % theirs.length] ?? '') },
      { weight: 1, arbitrary: word.map((text) => encodeURIComponent(text.toWellFormed())) },
    ),
  );
  return fc.tuple(...pieces).map((words) => {
    let at = 0;
    return template.replace(/\{[^}]+\}/g, () => words[at++] ?? '');
  });
};
const realPath = fc.constantFrom(...ontology.calls.map((call) => call.path)).chain(pathOf);
/** A call with the method it has. */
const realCall = fc
  .constantFrom(...ontology.calls.map(({ method, path: template }) => ({ method, template })))
  .chain(({ method, template }) => pathOf(template).map((where): [string, string] => [method, where]));
const media = fc.constantFrom(
  'application/rdf+xml',
  'text/turtle',
  'application/json',
  '*/*',
  'text/plain',
  'x',
  '',
);
const bodies = fc.oneof(
  fc.constantFrom(
    '<rdf:RDF',
    '{',
    '[]',
    '@prefix',
    '<a> <b> <c> .',
    '[ '.repeat(5000),
    '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
/** Each property has a share of twenty seconds. */
const within = { numRuns: runs(400), interruptAfterTimeLimit: 4000, markInterruptAsFailure: false };

describe('whatever is sent, nothing breaks and nobody else is shown', () => {
  it('any path and query, signed and unsigned', () =>
    fc.assert(
      fc.asyncProperty(methods, target, fc.boolean(), async (method, where, prove) => {
        harmless(await exchange(request(method, where, prove ? signed(method, where) : [])));
      }),
      within,
    ));

  it('the paths of real calls of a record, signed for it, with any identifiers and parameters', () =>
    fc.assert(
      fc.asyncProperty(methods, realPath, query, async (method, where, parameters) => {
        const whole = asTarget(where + parameters);
        harmless(await exchange(request(method, whole, signed(method, whole))));
      }),
      within,
    ));

  it('any header is answered without a server error', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'Accept',
          'Authorization',
          'If-None-Match',
          'Range',
          'Content-Type',
          'Transfer-Encoding',
          'Cookie',
          'Host',
          'Expect',
          'X',
        ),
        fc.oneof(
          word,
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.constantFrom(
            'OAuth ',
            'OAuth oauth_token="',
            'a;q=x, */*;q=2',
            'W/"',
            'chunked',
            '100-continue',
            'bytes=-',
          ),
        ),
        async (name, value) => {
          const where = `/records/${mine}/problems/`;
          const headers = [...(name === 'Authorization' ? [] : signed('GET', where)), `${name}: ${value}`];
          harmless(await exchange(request('GET', where, headers)));
        },
      ),
      within,
    ));

  it('any body with any media type, to calls that take one and to others', () =>
    fc.assert(
      fc.asyncProperty(realCall, media, bodies, async ([method, where], type, body) => {
        const whole = asTarget(where);
        const headers = [...signed(method, whole), `Content-Type: ${type}`];
        harmless(await exchange(request(method, whole, headers, body)));
      }),
      { ...within, numRuns: runs(800) },
    ));

  it('any bytes at all, and then it still answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (bytes) => {
        harmless(await exchange(`${bytes}\r\n\r\n`));
      }),
      { ...within, interruptAfterTimeLimit: 2000 },
    );
    expect((await container.request('/health/ready')).status).toBe(200);
  });
});
