import { isomorphic } from 'rdf-isomorphic';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import { readRdfFile } from '../../src/records/loading/read-file.js';
import { writeRdf } from '../../src/rdf/write.js';
import { sharedData } from '../shared-data.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const notes = '/records/1000001/clinical_notes/';
const header = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`);
const format = `dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
<http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

/** A good note in Turtle; `more` goes into the note, `beside` stands after it. */
function note({
  more = '',
  beside = '',
  name = '[]',
  text = 'Slept well.',
  date = '2024-05-06',
} = {}): string {
  return `${header.join('')}${name} a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "${date}" ; ${more}
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value ${JSON.stringify(text)} ] ] ;
    ${format}
    ${beside}`;
}

let container: TestContainer;
let token: Credentials;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as never) });
  container = await startTestContainer({ log });
  token = await container.token('1000001');
});
afterAll(() => container.stop());

function post(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  { path = notes, as = token }: { path?: string; as?: Credentials | false } = {},
): Promise<Response> {
  return container.request(path, {
    method: 'POST',
    as: as || undefined,
    headers: { 'Content-Type': 'text/turtle', ...headers },
    body,
  });
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  return (await response.json()) as Record<string, unknown>;
}

async function count(): Promise<number> {
  const response = await container.request(notes, { as: token });
  return subjectsOf(await readRdfXml(await response.text()), 'ClinicalNote').length;
}

describe('a good note', () => {
  it('is stored under a new name, and can be read there and in the list at once', async () => {
    const before = await count();
    const response = await post(note());
    expect(response.status).toBe(200);
    const location = response.headers.get('Location') ?? '';
    expect(location).toMatch(new RegExp(`^${container.url}${notes}[0-9a-f-]{36}$`));
    expect(response.headers.get('Content-Type')).toBe('application/rdf+xml');
    const answered = await response.text();
    const read = await container.request(location.slice(container.url.length), { as: token });
    expect(await read.text()).toBe(answered);
    expect(read.headers.get('ETag')).toBe(response.headers.get('ETag'));
    expect(await count()).toBe(before + 1);
    const quads = await readRdfXml(answered);
    expect(subjectsOf(quads, 'ClinicalNote')).toEqual([location]);
    const owners = quads.filter(({ predicate }) => predicate.value === sp.belongsTo);
    expect(owners.map(({ object }) => object.value)).toEqual([`${container.url}/records/1000001`]);
  });

  it.each([
    ['a blank node', '[]'],
    ['a relative IRI', '<mine>'],
    ['a fragment', '<#mine>'],
    ['the empty IRI', '<>'],
  ])('can be written as %s, and is named anew', async (_, name) => {
    const response = await post(note({ name }));
    expect(response.status).toBe(200);
    expect(response.headers.get('Location')).not.toContain('mine');
    expect(await response.text()).not.toContain('mine');
  });

  it.each([
    ['clinician', true],
    ['person', false],
  ])('is by the user of the token, whatever the body says: %s', async (user, isNamed) => {
    const as = await container.token('1000004', undefined, user);
    const path = '/records/1000004/clinical_notes/';
    const named = `sp:provider [ a sp:Provider ; sp:npiNumber "1234567893" ; <http://www.w3.org/2006/vcard/ns#n>
      [ a <http://www.w3.org/2006/vcard/ns#Name> ; <http://www.w3.org/2006/vcard/ns#given-name> "Lucinda" ;
        <http://www.w3.org/2006/vcard/ns#family-name> "Marchbanks-Ide" ] ] ;`;
    for (const more of [named, '']) {
      const posted = await post(note({ more }), { Accept: 'application/n-triples' }, { path, as });
      expect(posted.status).toBe(200);
      const graph = await posted.text();
      expect(graph).not.toMatch(/Marchbanks|1234567893/u);
      expect([graph.includes(`<${sp.provider}>`), graph.includes('"Oxendale"')]).toEqual([isNamed, isNamed]);
    }
  });

  it('a new note never replaces another one', async () => {
    const first = (await post(note())).headers.get('Location') ?? '';
    const second = await post(note({ name: `<${first}>`, text: 'Other words.' }));
    expect(second.status).toBe(200);
    expect(second.headers.get('Location')).not.toBe(first);
    const read = await container.request(first.slice(container.url.length), { as: token });
    expect(await read.text()).toContain('Slept well.');
  });

  it('may say that it belongs to its record', async () => {
    for (const slash of ['', '/']) {
      const more = `sp:belongsTo <${container.url}/records/1000001${slash}> ;`;
      expect((await post(note({ more }))).status).toBe(200);
    }
  });

  it('comes as RDF/XML, Turtle or JSON-LD, and goes as what Accept asks for', async () => {
    const quads = await parseRdf(note(), { format: 'turtle' });
    const types = [
      ['rdfxml', 'application/rdf+xml'],
      ['rdfxml', 'application/rdf+xml; charset=UTF-8'],
      ['rdfxml', 'application/xml'],
      ['turtle', 'text/turtle;charset=utf-8'],
      ['jsonld', 'application/ld+json'],
      ['jsonld', 'application/json'],
    ] as const;
    for (const [name, type] of types) {
      const body = await writeRdf(quads, name);
      const response = await post(body, { 'Content-Type': type, Accept: 'text/turtle' });
      expect([type, response.status]).toEqual([type, 200]);
      expect(response.headers.get('Content-Type')).toBe('text/turtle');
    }
    const bare = await post(Buffer.from(await writeRdf(quads, 'rdfxml')), { 'Content-Type': '' });
    expect(bare.status).toBe(200);
  });

  it('may name the context of the container by its address, once and at the top', async () => {
    const context = `${container.url}/context.jsonld`;
    const written = {
      '@type': 'ClinicalNote',
      dcterms__title: 'Visit',
      dcterms__date: '2024-05-06',
      dcterms__format: {
        '@id': 'http://purl.org/NET/mediatypes/text/plain',
        '@type': 'dcterms__MediaTypeOrExtent',
        rdfs__label: 'text/plain',
      },
      resource: { '@type': 'Resource', content: { '@type': 'Content', encoding: 'UTF-8', value: 'Well.' } },
    };
    const posted = (body: object): Promise<Response> =>
      post(JSON.stringify(body), { 'Content-Type': 'application/ld+json', Accept: 'text/turtle' });
    for (const named of [context, [context], [context, { x: 'urn:x' }]]) {
      const response = await posted({ '@context': named, ...written });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"Well."')]);
    }
    const others = [
      `${container.url}/context.jsonld?`,
      '/context.jsonld',
      'http://localhost:1/context.jsonld',
      [context, context],
    ];
    for (const named of others) expect((await posted({ '@context': named, ...written })).status).toBe(400);
    const nested = { ...written, resource: { '@context': context, ...written.resource } };
    expect((await posted({ '@context': context, ...nested })).status).toBe(400);
  });

  it('keeps its words exactly', async () => {
    const text = 'Line one\r\nline two\ttab ünï \u{1f600} <b>&amp;</b> "quoted" \\ ]]> end';
    const response = await post(note({ text }));
    const quads = await readRdfXml(await response.text());
    expect(
      quads.filter(({ predicate }) => predicate.value === sp.value).map(({ object }) => object.value),
    ).toEqual([text]);
  });

  it('shows a code under the title that the ontology or the record has for it', async () => {
    const code = (iri: string, type: string, title: string, id: string): string =>
      `<${iri}${id}> a sp:Code , spcode:${type} ; dcterms:title "${title}" ; sp:system "${iri}" ; dcterms:identifier "${id}" .`;
    const system = `${prefixes.spcode}DocumentType#`;
    const more = `sp:documentType [ a sp:CodedValue ; dcterms:title "A report" ; sp:code <${system}report> ] ;`;
    const response = await post(
      note({ more, beside: code(system, 'DocumentType', 'Wrong title', 'report') }),
    );
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('Wrong title');
  });
});

describe('a body that is refused', () => {
  const other = '[] a sp:Problem ; sp:startDate "2020" .';
  const cases: readonly [string, number, () => string, object?][] = [
    ['is no RDF', 400, () => 'this is no Turtle'],
    ['breaks off', 400, () => note().slice(0, -20)],
    ['is empty', 422, () => '', { rule: 'class' }],
    ['holds no note', 422, () => `${header.join('')}[] a sp:Resource .`, { rule: 'class' }],
    ['holds two notes', 422, () => note() + note(), { rule: 'class' }],
    [
      'holds another statement beside it',
      422,
      () => note({ beside: other }),
      { rule: 'class', value: `${prefixes.sp}Problem` },
    ],
    [
      'holds another statement in it',
      422,
      () => note({ more: 'sp:provider [ a sp:Problem ] ;' }),
      { rule: 'class' },
    ],
    ['describes a record', 422, () => note({ beside: '<x> a sp:MedicalRecord .' }), { rule: 'class' }],
    ['is a note and a document', 422, () => note({ more: 'a sp:Document ;' }), { rule: 'class' }],
    ['is a note and something unknown', 422, () => note({ more: 'a <urn:unknown> ;' }), { rule: 'class' }],
    [
      'holds what is reachable from nothing',
      422,
      () => note({ beside: '[] rdfs:label "loose" .' }),
      { rule: 'belonging' },
    ],
    ['has a name from elsewhere', 422, () => note({ name: '<urn:note:1>' }), { rule: 'name' }],
    [
      'has the name of another record',
      422,
      () => note({ name: '<../../1000002/clinical_notes/x>' }),
      { rule: 'name' },
    ],
    ['belongs to another record', 409, () => note({ more: 'sp:belongsTo <../../1000002> ;' })],
    ['belongs to a blank node', 409, () => note({ more: 'sp:belongsTo [] ;' })],
    ['belongs to two records', 409, () => note({ more: `sp:belongsTo <../../1000001> , <../../1000002> ;` })],
    [
      'links into another record',
      422,
      () => note({ more: 'sp:encounter <../../1000002/encounters/x> ;' }),
      { rule: 'link' },
    ],
    [
      'describes something of the container',
      422,
      () => note({ beside: '</records/1000002/problems/x> rdfs:label "x" .' }),
      { rule: 'belonging' },
    ],
    ['refers to a file by its hash', 422, () => note({ more: 'cg:sha256 "0" ;' }), { rule: 'own-property' }],
    ['uses the name of an blank node', 422, () => note({ more: 'sp:provider <x#_b0> ;' }), { rule: 'name' }],
    [
      'lacks its date',
      422,
      () => note().replace('dcterms:date "2024-05-06" ;', ''),
      { rule: 'cardinality', property: `${prefixes.dcterms}date` },
    ],
    [
      'lacks its resource',
      422,
      () => `${header.join('')}[] a sp:ClinicalNote ; dcterms:date "2024" ; ${format}`,
      { rule: 'cardinality' },
    ],
    [
      'has a file name in place of its resource',
      422,
      () => `${header.join('')}[] a sp:ClinicalNote ; dcterms:date "2024" ; sp:fileName "x.txt" ; ${format}`,
      { rule: 'cardinality', property: sp.resource },
    ],
    [
      'has a date that is none',
      422,
      () => note({ date: 'yesterday' }),
      { rule: 'date', property: `${prefixes.dcterms}date`, value: 'yesterday' },
    ],
    [
      'states a property that is not declared',
      422,
      () => note({ more: 'sp:mood "good" ;' }),
      { rule: 'unknown-property', property: `${prefixes.sp}mood` },
    ],
    ['holds a character that XML has not', 422, () => note({ text: 'a\u0007b' }), { rule: 'characters' }],
    ['holds a noncharacter', 422, () => note({ text: 'a\ufffeb' }), { rule: 'characters' }],
    [
      'nests too deeply',
      422,
      () => `${header.join('')}[] a sp:ClinicalNote ; sp:x ${'[ sp:x '.repeat(300)}"y"${' ]'.repeat(300)} .`,
      { rule: 'limit' },
    ],
    [
      'holds too many triples',
      422,
      () =>
        `${header.join('')}[] a sp:ClinicalNote ; sp:x ${Array.from({ length: 50_001 }, (_, i) => i).join(',')} .`,
      { rule: 'limit' },
    ],
  ];

  it.each(cases)('because it %s is %i and stores nothing', async (_, status, body, members = {}) => {
    const before = await count();
    const response = await post(body());
    expect(await problemOf(response)).toMatchObject({ status, ...members });
    expect(await count()).toBe(before);
  });

  it('a body with a DOCTYPE is refused with 400', async () => {
    const body =
      '<!DOCTYPE x [<!ENTITY a "b">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>';
    expect((await post(body, { 'Content-Type': 'application/rdf+xml' })).status).toBe(400);
  });

  it('because of named graphs is 422', async () => {
    const quads = (await parseRdf(note(), { format: 'turtle' })).map(({ subject, predicate, object }) =>
      quad(subject, predicate, object, namedNode(`${container.url}/records/1000002`)),
    );
    const response = await post(await writeRdf(quads, 'jsonld'), { 'Content-Type': 'application/ld+json' });
    expect(await problemOf(response)).toMatchObject({ status: 422, rule: 'graph' });
  });

  it('because of a context from elsewhere is 400', async () => {
    const body = '{"@context":"http://169.254.169.254/","@type":"x"}';
    expect((await post(body, { 'Content-Type': 'application/ld+json' })).status).toBe(400);
  });

  it('because its JSON-LD is so wide that its processor would be busy for long is 422', async () => {
    const wide = Array.from({ length: 40_000 }, (_, index) => `v${index}`);
    const body = JSON.stringify({ '@type': sp.ClinicalNote, 'http://ex.org/p': wide });
    const response = await post(body, { 'Content-Type': 'application/ld+json' });
    expect(await problemOf(response)).toMatchObject({ status: 422, rule: 'limit' });
  });

  it.each([
    'text/plain',
    'text/html',
    'application/n-triples',
    'application/trig',
    'text/turtle; charset=utf-16',
    'no media type',
  ])('because it is %s is 415', async (type) => {
    const response = await post(note(), { 'Content-Type': type });
    expect(response.status).toBe(415);
    expect(response.headers.get('Accept')).toContain('application/rdf+xml');
  });

  it('a body in a content coding is refused with 415', async () => {
    expect((await post(note(), { 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  it('because it is larger than a megabyte is 413', async () => {
    expect((await post(note({ text: 'x'.repeat(1024 * 1024) }))).status).toBe(413);
  });

  it('because the answer cannot be made is 406, and stores nothing', async () => {
    const before = await count();
    expect((await post(note(), { Accept: 'image/png' })).status).toBe(406);
    expect(await count()).toBe(before);
  });

  it('is refused in the order of the design: 404 before 406 before 415 before 413', async () => {
    const nowhere = await container.token('9999999');
    const large = 'x'.repeat(2 * 1024 * 1024);
    const wrong = { 'Content-Type': 'text/plain', Accept: 'image/png' };
    const missing = { path: notes.replace('1000001', '9999999'), as: nowhere };
    expect((await post(large, wrong, missing)).status).toBe(404);
    expect((await post(large, wrong)).status).toBe(406);
    expect((await post(large, { 'Content-Type': 'image/png' })).status).toBe(415);
    expect((await post(large)).status).toBe(413);
  });

  it('with a token for another record, or none, is 403 or 401', async () => {
    const path = notes.replace('1000001', '1000002');
    expect((await post(note(), {}, { path })).status).toBe(403);
    expect((await post(note(), {}, { as: false })).status).toBe(401);
  });
});

describe('an Idempotency-Key', () => {
  const key = (): Record<string, string> => ({ 'Idempotency-Key': `"${Math.random()}"` });

  it('makes a retry answer with the same note', async () => {
    const headers = key();
    const before = await count();
    const first = await post(note(), headers);
    const again = await post(note(), headers);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
    expect(await again.text()).toBe(await first.text());
    expect(await count()).toBe(before + 1);
  });

  it('makes one note of twenty requests at once', async () => {
    const headers = key();
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(note(), headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.headers.get('Location'))).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('without one, every request makes a note', async () => {
    const before = await count();
    await Promise.all([post(note()), post(note())]);
    expect(await count()).toBe(before + 2);
  });

  it('an Idempotency-Key that comes again with another body is 422', async () => {
    const headers = key();
    await post(note(), headers);
    const response = await post(note({ text: 'Something else.' }), headers);
    expect(await problemOf(response)).toMatchObject({ status: 422, rule: 'idempotency-key' });
  });

  it('of another app or for another record is another key', async () => {
    const headers = key();
    const first = await post(note(), headers);
    const app = await container.token('1000001', 'demo-frame@apps.example.org');
    const record = await container.token('1000002');
    const second = await post(note(), headers, { as: app });
    const third = await post(note(), headers, { as: record, path: notes.replace('1000001', '1000002') });
    const locations = [first, second, third].map((response) => response.headers.get('Location'));
    expect(new Set(locations).size).toBe(3);
    expect(third.status).toBe(200);
  });

  it('of a refused request can be used again', async () => {
    const headers = key();
    expect((await post('no Turtle', headers)).status).toBe(400);
    expect((await post(note(), headers)).status).toBe(200);
  });

  it.each(['""', 'a'.repeat(300)])('that is %s is 400', async (field) => {
    expect((await post(note(), { 'Idempotency-Key': field })).status).toBe(400);
  });
});

describe('the audit log', () => {
  it('has one line for each write, done or refused, and no content', async () => {
    lines.length = 0;
    const scratchpad = '/records/1000001/apps/demo-ui@apps.example.org/scratchpad';
    await post(note({ text: 'A secret of the patient.' }));
    await post(note({ date: 'never' }));
    await container.request(scratchpad, { method: 'PUT', as: token, body: 'A secret of the app.' });
    await container.request(scratchpad, { method: 'DELETE', as: token });
    await post(note(), {}, { as: false });
    await container.request(notes, { as: token });
    const audited = lines.filter((line) => line['audit'] === 'write');
    const call = (name: string): string => `${prefixes.calls}${name}`;
    expect(audited).toMatchObject([
      {
        call: call('post_clinical_note'),
        record: '1000001',
        status: 200,
        outcome: 'done',
        user: 'clinician',
      },
      { call: call('post_clinical_note'), status: 422, outcome: 'refused', app: 'demo-ui@apps.example.org' },
      { call: call('put_scratchpad_data'), status: 200, outcome: 'done' },
      { call: call('delete_scratchpad_data'), status: 200, outcome: 'done' },
      { call: call('post_clinical_note'), status: 401, outcome: 'refused', record: '1000001' },
    ]);
    expect(audited).toHaveLength(5);
    expect(audited[0]?.['token_id']).toEqual(expect.any(String));
    expect(JSON.stringify(lines)).not.toMatch(/secret of the|never/);
    expect(JSON.stringify(lines)).not.toContain(token.token);
  });
});

it('a note that was answered is on disk', async () => {
  const location = (await post(note())).headers.get('Location') ?? '';
  const directory = await openDataDirectory(container.data, { store: container.store });
  expect(directory.read((tx) => tx.get('graphs', location.slice(container.url.length)))).toContain(
    'Slept well.',
  );
  await directory.close();
});

const patients = ['p2169591.xml', 'p7777705.xml', 'p99912345.xml'].map((name) => ({
  name,
  path: sharedData('sample-patients', name),
}));

// Skipped where the shared sample patients are not beside the project.
it.skipIf(patients.some(({ path }) => path === undefined)).each(patients)(
  'the notes of $name can be posted one by one to another record, and read back isomorphic',
  async ({ path: file = '' }) => {
    const quads = await readRdfFile(file, 'http://sample.example.org', undefined);
    const roots = quads.filter(
      ({ predicate, object }) => predicate.value === rdf.type && object.value === sp.ClinicalNote,
    );
    expect(roots.length).toBeGreaterThan(0);
    const as = await container.token('1000010');
    for (const { subject } of roots) {
      const own = cut(quads, subject);
      const body = await writeRdf(own, 'rdfxml');
      const path = notes.replace('1000001', '1000010');
      const response = await post(body, { 'Content-Type': 'application/rdf+xml' }, { path, as });
      expect([response.status, response.status === 200 ? '' : await response.clone().text()]).toEqual([
        200,
        '',
      ]);
      const iri = response.headers.get('Location') ?? '';
      const read = await container.request(iri.slice(container.url.length), { as });
      // The provider is the author whom the token proves.
      const withoutProvider = (all: readonly Quad[], root: Term): Quad[] =>
        cut(
          all.filter(({ predicate }) => predicate.value !== sp.provider),
          root,
        );
      const stored = withoutProvider(await readRdfXml(await read.text()), namedNode(iri));
      const named = withoutProvider(own, subject).map((each) =>
        quad(each.subject.equals(subject) ? namedNode(iri) : each.subject, each.predicate, each.object),
      );
      expect(isomorphic(stored, named)).toBe(true);
    }
  },
);

/** What is reachable from a statement, without its record. */
function cut(quads: readonly Quad[], root: Term): Quad[] {
  const own: Quad[] = [];
  const queue = [root];
  const seen = new Set(queue.map(({ value }) => value));
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const each of quads) {
      if (each.subject.value !== node.value || each.predicate.value === sp.belongsTo) continue;
      own.push(each);
      const { object } = each;
      if (object.termType === 'Literal' || seen.has(object.value) || each.predicate.value === rdf.type)
        continue;
      seen.add(object.value);
      queue.push(object);
    }
  }
  return own;
}
