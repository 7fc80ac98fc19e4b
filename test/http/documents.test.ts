import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { api, prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import type { Quad } from '../../src/rdf/terms.js';
import { loadFile } from '../../src/records/load-file.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { runSql } from '../store/postgres/postgres.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const seed = resolve(import.meta.dirname, '..', '..', 'seed');
const letter = await readFile(join(seed, 'documents/1000001/eye-examination-2023.txt'));
const portrait = await readFile(join(seed, 'documents/1000001/portrait.png'));
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** Where the content of a hash is kept. */
const fileOf = (sha256: string): string =>
  join(container.data, 'documents', 'sha256', sha256.slice(0, 2), sha256.slice(2));

/** Puts other bytes, or nothing, in the place of a document, wherever the container keeps it. */
async function damage(sha256: string, bytes: Buffer | undefined): Promise<void> {
  if (bytes === undefined) await rm(fileOf(sha256), { force: true });
  else await writeFile(fileOf(sha256), bytes);
  if (container.store === undefined) return;
  const { port, pathname } = new URL(container.store);
  const ofDocument = `version = (SELECT version FROM chartgraph.documents WHERE sha256 = '${sha256}')`;
  const change =
    bytes === undefined ? 'DELETE FROM chartgraph.chunks' : `UPDATE chartgraph.chunks SET bytes = 'x'`;
  runSql(Number(port), `${change} WHERE ${ofDocument}`, pathname.slice(1));
}

let container: TestContainer;
let token: Credentials;
/** Path of the letter in record 1000001. */
let letterPath: string;

const document = (name: string, type: string, more = ''): string => `[] a sp:Document ;
  dcterms:date "2020-01-0${name.length % 9 || 1}" ; sp:fileName ${JSON.stringify(name)} ; ${more}
  dcterms:format <http://purl.org/NET/mediatypes/${type}> .
<http://purl.org/NET/mediatypes/${type}> a dcterms:MediaTypeOrExtent ; rdfs:label "${type}" .\n`;

beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token('1000001');
  const list = await readRdfXml(await (await get('/records/1000001/documents/')).text());
  letterPath = (subjectsOf(list, 'Document')[0] ?? '').slice(container.url.length);
});
afterAll(() => container.stop());

function get(
  path: string,
  headers: Record<string, string> = {},
  as = token,
  method = 'GET',
): Promise<Response> {
  return container.request(path, { as, headers, method });
}

/** Loads Turtle into a record of the running container, as the command line does. */
async function load(record: string, turtle: string, files: Record<string, string | Buffer> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-documents-'));
  const directory = await openDataDirectory(container.data, { store: container.store });
  try {
    const header = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`);
    const path = join(folder, 'x.ttl');
    await writeFile(path, header.join('') + turtle);
    const documents = join(folder, 'documents');
    await mkdir(documents);
    for (const [name, content] of Object.entries(files)) await writeFile(join(documents, name), content);
    const { ontology } = await loadOntology(resolve(seed, '..', 'ontology'));
    const primary = openPrimaryStore(directory, container.url);
    return await loadFile({ path, recordId: record, primary, ontology, base: container.url, documents });
  } finally {
    await directory.close();
    await rm(folder, { recursive: true });
  }
}

const value = (quads: readonly Quad[], subject: string | undefined, property: string): string | undefined =>
  quads.find((each) => each.subject.value === subject && each.predicate.value === property)?.object.value;

function described(quads: readonly Quad[], iri: string) {
  const resource = value(quads, iri, sp.resource);
  const size = value(quads, iri, sp.fileSize);
  const digest = value(quads, resource, sp.hash);
  const content = value(quads, resource, sp.content);
  return {
    types: [size, resource, digest, content].map((node) =>
      value(quads, node, rdf.type)?.replace(prefixes.sp, ''),
    ),
    size: [value(quads, size, sp.value), value(quads, size, sp.unit)],
    location: value(quads, resource, sp.location),
    hash: [value(quads, digest, sp.algorithm), value(quads, digest, sp.value)],
    content: [value(quads, content, sp.encoding), value(quads, content, sp.value)],
  };
}

describe('one document', () => {
  it('is its file unless another format is asked for', async () => {
    for (const query of ['', '?format=raw']) {
      const response = await get(letterPath + query);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(letter)).toBe(true);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/plain',
        'content-length': String(letter.length),
        'accept-ranges': 'bytes',
        etag: `"${hash(letter)}"`,
        'content-disposition': 'inline; filename="eye-examination-2023.txt"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-cache',
      });
    }
  });

  it('is described by eleven triples more, as metadata', async () => {
    const response = await get(`${letterPath}?format=metadata`);
    expect(response.headers.get('Content-Type')).toBe('application/rdf+xml');
    const quads = await readRdfXml(await response.text());
    expect(described(quads, container.url + letterPath)).toEqual({
      types: ['ValueAndUnit', 'Resource', 'Hash', undefined],
      size: [String(letter.length), 'byte'],
      location: container.url + letterPath,
      hash: ['SHA-256', hash(letter)],
      content: [undefined, undefined],
    });
    expect(quads.filter(({ predicate }) => predicate.value.startsWith(prefixes.cg))).toEqual([]);
  });

  it('has its text in it, as combined, with four triples more', async () => {
    const metadata = await readRdfXml(await (await get(`${letterPath}?format=metadata`)).text());
    const combined = await readRdfXml(await (await get(`${letterPath}?format=combined`)).text());
    expect(combined.length).toBe(metadata.length + 4);
    expect(described(combined, container.url + letterPath).content).toEqual(['UTF-8', letter.toString()]);
  });

  it.each([
    ['metadata', 'gzip'],
    ['combined', null],
  ])('is coded where that costs little: %s', async (form, coding) => {
    const response = await get(`${letterPath}?format=${form}`, { 'Accept-Encoding': 'gzip' });
    expect([response.status, response.headers.get('Content-Encoding')]).toEqual([200, coding]);
  });

  it.each(['xml', '', 'RAW', 'raw&format=raw'])('?format=%s is 400', async (format) => {
    expect((await get(`${letterPath}?format=${format}`)).status).toBe(400);
  });

  it('is 404 when it is not there, in every format', async () => {
    for (const query of ['', '?format=metadata', '?format=combined', '?format=raw']) {
      expect((await get(`/records/1000001/documents/none${query}`)).status).toBe(404);
    }
  });

  it('belongs to its record: a token for another record is refused', async () => {
    expect((await get(letterPath, {}, await container.token('1000002'))).status).toBe(403);
    const other = letterPath.replace('1000001', '1000002');
    expect((await get(other, {}, await container.token('1000002'))).status).toBe(404);
  });

  it('answers HEAD with the length and without the bytes', async () => {
    const response = await get(letterPath, { Range: 'bytes=0-1' }, token, 'HEAD');
    expect([response.status, response.headers.get('Content-Length')]).toEqual([200, String(letter.length)]);
    expect(await response.text()).toBe('');
  });
});

describe('parts of a file', () => {
  const size = letter.length;
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=5-9', 5, 9],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-7', size - 7, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
    ['bytes=3-99999999999999999999', 3, size - 1],
  ])('%s is 206', async (range, start, end) => {
    const response = await get(letterPath, { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('Content-Range')).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get('Content-Length')).toBe(String(end - start + 1));
    expect(Buffer.from(await response.arrayBuffer()).equals(letter.subarray(start, end + 1))).toBe(true);
  });

  it.each([`bytes=${size}-`, 'bytes=99999999999999999999-', 'bytes=-0'])('%s is 416', async (range) => {
    const response = await get(letterPath, { Range: range });
    expect(response.status).toBe(416);
    expect(response.headers.get('Content-Range')).toBe(`bytes */${size}`);
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  });

  it.each(['bytes=5-2', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=-', 'bytes'])(
    '%s asks for nothing that we answer: the whole file',
    async (range) => {
      const response = await get(letterPath, { Range: range });
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, size]);
    },
  );

  it('If-Range with the tag gives the part, with any other the whole', async () => {
    for (const [condition, status] of [
      [`"${hash(letter)}"`, 206],
      [`W/"${hash(letter)}"`, 200],
      ['"other"', 200],
      ['Wed, 21 Oct 2015 07:28:00 GMT', 200],
    ] as const) {
      const response = await get(letterPath, { Range: 'bytes=0-3', 'If-Range': condition });
      expect(response.status).toBe(status);
    }
  });

  it('conditions are answered before parts', async () => {
    const tag = `"${hash(letter)}"`;
    expect((await get(letterPath, { 'If-None-Match': tag, Range: 'bytes=0-3' })).status).toBe(304);
    expect((await get(letterPath, { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await get(letterPath, { 'If-Match': '"other"' })).status).toBe(412);
    expect((await get(letterPath, { 'If-Match': tag })).status).toBe(200);
  });
});

describe('the photograph', () => {
  const path = '/records/1000001/photograph';

  it.each([
    [{}, 'application/rdf+xml'],
    [{ Accept: '*/*' }, 'application/rdf+xml'],
    [{ Accept: 'text/turtle' }, 'text/turtle'],
    [{ Accept: 'image/*' }, 'image/png'],
    [{ Accept: 'image/png' }, 'image/png'],
    [{ Accept: 'image/png, application/rdf+xml;q=0.5' }, 'image/png'],
    [{ Accept: 'image/png;q=0.5, application/rdf+xml' }, 'application/rdf+xml'],
    [{ Accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }, 'image/png'],
  ])('with %j is %s', async (headers, type) => {
    const response = await get(path, headers as Record<string, string>);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
    expect(response.headers.get('Vary')).toMatch(/^Accept\b/);
    if (type === 'image/png') {
      expect(Buffer.from(await response.arrayBuffer()).equals(portrait)).toBe(true);
    }
  });

  it('is 406 as another image', async () => {
    expect((await get(path, { Accept: 'image/jpeg' })).status).toBe(406);
    expect((await get(path, { Accept: 'text/html' })).status).toBe(406);
  });

  it('is described with the image in Base64 by default, and the image itself as raw', async () => {
    const quads = await readRdfXml(await (await get(path)).text());
    expect(described(quads, container.url + path).content).toEqual(['Base64', portrait.toString('base64')]);
    const raw = await get(`${path}?format=raw`);
    expect(Buffer.from(await raw.arrayBuffer()).equals(portrait)).toBe(true);
    const metadata = await readRdfXml(await (await get(`${path}?format=metadata`)).text());
    expect(described(metadata, container.url + path).content).toEqual([undefined, undefined]);
  });

  it('is an empty graph where there is none, and 404 as an image', async () => {
    const other = await container.token('1000002');
    const at = '/records/1000002/photograph';
    for (const [target, accept] of [
      [at, '*/*'],
      [at, 'image/*, application/rdf+xml;q=0.1'],
      [`${at}?format=metadata`, 'application/rdf+xml'],
    ] as const) {
      const response = await get(target, { Accept: accept }, other);
      expect([target, accept, response.status]).toEqual([target, accept, 200]);
      expect(await readRdfXml(await response.text())).toEqual([]);
    }
    expect((await get(at, { Accept: 'image/*' }, other)).status).toBe(404);
    expect((await get(`${at}?format=raw`, {}, other)).status).toBe(404);
  });
});

describe('the list of documents', () => {
  let own: Credentials;
  const files = {
    'a.txt': 'text with ünïcode',
    'b.txt': Buffer.from([0xff, 0xfe, 0x00]),
    'c.txt': 'a control \u0001 that XML cannot carry',
    'd.bin': Buffer.from([0, 1, 2, 3]),
  };

  beforeAll(async () => {
    const text = Object.keys(files)
      .map((name) => document(name, 'text/plain'))
      .join('');
    const report = await load('docs', `${text}${document('none.pdf', 'application/pdf')}`, files);
    expect(report.status).toBe('loaded');
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('There is no file "none.pdf"'),
    ]);
    own = await container.token('docs');
  });

  async function list(query = '') {
    const response = await get(`/records/docs/documents/${query}`, {}, own);
    expect(response.status).toBe(200);
    const quads = await readRdfXml(await response.text());
    const names = new Map(
      subjectsOf(quads, 'Document').map((iri) => [value(quads, iri, sp.fileName) ?? '', iri]),
    );
    return { quads, names };
  }

  it('describes each, those without a file as they are stored', async () => {
    const { quads, names } = await list();
    expect([...names.keys()].sort()).toEqual([...Object.keys(files), 'none.pdf'].sort());
    for (const [name, content] of Object.entries(files)) {
      expect(described(quads, names.get(name) ?? '').hash[1]).toBe(hash(Buffer.from(content)));
    }
    expect(described(quads, names.get('none.pdf') ?? '').types).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('holds contents when combined: text as text where it can be, else Base64', async () => {
    const { quads, names } = await list('?format=combined');
    const contents = Object.keys(files).map((name) => described(quads, names.get(name) ?? '').content);
    expect(contents).toEqual([
      ['UTF-8', files['a.txt']],
      ['Base64', files['b.txt'].toString('base64')],
      ['Base64', Buffer.from(files['c.txt']).toString('base64')],
      ['Base64', files['d.bin'].toString('base64')],
    ]);
  });

  it('has no raw form', async () => {
    expect((await get('/records/docs/documents/?format=raw', {}, own)).status).toBe(400);
  });

  it('comes in pages with a summary, whose links keep the format', async () => {
    const response = await get('/records/docs/documents/?limit=2&format=combined', {}, own);
    const quads = await readRdfXml(await response.text());
    expect(subjectsOf(quads, 'Document')).toHaveLength(2);
    expect(quads.filter(({ object }) => object.value === api.ResponseSummary)).toHaveLength(1);
    expect(response.headers.get('Link')).toContain('format=combined&limit=2&offset=2');
  });

  it('a document without a file has metadata and no bytes', async () => {
    const { names } = await list();
    const path = (names.get('none.pdf') ?? '').slice(container.url.length);
    const raw = await get(path, {}, own);
    expect(raw.status).toBe(404);
    expect(((await raw.json()) as { detail: string }).detail).toMatch(/has no file of it/);
    expect((await get(`${path}?format=metadata`, {}, own)).status).toBe(200);
    expect((await get(`${path}?format=combined`, {}, own)).status).toBe(200);
  });
});

describe('a file whose record says odd things', () => {
  it.each([
    ['text/html', 'text/html'],
    ['TEXT/Weird+x', 'TEXT/Weird+x'],
    ['no-media-type', 'application/octet-stream'],
    ['text/html\\r\\nX-Injected: 1', 'application/octet-stream'],
  ])('with the type %s is sent as %s', async (label, type) => {
    const turtle = `[] a sp:Document ; dcterms:date "2020" ; sp:fileName "x.bin" ; dcterms:format <urn:format> .
      <urn:format> a dcterms:MediaTypeOrExtent ; rdfs:label "${label}" .`;
    const record = `odd${hash(Buffer.from(label)).slice(0, 8)}`;
    await load(record, turtle, { 'x.bin': '<script>alert(1)</script>' });
    const own = await container.token(record);
    const quads = await readRdfXml(await (await get(`/records/${record}/documents/`, {}, own)).text());
    const [iri = ''] = subjectsOf(quads, 'Document');
    const response = await get(iri.slice(container.url.length), {}, own);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
    expect(response.headers.get('X-Injected')).toBeNull();
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('shows the file, and not the resource that was stored beside it', async () => {
    const turtle = document(
      'own.txt',
      'text/plain',
      'sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "stored" ] ] ;',
    );
    await load('stored', turtle, { 'own.txt': 'from the file' });
    const own = await container.token('stored');
    const quads = await readRdfXml(
      await (await get('/records/stored/documents/?format=combined', {}, own)).text(),
    );
    const [iri = ''] = subjectsOf(quads, 'Document');
    expect(described(quads, iri).content).toEqual(['UTF-8', 'from the file']);
    expect(subjectsOf(quads, 'Resource')).toHaveLength(1);
  });

  it('a hash that stands in the input opens no file of another record', async () => {
    const turtle = document(
      'mine.txt',
      'text/plain',
      `cg:sha256 "${hash(letter)}" ; cg:byteSize ${letter.length} ;`,
    );
    await load('thief', turtle);
    const own = await container.token('thief');
    const quads = await readRdfXml(await (await get('/records/thief/documents/', {}, own)).text());
    const [iri = ''] = subjectsOf(quads, 'Document');
    expect((await get(iri.slice(container.url.length), {}, own)).status).toBe(404);
  });
});

it('a file of many megabytes is sent whole and in parts, and not when it is damaged', async () => {
  const bytes = Buffer.alloc(17 * 1024 * 1024, 'large file ');
  await load('large', document('x.bin', 'text/plain'), { 'x.bin': bytes });
  const own = await container.token('large');
  const quads = await readRdfXml(await (await get('/records/large/documents/', {}, own)).text());
  const path = (subjectsOf(quads, 'Document')[0] ?? '').slice(container.url.length);
  const whole = await get(path, {}, own);
  expect(whole.headers.get('Content-Length')).toBe(String(bytes.length));
  expect(hash(Buffer.from(await whole.arrayBuffer()))).toBe(hash(bytes));
  const part = await get(path, { Range: 'bytes=16777000-16778000' }, own);
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(16777000, 16778001))).toBe(true);
  const head = await get(path, {}, own, 'HEAD');
  expect(head.headers.get('Content-Length')).toBe(String(bytes.length));
  bytes[bytes.length - 1] = 0;
  await damage(whole.headers.get('ETag')?.slice(1, -1) ?? '', bytes);
  expect((await get(path, { Range: 'bytes=0-1' }, own)).status).toBe(500);
});

describe('damage', () => {
  it.each(['altered', 'missing'])(
    'a file that is %s is 500 with its own problem, never wrong bytes',
    async (how) => {
      const bytes = `to be ${how}`;
      await load(how, document('x.txt', 'text/plain'), { 'x.txt': bytes });
      const own = await container.token(how);
      const quads = await readRdfXml(await (await get(`/records/${how}/documents/`, {}, own)).text());
      const path = (subjectsOf(quads, 'Document')[0] ?? '').slice(container.url.length);
      await damage(
        hash(Buffer.from(bytes)),
        how === 'missing' ? undefined : Buffer.from(bytes.toUpperCase()),
      );
      for (const [query, headers] of [
        ['', {}],
        ['', { Range: 'bytes=0-1' }],
        ['?format=combined', {}],
      ] as [string, Record<string, string>][]) {
        const response = await get(path + query, headers, own);
        const problem = (await response.json()) as { type: string; status: number };
        expect([response.status, problem.type.split('#')[1]]).toEqual([500, 'damaged-document']);
        expect(response.headers.get('ETag')).toBeNull();
      }
      expect((await get(`${path}?format=metadata`, {}, own)).status).toBe(200);
    },
  );
});

it('a container that starts again sweeps files that nothing refers to, and none that it needs', async () => {
  const data = await mkdtemp(join(tmpdir(), 'chartgraph-sweep-'));
  await (await startTestContainer({ data })).stop();
  const directory = await openDataDirectory(data);
  const files = openDocumentStore(directory);
  const orphan = await files.put([Buffer.from('an orphan')]);
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
  for (const { sha256 } of await files.list()) await utimes(files.path(sha256), yesterday, yesterday);
  await directory.close();
  const again = await startTestContainer({ data });
  expect(files.has(orphan.sha256)).toBe(false);
  const own = await again.token('1000001');
  expect((await again.request('/records/1000001/photograph?format=raw', { as: own })).status).toBe(200);
  await again.stop();
  await rm(data, { recursive: true });
});
