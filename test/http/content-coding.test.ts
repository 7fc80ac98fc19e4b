import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseCoding } from '../../src/http/respond/negotiate.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

describe('Accept-Encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip ; q=0.5 , br; q=0.501', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, deflate', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    ['gzip;q=2', 'identity'],
    [';;, ,gzip', 'gzip'],
  ])('%j chooses %s', (field, coding) => {
    expect(chooseCoding(field)).toBe(coding);
  });
});

describe('an answer', () => {
  let container: TestContainer;
  let token: Credentials;
  const list = '/records/1000001/medications/';

  beforeAll(async () => {
    container = await startTestContainer();
    token = await container.token('1000001');
  });
  afterAll(() => container.stop());

  interface Raw {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: Buffer;
  }

  /** A request whose answer nobody decodes. */
  function send(path: string, headers: Record<string, string>, method = 'GET', text = ''): Promise<Raw> {
    const url = container.url + path;
    const Authorization = signRequest({ method, url, ...token });
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers: { ...headers, Authorization } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode = 0, headers: fields } = response;
          resolve({ status: statusCode, headers: fields, body: Buffer.concat(chunks) });
        });
      });
      sent.on('error', reject).end(text);
    });
  }

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('in %s is smaller and the same, with a tag of its own', async (coding, decode) => {
    const plain = await send(list, {});
    for (const round of ['first', 'kept']) {
      const coded = await send(list, { 'Accept-Encoding': coding });
      expect([round, coded.headers['content-encoding']]).toEqual([round, coding]);
      expect(coded.headers['content-type']).toBe('application/rdf+xml');
      expect(coded.headers['content-length']).toBe(String(coded.body.length));
      expect(coded.body.length).toBeLessThan(plain.body.length / 2);
      expect(decode(coded.body)).toEqual(plain.body);
      expect(coded.headers['etag']).not.toBe(plain.headers['etag']);
      expect([coded.headers['vary'], plain.headers['vary']]).toEqual([
        'Accept, Accept-Encoding, Accept-Datetime, Origin',
        'Accept, Accept-Encoding, Accept-Datetime, Origin',
      ]);
    }
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it.each(['br', 'gzip', 'identity'])(
    'in %s has the same fields for HEAD, and is 304 for its tag alone',
    async (coding) => {
      const field = { 'Accept-Encoding': coding };
      const whole = await send(list, field);
      const names = ['etag', 'vary', 'content-type', 'content-encoding', 'content-length', 'cache-control'];
      const head = await send(list, field, 'HEAD');
      expect(names.map((name) => head.headers[name])).toEqual(names.map((name) => whole.headers[name]));
      expect(head.body.length).toBe(0);
      const tag = String(whole.headers['etag']);
      const again = await send(list, { ...field, 'If-None-Match': tag });
      expect([again.status, again.headers['etag'], again.headers['vary']]).toEqual([
        304,
        tag,
        'Accept, Accept-Encoding, Accept-Datetime, Origin',
      ]);
      const other = await send(list, {
        'Accept-Encoding': coding === 'br' ? 'gzip' : 'br',
        'If-None-Match': tag,
      });
      expect(other.status).toBe(200);
    },
  );

  it('that is short goes out as it is', async () => {
    const short = await send('/records/1000001/medications/?limit=1&offset=500', { 'Accept-Encoding': 'br' });
    expect(short.status).toBe(200);
    expect(short.body.length).toBeLessThan(1024);
    expect(short.headers['content-encoding']).toBeUndefined();
    expect(short.body.toString()).toContain('<?xml');
  });

  it('in JSON is coded too; documents, refusals and texts of apps are not', async () => {
    const all = { 'Accept-Encoding': 'br, gzip' };
    expect((await send('/manifest', all)).headers['content-encoding']).toBe('br');
    const scratchpad = `/records/1000001/apps/${token.consumerKey}/scratchpad`;
    const text = 'x'.repeat(5000);
    const kept = await send(scratchpad, { ...all, 'Content-Type': 'text/plain' }, 'PUT', text);
    expect([kept.status, kept.headers['content-encoding'], kept.body.toString()]).toEqual([
      200,
      undefined,
      text,
    ]);
    const refused = await send(`${list}?limit=none`, all);
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, undefined]);
  });

  it('to a POST has the tag that a GET in the same coding has', async () => {
    const note = `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ; sp:resource [ a sp:Resource ;
        sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "${'Slept well. '.repeat(200)}" ] ] ;
        dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
      <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;
    const fields = { 'Accept-Encoding': 'gzip' };
    const notes = '/records/1000001/clinical_notes/';
    const posted = await send(notes, { ...fields, 'Content-Type': 'text/turtle' }, 'POST', note);
    expect(posted.status).toBe(200);
    const path = String(posted.headers['location']).slice(container.url.length);
    const read = await send(path, fields);
    expect([posted.headers['content-encoding'], posted.headers['etag']]).toEqual([
      'gzip',
      read.headers['etag'],
    ]);
    expect(gunzipSync(posted.body)).toEqual(gunzipSync(read.body));
  });
});
