import { packageVersion } from '../../src/cli/package.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { serve, type RunningContainer } from '../../src/main.js';
import { listen } from '../../src/http/server.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { publishContainer } from '../../src/records/container-manifest.js';
import { EmbeddedStore } from '../../src/store/embedded-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { folder, run, runJson } from '../cli/run.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const root = resolve(import.meta.dirname, '..', '..');
const app = 'demo-ui@apps.example.org';
const preferences = `/users/clinician/apps/${app}/preferences`;
const scratchpad = `/records/1000001/apps/${app}/scratchpad`;

/** Every call whose answer may be kept, and two that must never be. */
const reads = [
  '/records/1000001/medications/',
  '/records/1000001/medications/?limit=2',
  '/records/1000001/problems/',
  '/records/1000001/demographics',
  '/records/1000001/clinical_notes/',
  '/records/1000001/documents/',
  '/records/search?family_name=l',
  '/users/search?family_name=n',
  '/users/newcomer',
  '/ontology',
  '/manifest',
  '/apps/manifests/',
  '/apps/side@apps.example.org/manifest',
  preferences,
  scratchpad,
] as const;

let container: TestContainer;
/** Serves the same data under the same base URL and keeps nothing: what it says is so. */
let plain: Omit<RunningContainer, 'accounts' | 'damage'> & { port: number };
let token: Credentials;
const cwd = folder();

beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token('1000001');
  const port = await freePort();
  const running = await serve({
    ...{
      data: container.data,
      store: container.store,
      host: '127.0.0.1',
      port,
      baseUrl: container.url,
      seed: false,
    },
    ...{ ontology: join(root, 'ontology'), queries: join(root, 'queries'), containerAccess: 'open' as const },
    ...{ name: 'Test container', description: 'A container for tests', admin: 'admin@example.org' },
    version: packageVersion(),
    cacheBytes: 0,
    log: pino({ level: 'silent' }),
  });
  plain = { ...running, port };
});
afterAll(async () => {
  await plain.close();
  await container.stop();
});
afterEach(() => vi.restoreAllMocks());

async function freePort(): Promise<number> {
  const { port, stop } = await listen('127.0.0.1', 0);
  await stop();
  return port;
}

interface Shown {
  readonly status: number;
  readonly tag: string | null;
  readonly link: string | null;
  readonly text: string;
}

async function shown(response: Response): Promise<Shown> {
  const { status, headers } = response;
  return { status, tag: headers.get('ETag'), link: headers.get('Link'), text: await response.text() };
}

const uncoded = { 'Accept-Encoding': 'identity' };

const read = async (path: string, as = token): Promise<Shown> =>
  shown(await container.request(path, { as, headers: uncoded }));

async function readPlain(path: string): Promise<Shown> {
  const Authorization = signRequest({ method: 'GET', url: container.url + path, ...token });
  return shown(
    await fetch(`http://127.0.0.1:${plain.port}${path}`, { headers: { ...uncoded, Authorization } }),
  );
}

/** Which of the two hosts was asked is told in a refusal of the signature alone. */
const said = (answer: Shown): Shown => (answer.status === 401 ? { ...answer, text: '' } : answer);

function spies() {
  const methods = ['construct', 'select', 'ask', 'stored'] as const;
  return methods.map((method) => vi.spyOn(EmbeddedStore.prototype, method));
}

const queriesOf = (all: ReturnType<typeof spies>): number =>
  all.reduce((sum, spy) => sum + spy.mock.calls.length, 0);

/** Where commands find what the container serves. */
const place = (): string[] => [
  ...['--data', container.data],
  ...(container.store === undefined ? [] : ['--store', container.store]),
];

const cli = async (...args: string[]): Promise<void> => {
  const options = args[0] === 'user' ? { cwd, stdin: 'a long enough password\n' } : { cwd };
  const { code, stderr } = await run([...args, ...place(), '--base-url', container.url], options);
  expect([code, stderr]).toEqual([0, stderr]);
};

const file = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text);
  return join(cwd, name);
};

const seeded = readFileSync(join(root, 'seed', 'records', '1000001.ttl'), 'utf8');
const manifest = (name: string): string =>
  JSON.stringify({ id: 'side@apps.example.org', name, description: 'An app.', mode: 'background' });

const send = async (method: string, path: string, body?: string): Promise<void> => {
  const headers = {
    'Content-Type': path === preferences || path === scratchpad ? 'text/plain' : 'text/turtle',
  };
  const answer = await container.request(path, {
    method,
    as: token,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBeLessThan(300);
};

const note = `
  @prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ;
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Slept well." ] ] ;
    dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

const change = (...args: string[]): Promise<void> => cli('user', 'change', 'newcomer', ...args);

const medications = ['/records/1000001/medications/', '/records/1000001/medications/?limit=2'];

/** Every way to write, in this order, and what answers otherwise afterwards than before. */
const writes: readonly (readonly [string, () => Promise<void>, readonly string[]])[] = [
  [
    'POST of a note',
    () => send('POST', '/records/1000001/clinical_notes/', note),
    ['/records/1000001/clinical_notes/'],
  ],
  ['PUT of preferences', () => send('PUT', preferences, 'one'), [preferences]],
  ['another PUT of preferences', () => send('PUT', preferences, 'two'), [preferences]],
  ['DELETE of preferences', () => send('DELETE', preferences), [preferences]],
  ['PUT of a scratchpad', () => send('PUT', scratchpad, 'three'), [scratchpad]],
  ['DELETE of a scratchpad', () => send('DELETE', scratchpad), [scratchpad]],
  [
    'app add',
    () => cli('app', 'add', file('app.json', manifest('Side'))),
    ['/apps/manifests/', '/apps/side@apps.example.org/manifest'],
  ],
  [
    'app add with another manifest',
    () => cli('app', 'add', file('app.json', manifest('Aside'))),
    ['/apps/manifests/', '/apps/side@apps.example.org/manifest'],
  ],
  [
    'app remove',
    () => cli('app', 'remove', 'side@apps.example.org'),
    ['/apps/manifests/', '/apps/side@apps.example.org/manifest'],
  ],
  [
    'user add',
    () => cli('user', 'add', 'newcomer', '--given-name', 'New', '--family-name', 'Nobody'),
    ['/users/newcomer', '/users/search?family_name=n'],
  ],
  [
    'user change of a name',
    () => change('--family-name', 'Noone'),
    ['/users/newcomer', '/users/search?family_name=n'],
  ],
  ['user change of the role', () => change('--role', 'clinician'), []],
  [
    'user remove',
    () => cli('user', 'remove', 'newcomer'),
    ['/users/newcomer', '/users/search?family_name=n'],
  ],
  ['load into a record', () => cli('load', file('1000001.ttl', more), '--record', '1000001'), medications],
  [
    'load --replace',
    () => cli('load', file('1000001.ttl', seeded), '--record', '1000001', '--replace'),
    [...medications, '/records/1000001/clinical_notes/'],
  ],
  [
    'load of another record',
    () => cli('load', file('77.ttl', other), '--record', '77'),
    ['/records/search?family_name=l'],
  ],
  ['record remove of another', () => cli('record', 'remove', '77'), ['/records/search?family_name=l']],
  ['a new ontology', () => publish('Another meaning.'), ['/ontology']],
  [
    'record remove',
    () => cli('record', 'remove', '1000001'),
    [...medications, '/records/1000001/demographics'],
  ],
  [
    'restore',
    async () => {
      await cli('restore', join(cwd, 'backup'));
      // The removal of the record has revoked the token, and it stays so: the app asks for another one.
      expect((await read(preferences)).status).toBe(401);
      token = await container.token('1000001');
    },
    [...medications, '/records/1000001/demographics', '/ontology'],
  ],
];

const more = `
  @prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
  [] a sp:MedicalRecord ; sp:hasStatement
    [ a sp:Medication ; sp:drugName [ a sp:CodedValue ; dcterms:title "Something new" ] ; sp:startDate "2020-01-02" ] .`;
const other = `
  @prefix sp: <http://smartplatforms.org/terms#> . @prefix v: <http://www.w3.org/2006/vcard/ns#> .
  @prefix foaf: <http://xmlns.com/foaf/0.1/> .
  [] a sp:MedicalRecord ; sp:hasStatement
    [ a sp:Demographics ; v:n [ a v:Name ; v:given-name "Ada" ; v:family-name "Lovelace" ] ; foaf:gender "female" ;
      v:bday "1970-01-02" ] .`;

/** What a server with another ontology does when it starts on the same data. */
async function publish(comment: string): Promise<void> {
  const { ontology, quads } = await loadOntology(join(root, 'ontology'));
  const [first, ...others] = quads.filter(({ object }) => object.termType === 'Literal');
  if (!first) throw new Error('the ontology says nothing');
  const directory = await openDataDirectory(container.data, { store: container.store });
  try {
    const name = `${container.url}/ontology`;
    const changed = [...others, ...quads.filter(({ object }) => object.termType !== 'Literal')];
    await publishContainer({
      ...{
        primary: openPrimaryStore(directory, container.url),
        ontology,
        base: container.url,
        version: packageVersion(),
      },
      ...{ name: 'Renamed', description: comment, admin: 'admin@example.org', ontologyQuads: changed },
    });
    expect(openPrimaryStore(directory, container.url).has(name)).toBe(true);
  } finally {
    await directory.close();
  }
}

describe('after a write, no kept answer is stale', () => {
  beforeAll(() => cli('backup', join(cwd, 'backup')));

  it.each(writes)('%s', async (_, write, touched) => {
    const before = new Map<string, Shown>();
    for (const path of reads) {
      await read(path);
      before.set(path, await read(path));
    }
    await write();
    for (const path of reads) {
      const after = await read(path);
      expect([path, said(after)]).toEqual([path, said(await readPlain(path))]);
      if (touched.includes(path)) {
        expect([path, after]).not.toEqual([path, before.get(path)]);
        expect(after.status !== 200 || after.tag !== before.get(path)?.tag).toBe(true);
      }
    }
  });
});

describe('a kept answer', () => {
  const list = '/records/1000001/medications/';

  it('needs no query, is the same bytes, and HEAD of it has all its headers', async () => {
    for (const path of reads.filter((each) => ![preferences, scratchpad].includes(each))) {
      const first = await read(path);
      const all = spies();
      expect(await read(path)).toEqual(first);
      const head = await container.request(path, { as: token, method: 'HEAD', headers: uncoded });
      if (first.status === 200) {
        expect([path, queriesOf(all)]).toEqual([path, 0]);
        expect(head.headers.get('Content-Length')).toBe(String(Buffer.byteLength(first.text)));
      }
      expect([head.status, head.headers.get('ETag')]).toEqual([first.status, first.tag]);
      vi.restoreAllMocks();
    }
  });

  it('is not given to who has no access to it, or no longer has', async () => {
    const own = await container.token('1000001');
    expect((await read(list, own)).status).toBe(200);
    const other = await container.token('1000002');
    expect((await read(list, other)).status).toBe(403);
    expect((await container.request(list)).status).toBe(401);
    const tokens = (await runJson(['token', 'list', '--json', ...place()], { cwd })) as {
      token_id: string;
    }[];
    for (const { token_id } of tokens.slice(-2)) await cli('token', 'revoke', token_id);
    expect((await read(list, own)).status).toBe(401);
    expect((await container.request(list, { as: own, headers: { 'If-None-Match': '*' } })).status).toBe(401);
    expect((await read(list)).status).toBe(200);
  });

  it('of one record is not given for another', async () => {
    const second = await container.token('1000002');
    const [one, two] = [await read(list), await read('/records/1000002/medications/', second)];
    expect(two.text).not.toContain('/records/1000001');
    expect(await read(list)).toEqual(one);
    expect(await read('/records/1000002/medications/', second)).toEqual(two);
    expect(one.tag).not.toBe(two.tag);
  });

  it('is another for parameters in another order, whose next page is named otherwise', async () => {
    const first = await read(`${list}?date_from=1900&date_to=2100&limit=1`);
    const turned = await read(`${list}?date_to=2100&date_from=1900&limit=1`);
    expect([first.link, turned.link].every((link) => link !== null)).toBe(true);
    expect(turned.link).not.toBe(first.link);
    expect(turned.tag).not.toBe(first.tag);
  });
});

describe('an answer that is not kept yet', () => {
  const fresh = (path: string, n: number): string => `${path}?date_from=19${10 + n}`;
  const list = '/records/1000001/medications/';

  it('is made once for all who ask at the same time', async () => {
    const all = spies();
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(fresh(list, 0))));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    // A list with a filter is one SELECT, and what is stored of its members.
    expect(queriesOf(all)).toBe(2);
  });

  it('fails for those who waited for it, and for nobody after them', async () => {
    const broken = vi.spyOn(EmbeddedStore.prototype, 'select').mockRejectedValue(new Error('broken'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => read(fresh(list, 1))));
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
    broken.mockRestore();
    expect((await read(fresh(list, 1))).status).toBe(200);
  });

  it('needs no query for HEAD, which is still refused as GET is', async () => {
    const cases = [
      [fresh(list, 2), 200],
      ['/records/1000001/problems/?date_from=1920', 200],
      [`${list}?limit=none`, 400],
      [`${list}?date_from=never`, 400],
      ['/records/search?given_name=zz', 200],
      ['/users/search?given_name=zz', 200],
      ['/users/person', 200],
      ['/apps/demo-frame@apps.example.org/manifest', 200],
    ] as const;
    for (const [path, status] of cases) {
      const all = spies();
      const head = await container.request(path, { as: token, method: 'HEAD', headers: uncoded });
      expect([path, head.status, queriesOf(all)]).toEqual([path, status, 0]);
      vi.restoreAllMocks();
      const whole = await read(path);
      expect([path, whole.status]).toEqual([path, status]);
      if (status === 200) expect([path, head.headers.get('ETag')]).toEqual([path, whole.tag]);
    }
    const missing = await container.request(`${list}none`, { as: token, method: 'HEAD' });
    expect(missing.status).toBe(404);
  });

  it('needs no query for 304, whether its tag or anything at all is asked for', async () => {
    const path = fresh(list, 3);
    const { tag } = await readPlain(path);
    for (const field of [tag ?? '', '*']) {
      const all = spies();
      const answer = await container.request(path, {
        as: token,
        headers: { ...uncoded, 'If-None-Match': field },
      });
      expect([answer.status, queriesOf(all)]).toEqual([304, 0]);
      vi.restoreAllMocks();
    }
  });
});
