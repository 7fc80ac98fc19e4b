import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/disk/data-directory.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { header, protocol, sendRaw, type Pair, type RawResponse } from './oauth/raw-request.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const notes = '/records/1000001/clinical_notes/';
const FORM = 'application/x-www-form-urlencoded';
const namespaces = ['rdf', 'rdfs', 'dcterms', 'sp'] as const;

/** Adds a record that holds nothing. */
async function declareRecord({ data, url }: TestContainer, id: string): Promise<void> {
  const directory = await openDataDirectory(data);
  const name = `${url}/records/${id}`;
  const quads = [quad(namedNode(name), namedNode(rdf.type), namedNode(sp.MedicalRecord))];
  await openPrimaryStore(directory, url).write({ replace: [{ name, quads }] });
  await directory.close();
}

/** A note in RDF/XML; what is percent-encoded, ends with a semicolon or begins with an ampersand means more in a form. */
function note(text = 'Slept well.'): string {
  const xmlns = namespaces.map((prefix) => `xmlns:${prefix}="${prefixes[prefix]}"`).join(' ');
  return `<?xml version="1.0"?>
<rdf:RDF ${xmlns}>
  <sp:ClinicalNote>
    <dcterms:title>Visit</dcterms:title>
    <dcterms:date>2024-05-06</dcterms:date>
    <dcterms:format rdf:resource="http://purl.org/NET/mediatypes/text/plain"/>
    <sp:resource><sp:Resource><sp:content><sp:Content>
      <sp:encoding>UTF-8</sp:encoding><sp:value>${text}</sp:value>
    </sp:Content></sp:content></sp:Resource></sp:resource>
  </sp:ClinicalNote>
  <dcterms:MediaTypeOrExtent rdf:about="http://purl.org/NET/mediatypes/text/plain">
    <rdfs:label>text/plain</rdfs:label>
  </dcterms:MediaTypeOrExtent>
</rdf:RDF>`;
}

const awkward = note('5 &lt; 7 &amp; 8; 98%; 50%25 + a=b &quot;A &amp; E&quot;; 0;&lt;;zz');

let container: TestContainer;
let token: Credentials;
let empty: Credentials;
const EMPTY = '2000001';
beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token('1000001');
  await declareRecord(container, EMPTY);
  empty = await container.token(EMPTY);
});
afterAll(() => container.stop());

async function count(): Promise<number> {
  const response = await container.request(notes, { as: token });
  return subjectsOf(await readRdfXml(await response.text()), 'ClinicalNote').length;
}

type Signer = (body: string) => readonly Pair[];

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

function hmac(normalized: string, path: string): string {
  const base = `POST&${encode(container.url + path)}&${encode(normalized)}`;
  const key = `${encode(token.consumerSecret)}&${encode(token.tokenSecret ?? '')}`;
  return createHmac('sha1', key).update(base).digest('base64');
}

const joined = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
const sorted = (pairs: readonly Pair[], key: (pair: Pair) => string): Pair[] =>
  [...pairs].sort((a, b) => (key(a) < key(b) ? -1 : 1));
const oauth = (more: Record<string, string> = {}): Pair[] =>
  protocol(token.consumerKey, { oauth_token: token.token ?? '', ...more });

/** As a client that knows bodies of forms alone: whatever else it sends is not signed. */
const uncovered: Signer = () => {
  const own = oauth();
  return [...own, ['oauth_signature', hmac(joined(sorted(own, encode1)), notes)]];
};
const encode1 = ([name, value]: Pair): string => `${encode(name)}\u0000${encode(value)}`;

/** As RFC 5849 has it of a form. */
const byTheBook: Signer = (body) => {
  const own = oauth();
  const form = [...new URLSearchParams(`&${body}`)];
  return [...own, ['oauth_signature', hmac(joined(sorted([...own, ...form], encode1)), notes)]];
};

/** As the Python 2 client of this API does: semicolons separate, percent signs may stand alone, sorted unencoded. */
const asPython: Signer = (body) => {
  const own = oauth();
  const form = body
    .split(/[&;]/)
    .filter((part) => part !== '')
    .map((part): Pair => {
      const [name = '', ...rest] = part.split('=');
      const unquote = (text: string): string =>
        text.replaceAll('+', ' ').replace(/%[0-9A-Fa-f]{2}/g, (found) => decodeURIComponent(found));
      return [unquote(name), unquote(rest.join('='))];
    });
  const pairs = sorted([...own, ...form], ([name, value]) => `${name}\u0000${value}`);
  return [...own, ['oauth_signature', hmac(joined(pairs), notes)]];
};

function post(body: string, signer: Signer, { type = FORM, signed = body } = {}): Promise<RawResponse> {
  return sendRaw(container.url, {
    method: 'POST',
    target: notes,
    headers: [
      ['Authorization', header(signer(signed))],
      ...(type === '' ? [] : [['Content-Type', type] as const]),
    ],
    body,
  });
}

describe('a note in RDF/XML that is not labelled as such', () => {
  it.each([
    '',
    FORM,
    `${FORM}; charset=utf-8`,
    'text/plain',
    'text/plain; charset=UTF-8',
    'application/octet-stream',
  ])('of type "%s" is stored, and answered with 200 and its graph', async (type) => {
    const before = await count();
    const response = await post(`\ufeff${note()}`, uncovered, { type });
    expect([response.status, response.body.slice(0, 5)]).toEqual([200, '<?xml']);
    expect(await count()).toBe(before + 1);
  });

  it.each([
    ['without its body', uncovered, note()],
    ['without its body, which no form could be', uncovered, awkward],
    ['as the form that it is not', byTheBook, note()],
    ['as the form that it is not, by a semicolon', byTheBook, note('&lt;b&gt; 5; 6')],
    ['as Python reads forms', asPython, note()],
    ['as Python reads forms, with what means more in one', asPython, awkward],
  ])('may be signed %s', async (_, signer, body) => {
    expect(await post(body, signer)).toMatchObject({ status: 200 });
  });

  it('keeps its words, whatever they mean in a form', async () => {
    const { body } = await post(awkward, asPython);
    const values = (await readRdfXml(body)).map(({ object }) => object.value);
    expect(values).toContain('5 < 7 & 8; 98%; 50%25 + a=b "A & E"; 0;<;zz');
  });

  it.each(['text/plain', 'application/octet-stream', FORM])('is 415 of %s when it is none', async (type) => {
    for (const body of ['@prefix a: <b> .', '{"@id": "a"}', 'a=b', '']) {
      expect([body, (await post(body, byTheBookOr(type), { type })).status]).toEqual([body, 415]);
    }
  });
  const byTheBookOr = (type: string): Signer => (type === FORM ? byTheBook : uncovered);

  it('of a type that says something else is 415', async () => {
    expect((await post(note(), uncovered, { type: 'image/png' })).status).toBe(415);
    expect((await post(note(), uncovered, { type: 'text/plain; charset=utf-16' })).status).toBe(415);
  });
});

describe('what a record has once', () => {
  it.each(['social_history', 'photograph', 'demographics'])(
    'is an empty graph where it has no %s',
    async (name) => {
      const path = `/records/${EMPTY}/${name}`;
      const response = await container.request(path, { as: empty });
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/rdf+xml']);
      expect(await readRdfXml(await response.text())).toEqual([]);
      const tag = response.headers.get('ETag') ?? '';
      const head = await container.request(path, { as: empty, method: 'HEAD' });
      expect([head.status, head.headers.get('ETag')]).toEqual([200, tag]);
      const again = await container.request(path, { as: empty, headers: { 'If-None-Match': tag } });
      expect(again.status).toBe(304);
      for (const accept of ['text/turtle', 'application/ld+json', 'application/n-triples'])
        expect((await container.request(path, { as: empty, headers: { Accept: accept } })).status).toBe(200);
    },
  );

  it('is not taken for one of many, nor found in a record that does not exist', async () => {
    const path = `/records/${EMPTY}/medications/none`;
    expect((await container.request(path, { as: empty })).status).toBe(404);
    const nowhere = await container.token('9999999');
    expect((await container.request('/records/9999999/social_history', { as: nowhere })).status).toBe(404);
  });
});

describe('a signature over a body that came as a form', () => {
  it.each([
    ['RFC 5849', byTheBook],
    ['Python', asPython],
  ])(
    'which covers it as %s does covers it wholly: another body is 401, and nothing is stored',
    async (_, signer) => {
      const before = await count();
      const changed = [
        note('Slept badly.'),
        '',
        note().replace('Visit', 'V&amp;isit'),
        `${note()}<!-- &a=b -->`,
      ];
      for (const body of changed) expect((await post(body, signer, { signed: note() })).status).toBe(401);
      expect(await count()).toBe(before);
    },
  );

  it('must cover a form that is no document', async () => {
    expect((await post('a=b', uncovered)).status).toBe(401);
    expect((await post('a=<x/>', uncovered)).status).toBe(401);
  });

  it('takes no protocol parameter from a document', async () => {
    const inside = joined(byTheBook('').slice());
    const response = await sendRaw(container.url, {
      method: 'POST',
      target: notes,
      headers: [['Content-Type', FORM]],
      body: `<x>&${inside}&</x>`,
    });
    expect(response.status).toBe(401);
  });

  it('still covers the hash of the body where it has one', async () => {
    const hashed =
      (of: string): Signer =>
      () => {
        const own = oauth({ oauth_body_hash: createHash('sha1').update(of).digest('base64') });
        return [...own, ['oauth_signature', hmac(joined(sorted(own, encode1)), notes)]];
      };
    expect((await post(note(), hashed(note()))).status).toBe(200);
    expect((await post(note(), hashed(note('Other words.')))).status).toBe(401);
  });

  it('must cover what an endpoint of tokens reads, also where it begins like a document', async () => {
    const path = '/oauth/request_token';
    const own = protocol(token.consumerKey);
    const key = `${encode(token.consumerSecret)}&`;
    const base = `POST&${encode(container.url + path)}&${encode(joined(sorted(own, encode1)))}`;
    const signature = createHmac('sha1', key).update(base).digest('base64');
    const ask = (body: string) =>
      sendRaw(container.url, {
        method: 'POST',
        target: path,
        headers: [
          ['Authorization', header([...own, ['oauth_signature', signature]])],
          ['Content-Type', FORM],
        ],
        body,
      });
    expect((await ask('<x>=y&smart_record_id=1000002')).status).toBe(401);
    expect((await ask('')).status).toBe(200);
  });

  it('over very many parts is read without them', async () => {
    const many = note(';'.repeat(30_000));
    expect((await post(many, uncovered)).status).toBe(200);
    expect((await post(many, byTheBook)).status).toBe(401);
  });
});
