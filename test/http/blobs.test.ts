import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { runs } from '../setup/runs.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const APP = 'demo-ui@apps.example.org';
const OTHER_APP = 'demo-frame@apps.example.org';
const scratchpad = `/records/1000001/apps/${APP}/scratchpad`;
const preferences = `/users/clinician/apps/${APP}/preferences`;

let container: TestContainer;
let own: Credentials;
let other: Credentials;

beforeAll(async () => {
  container = await startTestContainer();
  own = await container.token('1000001');
  other = await container.token('1000001', OTHER_APP);
});
afterAll(() => container.stop());

const get = (path: string, headers: Record<string, string> = {}, as = own): Promise<Response> =>
  container.request(path, { as, headers });
const remove = (path: string, headers: Record<string, string> = {}, as = own): Promise<Response> =>
  container.request(path, { method: 'DELETE', as, headers });
const put = (
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  as = own,
): Promise<Response> => container.request(path, { method: 'PUT', as, headers, body });

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const tagOf = (response: Response): string => response.headers.get('ETag') ?? '';

describe.each([
  ['the scratchpad of a record', scratchpad],
  ['the preferences of a user', preferences],
])('%s', (_, path) => {
  it('is an empty text when nothing is stored', async () => {
    await remove(path);
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  it('comes back as it was stored, with its media type, from PUT and from GET', async () => {
    const stored = await put(path, '{"colour":"grün"}', { 'Content-Type': 'Application/JSON' });
    const read = await get(path);
    for (const response of [stored, read]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(response.headers.get('Content-Security-Policy')).toBe("sandbox; default-src 'none'");
      expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
      expect(await response.text()).toBe('{"colour":"grün"}');
    }
    expect(tagOf(stored)).toBe(tagOf(read));
    expect(tagOf(read)).toMatch(/^"[^"]+"$/);
  });

  it('can be an empty text that is stored', async () => {
    expect((await put(path, '', { 'Content-Type': 'text/csv' })).status).toBe(200);
    expect((await get(path)).headers.get('Content-Type')).toBe('text/csv');
    expect((await put(path, 'x', { 'If-None-Match': '*' })).status).toBe(412);
  });

  it('is removed by DELETE, which succeeds again', async () => {
    await put(path, 'something');
    for (let i = 0; i < 2; i++) {
      const response = await remove(path);
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
    expect(await (await get(path)).text()).toBe('');
  });

  it('answers 304 to the tag that it gave, until it changes', async () => {
    const tag = tagOf(await put(path, 'one'));
    expect((await get(path, { 'If-None-Match': tag })).status).toBe(304);
    expect((await get(path, { 'If-None-Match': `"x", W/${tag}` })).status).toBe(304);
    await put(path, 'two');
    expect((await get(path, { 'If-None-Match': tag })).status).toBe(200);
  });

  it('answers HEAD without the text', async () => {
    await put(path, 'seven b');
    const response = await container.request(path, { method: 'HEAD', as: own });
    expect([response.status, response.headers.get('Content-Length')]).toEqual([200, '7']);
  });
});

describe('conditions on writing', () => {
  it.each([
    ['If-Match with the current tag', (tag: string) => ({ 'If-Match': tag }), 200],
    [
      'If-Match with several tags, the current among them',
      (tag: string) => ({ 'If-Match': `"x", ${tag}` }),
      200,
    ],
    ['If-Match with * on something', () => ({ 'If-Match': '*' }), 200],
    ['If-Match with a stale tag', () => ({ 'If-Match': '"stale"' }), 412],
    ['If-Match with the current tag made weak', (tag: string) => ({ 'If-Match': `W/${tag}` }), 412],
    ['If-Match with a tag without quotation marks', (tag: string) => ({ 'If-Match': tag.slice(1, -1) }), 412],
    ['If-None-Match with * on something', () => ({ 'If-None-Match': '*' }), 412],
    ['If-None-Match with the current tag', (tag: string) => ({ 'If-None-Match': tag }), 412],
    ['If-None-Match with another tag', () => ({ 'If-None-Match': '"another"' }), 200],
  ] as const)('%s is answered %3$i', async (_, headers, status) => {
    const tag = tagOf(await put(scratchpad, 'before'));
    expect((await put(scratchpad, 'after', headers(tag))).status).toBe(status);
    expect(await (await get(scratchpad)).text()).toBe(status === 200 ? 'after' : 'before');
    const now = tagOf(await put(scratchpad, 'before'));
    expect((await remove(scratchpad, headers(now))).status).toBe(status);
    expect(await (await get(scratchpad)).text()).toBe(status === 200 ? '' : 'before');
  });

  it('the tag of nothing can be written on, and * tells something from nothing', async () => {
    await remove(scratchpad);
    const nothing = tagOf(await get(scratchpad));
    expect((await put(scratchpad, 'x', { 'If-Match': '*' })).status).toBe(412);
    expect((await put(scratchpad, 'first', { 'If-Match': nothing })).status).toBe(200);
    expect((await put(scratchpad, 'second', { 'If-Match': nothing })).status).toBe(412);
    await remove(scratchpad);
    expect((await put(scratchpad, 'new', { 'If-None-Match': '*' })).status).toBe(200);
  });

  it('of fifty writers who each add a line with If-Match, none is lost', async () => {
    await put(scratchpad, '');
    const writer = async (name: string): Promise<void> => {
      for (;;) {
        const read = await get(scratchpad);
        const text = await read.text();
        const written = await put(scratchpad, `${text}${name}\n`, { 'If-Match': tagOf(read) });
        if (written.status === 200) return;
        expect(written.status).toBe(412);
      }
    };
    const names = Array.from({ length: 50 }, (_, number) => `writer ${number}`);
    await Promise.all(names.map(writer));
    const lines = (await (await get(scratchpad)).text()).trimEnd().split('\n');
    expect(lines.sort()).toEqual([...names].sort());
  });

  it('without conditions, what PUT answers is one of the texts that were sent', async () => {
    const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`);
    const answers = await Promise.all(texts.map(async (text) => (await put(scratchpad, text)).text()));
    for (const answer of answers) expect(texts).toContain(answer);
    expect(answers).toContain(await (await get(scratchpad)).text());
  });
});

describe('what can be stored', () => {
  it.each([
    ['noncharacters', '\ufffe\uffff\u{1ffff}\ufdd0'],
    ['control characters', '\u0001\u0007\u000b\u001b\u007f\u0085'],
    ['line ends of every kind', 'a\rb\nc\r\nd\u2028e\u2029'],
    ['a byte order mark', '\ufefftext\ufeff'],
    [
      'what looks like N-Triples, XML and SPARQL',
      '"^^<x> . <a> <b> </records/1> "\\u0041" ]]> &amp; ?x } $record',
    ],
    ['the IRI of the container', 'http://localhost:7000/records/1'],
    ['combining characters that are not normalised', 'e\u0301 \u00e9 \u212b'],
    ['every plane', '\u{10ffff}\u{1f4a9}\ud7ff\ue000'],
    ['nothing but blanks', '  \t \n '],
  ])('%s', async (_, text) => {
    expect((await bytesOf(await put(scratchpad, text))).equals(Buffer.from(text))).toBe(true);
    expect((await bytesOf(await get(scratchpad))).equals(Buffer.from(text))).toBe(true);
  });

  it('is any Unicode text, byte for byte', async () => {
    const character = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('\r', '\u0001', '\ufffe', '\\', '"', '<', '\u2028'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(character, { maxLength: 60 }), async (characters) => {
        const text = characters.join('').replaceAll('\0', '').toWellFormed();
        expect((await bytesOf(await put(scratchpad, text))).equals(Buffer.from(text))).toBe(true);
        expect((await bytesOf(await get(scratchpad))).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  it('is the form without the signature that it carries', async () => {
    const contentType = 'application/x-www-form-urlencoded';
    const url = container.url + scratchpad;
    const field = signRequest({ method: 'PUT', url, body: 'a=1&b=oauth_x', contentType, ...own });
    const proof = Array.from(
      field.matchAll(/(oauth_\w+)="([^"]*)"/gu),
      ([, name, value]) => `${name}=${value}`,
    );
    const body = ['a=1', ...proof, 'b=oauth_x'].join('&');
    const stored = await fetch(url, { method: 'PUT', headers: { 'Content-Type': contentType }, body });
    expect(stored.status).toBe(200);
    expect(await (await get(scratchpad)).text()).toBe('a=1&b=oauth_x');
  });

  it('is a form of up to 20,000 parameters, which are sorted to be proved', async () => {
    const contentType = 'application/x-www-form-urlencoded';
    const putForm = (body: string): Promise<Response> => {
      const url = container.url + scratchpad;
      const Authorization = signRequest({ method: 'PUT', url, body, contentType, ...own });
      return fetch(url, { method: 'PUT', headers: { Authorization, 'Content-Type': contentType }, body });
    };
    const most = Array.from({ length: 20_000 }, () => 'a').join('&');
    expect((await putForm(most)).status).toBe(200);
    const tooMany = await putForm(`${most}&a`);
    expect(tooMany.status).toBe(413);
    expect(await tooMany.text()).toContain('A form holds at most 20000 parameters');
    expect(await (await get(scratchpad)).text()).toBe(most);
  });

  it('is text of up to a megabyte', async () => {
    const text = 'ü'.repeat(512 * 1024);
    expect((await bytesOf(await put(scratchpad, text))).length).toBe(1024 * 1024);
    const tooMuch = await put(scratchpad, `${text}.`);
    expect(tooMuch.status).toBe(413);
    expect((await bytesOf(await get(scratchpad))).length).toBe(1024 * 1024);
  });

  it.each([
    ['NUL', Buffer.from('a\0b')],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff])],
    ['a cut character', Buffer.from([0xe2, 0x82])],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
  ])('is not %s', async (_, bytes) => {
    await put(scratchpad, 'before');
    expect((await put(scratchpad, bytes)).status).toBe(400);
    expect(await (await get(scratchpad)).text()).toBe('before');
  });

  it.each([
    ['text/html', 'text/html', 200],
    ['TEXT/Plain; Charset="UTF-8"; boundary=x', 'text/plain; charset=utf-8', 200],
    ['application/vnd.example+json;version=1', 'application/vnd.example+json', 200],
    ['text/plain; charset=us-ascii', 'text/plain; charset=utf-8', 200],
    ['text/plain; charset=iso-8859-1', undefined, 415],
    ['text', undefined, 415],
    ['text/plain, text/html', undefined, 415],
    ['text/<script>', undefined, 415],
  ])('under the media type %s is kept as %s', async (type, kept, status) => {
    const response = await put(scratchpad, 'x', { 'Content-Type': type });
    expect(response.status).toBe(status);
    if (kept !== undefined) expect((await get(scratchpad)).headers.get('Content-Type')).toBe(kept);
  });

  it('bytes without a media type are plain text', async () => {
    await put(scratchpad, Buffer.from('x'));
    expect((await get(scratchpad)).headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  });
});

describe('whose blob it is', () => {
  it.each([
    ['another app reads the scratchpad of the record', 'GET', scratchpad, (): Credentials => other, 200],
    ['another app does not write it', 'PUT', scratchpad, (): Credentials => other, 403],
    ['another app does not remove it', 'DELETE', scratchpad, (): Credentials => other, 403],
    ['another app does not read preferences', 'GET', preferences, (): Credentials => other, 403],
    ['nobody reads without a signature', 'GET', scratchpad, (): Credentials | undefined => undefined, 401],
    [
      'an app reads the scratchpad of an app that is not installed: empty',
      'GET',
      '/records/1000001/apps/none/scratchpad',
      (): Credentials => own,
      200,
    ],
    [
      'another record is closed',
      'PUT',
      `/records/1000002/apps/${APP}/scratchpad`,
      (): Credentials => own,
      403,
    ],
    ['another user is closed', 'PUT', `/users/person/apps/${APP}/preferences`, (): Credentials => own, 403],
  ] as const)('%s', async (_, method, path, as, status) => {
    const body = method === 'PUT' ? { body: 'intruder' } : {};
    expect((await container.request(path, { method, as: as(), ...body })).status).toBe(status);
  });

  it('a record that is not there has no scratchpad', async () => {
    const nowhere = await container.token('9999999');
    const path = `/records/9999999/apps/${APP}/scratchpad`;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: 'x' } : {};
      expect((await container.request(path, { method, as: nowhere, ...body })).status).toBe(404);
    }
  });
});
