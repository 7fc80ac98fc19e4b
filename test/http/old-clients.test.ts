import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { dcterms, prefixes, rdf, rdfs, sp } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { header, protocol, sendRaw, type Pair, type RawResponse } from './oauth/raw-request.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const notes = '/records/1000001/clinical_notes/';
const FORM = 'application/x-www-form-urlencoded';
const namespaces = ['rdf', 'rdfs', 'dcterms', 'sp'] as const;

/** Adds a record that holds nothing. */
async function declareRecord({ data, store, url }: TestContainer, id: string): Promise<void> {
  const directory = await openDataDirectory(data, { store });
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
let images: Credentials;
const EMPTY = '2000001';
const IMAGES = '1000003';
beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token('1000001');
  await declareRecord(container, EMPTY);
  empty = await container.token(EMPTY);
  images = await container.token(IMAGES);
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

describe('the calls of the ontology of 2014 for images', () => {
  const at = (path: string): string => `/records/${IMAGES}/${path}`;
  const get = (path: string): Promise<Response> => container.request(path, { as: images });
  const graph = async (path: string): Promise<Quad[]> => readRdfXml(await (await get(path)).text());
  const path = (iri: string): string => iri.slice(container.url.length);

  it('list studies, each of which names its images, and give each one by its id', async () => {
    const list = await graph(at('imaging_studies/'));
    const [study = '', ...others] = subjectsOf(list, 'ImagingStudy');
    expect(others).toEqual([]);
    expect(path(study)).toMatch(new RegExp(`^${at('imaging_studies/')}`));
    expect(subjectsOf(list, 'Series').length).toBeGreaterThan(0);
    const own = await graph(path(study));
    const summary = (await graph(at('imaging_studies/'))).length - own.length;
    expect(summary).toBeGreaterThan(0);
    const named = list
      .filter(({ predicate }) => predicate.value === rdf.first)
      .map(({ object }) => object.value);
    expect(named).toEqual(
      expect.arrayContaining(subjectsOf(await graph(at('medical_images/')), 'MedicalImage')),
    );
  });

  it('list images with their study, and narrow them by date', async () => {
    const list = await graph(at('medical_images/'));
    expect(subjectsOf(list, 'MedicalImage')).toHaveLength(3);
    expect(subjectsOf(list, 'ImagingStudy')).toHaveLength(1);
    const [date = ''] = list.flatMap(({ subject, predicate, object }) =>
      subject.value.includes('/medical_images/') && predicate.value === dcterms.date ? [object.value] : [],
    );
    for (const kind of ['medical_images', 'imaging_studies']) {
      expect(
        subjectsOf(await graph(`${at(kind)}?date_from=${date.slice(0, 4)}`), 'ImagingStudy'),
      ).toHaveLength(1);
      expect(
        subjectsOf(await graph(`${at(kind)}?date_to_excluding=${date.slice(0, 4)}`), 'ImagingStudy'),
      ).toEqual([]);
    }
  });

  it('give one image described with its content, and as the file itself', async () => {
    const [image = ''] = subjectsOf(await graph(at('medical_images/')), 'MedicalImage');
    const values = (await graph(path(image))).map(({ object }) => object.value);
    const raw = await get(`${path(image)}?format=raw`);
    const bytes = Buffer.from(await raw.arrayBuffer());
    expect([raw.headers.get('Content-Type'), bytes.subarray(0, 2).toString('hex')]).toEqual([
      'image/jpeg',
      'ffd8',
    ]);
    expect(values).toContain(bytes.toString('base64'));
    expect((await get(at('medical_images/none'))).status).toBe(404);
    expect((await get(at('imaging_studies/none'))).status).toBe(404);
  });
});

describe('a record, the object of each sp:belongsTo', () => {
  it('links to what it holds, and each link is answered', async () => {
    const response = await container.request(`/records/${IMAGES}`, { as: images });
    const quads = await readRdfXml(await response.text());
    expect(subjectsOf(quads, 'MedicalRecord')).toEqual([`${container.url}/records/${IMAGES}`]);
    const links = quads.flatMap(({ predicate, object }) =>
      predicate.value === rdfs.seeAlso ? [object.value] : [],
    );
    const names = links.map((link) => link.slice(`${container.url}/records/${IMAGES}/`.length));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['medical_images/', 'imaging_studies/', 'demographics', 'problems/']),
    );
    expect(names).not.toContain('photograph');
    for (const link of links) {
      const answer = await container.request(link.slice(container.url.length), { as: images });
      expect([link, answer.status]).toEqual([link, 200]);
      expect((await readRdfXml(await answer.text())).length).toBeGreaterThan(0);
    }
  });

  it('holds nothing when it is empty, and is 404 when it is not there, 403 and 401 for others', async () => {
    const quads = await readRdfXml(
      await (await container.request(`/records/${EMPTY}`, { as: empty })).text(),
    );
    expect(quads).toHaveLength(1);
    const nowhere = await container.token('9999999');
    expect((await container.request('/records/9999999', { as: nowhere })).status).toBe(404);
    expect((await container.request(`/records/${IMAGES}`, { as: token })).status).toBe(403);
    expect((await container.request(`/records/${IMAGES}`)).status).toBe(401);
  });

  it('links to a kind of statement as soon as it holds the first one', async () => {
    const path = `/records/${EMPTY}`;
    const before = await container.request(path, { as: empty });
    const posted = await container.request(`${path}/clinical_notes/`, {
      as: empty,
      method: 'POST',
      body: note(),
    });
    expect(posted.status).toBe(200);
    const after = await container.request(path, {
      as: empty,
      headers: { 'If-None-Match': before.headers.get('ETag') ?? '' },
    });
    expect(after.status).toBe(200);
    expect(await after.text()).toContain(`${path}/clinical_notes/`);
  });
});

describe('a refused signature', () => {
  const detail = async (base: string, as: Credentials): Promise<unknown> => {
    const url = base + notes;
    const headers: Pair[] = [['Authorization', signRequest({ method: 'GET', url, ...as })]];
    const { status, body } = await sendRaw(base, { method: 'GET', target: notes, headers, body: '' });
    return [status, (JSON.parse(body) as { detail?: string }).detail];
  };
  const wrong = 'The OAuth 1.0a signature of this request was not accepted.';

  it('of a request for another host says that the base URL differs, whatever was wrong with it', async () => {
    const elsewhere = container.url.replace('localhost', '127.0.0.1');
    const says = `${wrong} The request came for another host than that of the base URL; sign ${container.url} and what follows it.`;
    expect(await detail(elsewhere, token)).toEqual([401, says]);
    expect(await detail(elsewhere, { ...token, consumerKey: 'nobody' })).toEqual([401, says]);
    expect(await detail(elsewhere, { ...token, token: 'nothing' })).toEqual([401, says]);
  });

  it('of a body labelled as a form says that its fields are signed, whatever was wrong with it', async () => {
    const url = container.url + notes;
    for (const as of [token, { ...token, consumerKey: 'nobody' }, { ...token, tokenSecret: 'wrong' }]) {
      const target = notes.replace(/clinical_notes.*$/, `apps/${token.consumerKey}/scratchpad`);
      const signed = signRequest({ method: 'PUT', url: url.replace(notes, target), ...as });
      const headers: Pair[] = [
        ['Authorization', signed],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ];
      const { status, body } = await sendRaw(container.url, { method: 'PUT', target, headers, body: 'a=1' });
      expect([status, (JSON.parse(body) as { detail?: string }).detail]).toEqual([
        401,
        `${wrong} The body is labelled as a form, so its fields belong to the signature: sign them, or send the Content-Type that the body has.`,
      ]);
    }
  });

  it('of a request for the host of the base URL says nothing more', async () => {
    expect(await detail(container.url, { ...token, tokenSecret: 'wrong' })).toEqual([401, wrong]);
    expect(await detail(container.url, { ...token, consumerKey: 'nobody' })).toEqual([401, wrong]);
  });
});
