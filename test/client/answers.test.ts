import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Store } from 'n3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChartgraphError, createAnalyst, createClient, type Client } from '../../src/client/client.js';
import { rdfxml, turtle } from '../../src/client/other-formats.js';
import { quad, blankNode, literal, namedNode } from '../../src/rdf/terms.js';
import { dcterms, rdf, rdfs, sp, vcard } from '../../src/rdf/vocabulary.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { APP, clientOf, USER } from './client.js';

const RECORD = '1000001';
let container: TestContainer;
let client: Client;

beforeAll(async () => {
  container = await startTestContainer();
  client = await clientOf(container, RECORD);
});
afterAll(() => container.stop());

/** What a promise rejects with. */
async function failure(promise: Promise<unknown>): Promise<ChartgraphError> {
  const error: unknown = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ChartgraphError);
  return error as ChartgraphError;
}

describe('typed objects', () => {
  it('are undefined of what a record has room for and does not have', async () => {
    const other = await clientOf(container, '1000010');
    const given = { record_id: '1000010' };
    const history = await other.get_social_history(given);
    const photograph = await other.get_photograph(given);
    for (const { status, object, faults, dataset } of [history, photograph])
      expect([status, object, faults, dataset.size]).toEqual([200, undefined, [], 0]);
    expect(await failure(other.get_photograph({ ...given, format: 'raw' }))).toMatchObject({ status: 404 });
  });

  it('hold texts, codes, nested parts, and links one deep', async () => {
    const { objects } = await client.get_medications({ record_id: RECORD, rxnorm: '314076' });
    const [lisinopril] = objects;
    expect(objects).toHaveLength(1);
    expect(lisinopril).toMatchObject({
      type: 'Medication',
      types: ['Medication'],
      drugName: {
        type: 'CodedValue',
        title: 'lisinopril 10 MG Oral Tablet',
        code: {
          iri: 'http://purl.bioontology.org/ontology/RXNORM/314076',
          identifier: '314076',
          system: 'http://purl.bioontology.org/ontology/RXNORM/',
          title: 'lisinopril 10 MG Oral Tablet',
        },
      },
      startDate: '2011-05-16',
      instructions: 'Take one tablet every morning.',
      quantity: { type: 'ValueAndUnit', value: '1', unit: '{tablet}' },
      belongsTo: { iri: `${container.url}/records/${RECORD}` },
      provenance: [],
    });
    expect(lisinopril).not.toHaveProperty('endDate');
    expect(lisinopril?.belongsTo.type).toBeUndefined();
    expect(lisinopril?.fulfillment).toHaveLength(3);
    for (const fulfillment of lisinopril?.fulfillment ?? []) {
      expect(fulfillment.type).toBe('Fulfillment');
      if (fulfillment.type === undefined) continue;
      expect(fulfillment.dispenseDaysSupply).toBe('90');
      expect(fulfillment.pharmacy).toMatchObject({ type: 'Pharmacy', ncpdpId: '0000011' });
      // The way back is a name, so that objects are trees.
      expect(fulfillment.medication).toEqual({ iri: lisinopril?.iri });
    }
  });

  it('are plain: JSON keeps all of them', async () => {
    const { objects } = await client.get_vital_sign_sets({ record_id: RECORD });
    expect(JSON.parse(JSON.stringify(objects))).toEqual(objects);
    expect(Object.getPrototypeOf(objects[0])).toBe(Object.prototype);
  });

  it('name properties of other vocabularies by their local names, several values as arrays, all classes in types', async () => {
    const { object } = await client.get_demographics({ record_id: RECORD });
    expect(object?.n).toMatchObject({
      given_name: 'Harriet',
      additional_name: ['Maud'],
      family_name: 'Lindqvale',
    });
    expect(object?.email).toEqual(['harriet.lindqvale@example.org']);
    expect(
      object?.tel
        .map(({ value, types }) => [value, types])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ).toEqual([
      ['555-0111', ['Home', 'Pref', 'Tel']],
      ['555-0112', ['Cell', 'Tel']],
    ]);
    expect(object?.medicalRecordNumber).toEqual([
      {
        title: 'Chart number 1000001',
        system: 'Northmere Shared Chart',
        identifier: '1000001',
        types: ['Code'],
      },
    ]);
  });

  it('tell the classes of a call apart by their type', async () => {
    const { objects } = await client.get_allergies({ record_id: RECORD });
    const titles = objects.map((each) =>
      each.type === 'Allergy' ? each.category.title : each.allergyExclusionName.title,
    );
    expect(titles.sort()).toEqual(['No known food allergy', 'No known history of drug allergy']);
  });

  it.each([turtle, rdfxml])('are the same when the graph comes as $mediaType', async (format) => {
    const credentials = await container.token(RECORD, APP, USER);
    const other = createClient({ baseUrl: `${container.url}/`, ...credentials, format });
    const mine = await client.get_lab_panels({ record_id: RECORD });
    const theirs = await other.get_lab_panels({ record_id: RECORD });
    expect(mine.mediaType).toBe('application/n-triples');
    expect(theirs.mediaType).toBe(format.mediaType);
    expect(theirs.objects).toEqual(mine.objects);
    expect(theirs.dataset.size).toBe(mine.dataset.size);
  });
});

describe('datasets', () => {
  it('are those of RDF/JS: they match, have, and take more', async () => {
    const { dataset, object } = await client.get_demographics({ record_id: RECORD });
    const names = [...dataset.match(null, namedNode(vcard['family-name']), null)];
    expect(names.map(({ object: name }) => name.value)).toEqual(['Lindqvale']);
    const about = quad(namedNode(object?.iri ?? ''), namedNode(rdf.type), namedNode(sp.Demographics));
    expect(dataset.has(about)).toBe(true);
    const { size } = dataset;
    dataset.delete(about);
    expect(dataset.has(about)).toBe(false);
    expect(dataset.size).toBe(size - 1);
  });

  it('name things as the container does, also when it is reached at another address', async () => {
    const behind = createClient({
      baseUrl: 'http://proxy.example.org/base/',
      fetch: (input, init) =>
        fetch(String(input).replace('http://proxy.example.org/base', container.url), init),
    });
    const { object } = await behind.get_user({ user_id: USER });
    expect(object.iri).toBe(`${container.url}/users/${USER}`);
  });
});

describe('documents', () => {
  it('come as files, as descriptions, or as descriptions with their content', async () => {
    const { objects } = await client.get_documents({ record_id: RECORD });
    const text = objects.find(({ fileName }) => fileName === 'eye-examination-2023.txt');
    const given = { record_id: RECORD, document_id: text?.iri.replace(/^.*\//, '') ?? '' };
    const file = await client.get_document(given);
    const raw = await client.get_document({ ...given, format: 'raw' });
    const described = await client.get_document({ ...given, format: 'metadata' });
    const combined = await client.get_document({ ...given, format: 'combined' });
    expect(file.mediaType).toMatch(/^text\/plain/);
    expect(file.raw).toEqual(raw.raw);
    expect(file.raw).toBeInstanceOf(Uint8Array);
    expect(described.object?.resource.content).toBeUndefined();
    expect(described.object.fileSize).toMatchObject({ value: String(file.raw.length), unit: 'byte' });
    expect(combined.object.resource.content).toMatchObject({ encoding: 'UTF-8', value: file.text() });
  });

  it('hold any bytes: a photograph is the image itself, or has it in its description', async () => {
    const given = { record_id: RECORD };
    const described = await client.get_photograph(given);
    const image = await client.get_photograph({ ...given, format: 'raw' });
    expect([...image.raw.slice(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(described.object?.resource.content?.value.replace(/\s/g, '')).toBe(
      Buffer.from(image.raw).toString('base64'),
    );
    expect(() => image.text()).toThrow(ChartgraphError);
  });
});

describe('lists', () => {
  it('are walked page by page in the order of the whole list', async () => {
    const given = { record_id: RECORD };
    const whole = await client.get_lab_results(given);
    expect(whole.objects.length).toBeGreaterThan(7);
    expect(whole.hasNext).toBe(false);
    expect(await whole.next()).toBeUndefined();
    const first = await client.get_lab_results({ ...given, limit: 3 });
    expect(first.objects).toHaveLength(3);
    expect(first.total).toBe(whole.objects.length);
    const pages = [];
    for await (const page of first.pages()) pages.push(page.objects.map(({ iri }) => iri));
    expect(pages.length).toBe(Math.ceil(whole.objects.length / 3));
    expect(pages.flat()).toEqual(whole.objects.map(({ iri }) => iri));
    const items = [];
    for await (const item of first.items()) items.push(item);
    expect(items).toEqual(whole.objects);
  });

  it('keep their filters on every page, and take several codes', async () => {
    const given = { record_id: RECORD, date_from: '2012', rxnorm: ['861007', '861004'] };
    const whole = await client.get_medications(given);
    expect(whole.total).toBe(2);
    const dates = [];
    for await (const item of (await client.get_medications({ ...given, limit: 1 })).items())
      dates.push(item.startDate);
    expect(dates).toEqual(['2017-03-06', '2014-02-24']);
  });

  it('of a search are walked by their Link field', async () => {
    const whole = await client.search_records();
    const first = await client.search_records({ limit: 3 });
    const found = [];
    for await (const { iri } of first.items()) found.push(iri);
    expect(first.objects).toHaveLength(3);
    expect(whole.objects.length).toBeGreaterThan(3);
    expect(found.sort()).toEqual(whole.objects.map(({ iri }) => iri).sort());
  });

  it('follow a next page at the base URL of the client only', async () => {
    const asked: string[] = [];
    const elsewhere = createClient({
      baseUrl: container.url,
      fetch: async (input, init) => {
        asked.push(String(input));
        const response = await fetch(input, init);
        const headers = new Headers(response.headers);
        headers.set('Link', '<http://elsewhere.example.org/users/search?limit=1&offset=1>; rel="next"');
        return new Response(await response.arrayBuffer(), { headers });
      },
    });
    await (await elsewhere.search_users({ limit: 1 })).next();
    expect(asked[1]).toBe(`${container.url}/users/search?limit=1&offset=1`);
  });
});

describe('conditions', () => {
  it('a read with the current entity tag is answered with notModified', async () => {
    const given = { record_id: RECORD };
    const { etag } = await client.get_problems(given);
    expect(etag).toBeDefined();
    const again = await client.get_problems(given, { ifNoneMatch: etag });
    expect(again).toMatchObject({ notModified: true, status: 304, etag });
    const other = await client.get_problems(given, { ifNoneMatch: '"other"' });
    expect(other.notModified).toBe(false);
    const photograph = await client.get_photograph({ ...given, format: 'raw' });
    expect(
      await client.get_photograph({ ...given, format: 'raw' }, { ifNoneMatch: photograph.etag }),
    ).toMatchObject({ notModified: true });
    const manifest = await client.get_container_manifest();
    expect(await client.get_container_manifest({}, { ifNoneMatch: manifest.etag })).toMatchObject({
      notModified: true,
    });
  });

  it('a change with another entity tag is refused, and one with the current is made', async () => {
    const given = { record_id: RECORD, smart_app_id: APP };
    const first = await client.put_scratchpad_data(given, 'one', { ifNoneMatch: '*' });
    const second = await client.put_scratchpad_data(given, 'two', { ifMatch: first.etag });
    const refused = await failure(client.put_scratchpad_data(given, 'three', { ifMatch: first.etag }));
    expect(refused).toMatchObject({ kind: 'refused', status: 412 });
    expect(await failure(client.put_scratchpad_data(given, 'x', { ifNoneMatch: '*' }))).toMatchObject({
      status: 412,
    });
    expect((await client.get_scratchpad_data(given)).text()).toBe('two');
    // Long enough to be compressed on its way.
    await client.put_scratchpad_data(given, 'long '.repeat(10_000), { ifMatch: second.etag });
    const { etag } = await client.get_scratchpad_data(given);
    const third = await client.put_scratchpad_data(given, 'three', { ifMatch: etag });
    expect(await failure(client.delete_scratchpad_data(given, { ifMatch: '"x"' }))).toMatchObject({
      status: 412,
    });
    expect((await client.delete_scratchpad_data(given, { ifMatch: third.etag })).status).toBe(200);
  });
});

describe('a posted statement', () => {
  it('may be a dataset, with any text in it', async () => {
    const [note, resource, content] = [blankNode('n'), blankNode('r'), blankNode('c')];
    const type = namedNode('http://purl.org/NET/mediatypes/text/plain');
    const text = 'Zeile 1\n\t"Ω" \\ 🩺 \u0085 </sp:value>';
    const dataset = new Store([
      quad(note, namedNode(rdf.type), namedNode(sp.ClinicalNote)),
      quad(note, namedNode(dcterms.date), literal('2024-06-01')),
      quad(note, namedNode(dcterms.format), type),
      quad(type, namedNode(rdf.type), namedNode(dcterms.MediaTypeOrExtent)),
      quad(type, namedNode(rdfs.label), literal('text/plain')),
      quad(note, namedNode(sp.resource), resource),
      quad(resource, namedNode(rdf.type), namedNode(sp.Resource)),
      quad(resource, namedNode(sp.content), content),
      quad(content, namedNode(rdf.type), namedNode(sp.Content)),
      quad(content, namedNode(sp.encoding), literal('UTF-8')),
      quad(content, namedNode(sp.value), literal(text)),
    ]);
    const { object, faults } = await client.post_clinical_note({ record_id: RECORD }, dataset);
    expect(object.resource.content?.value).toBe(text);
    expect(faults).toEqual([]);
    const { dataset: stored } = await client.get_clinical_note({
      record_id: RECORD,
      clinical_note_id: object.iri.replace(/^.*\//, ''),
    });
    expect([...stored].map(({ object }) => object.value)).toContain(text);
  });

  it('is refused with what the container says of it', async () => {
    const error = await failure(client.post_clinical_note({ record_id: RECORD }, 'no RDF at all'));
    expect(error).toMatchObject({
      kind: 'refused',
      call: 'post_clinical_note',
      status: 400,
      type: 'https://chartgraph.example.org/problems#malformed-request',
      title: 'The request is malformed',
    });
    expect(error.message).toContain(error.detail);
    const xml = await failure(
      client.post_clinical_note({ record_id: RECORD }, '<a/>', { contentType: 'application/rdf+xml' }),
    );
    expect(xml.status).toBeGreaterThanOrEqual(400);
  });
});

describe('errors', () => {
  it('are problem documents with their members', async () => {
    const foreign = await failure(client.get_problems({ record_id: '1000002' }));
    expect(foreign).toMatchObject({
      name: 'ChartgraphError',
      kind: 'refused',
      call: 'get_problems',
      status: 403,
      type: 'https://chartgraph.example.org/problems#forbidden',
      title: 'The credentials do not cover this resource',
      detail: 'The access token is for another record.',
    });
    const malformed = await failure(client.get_problems({ record_id: RECORD, date_from: 'soon' }));
    expect(malformed).toMatchObject({ status: 400, problem: { parameter: 'date_from' } });
    const none = await failure(client.get_problem({ record_id: RECORD, problem_id: 'none' }));
    expect(none).toMatchObject({ status: 404 });
  });

  it('of an unreachable container say where it should be, and why not', async () => {
    const port = await freePort();
    const far = createClient({
      baseUrl: `http://localhost:${port}`,
      consumerKey: 'a',
      consumerSecret: 'S3CRET',
    });
    const error = await failure(far.search_records({ family_name: 'Lindqvale' }));
    expect(error).toMatchObject({ kind: 'network', status: undefined });
    expect(error.message).toBe(`search_records: http://localhost:${port} cannot be reached (ECONNREFUSED).`);
  });

  it('of a slow container are those of the signal', async () => {
    const server = createServer(() => undefined);
    const url = await listen(server);
    const slow = createClient({ baseUrl: url });
    const timeout = slow.get_container_manifest({}, { signal: AbortSignal.timeout(50) });
    await expect(timeout).rejects.toMatchObject({ name: 'TimeoutError' });
    const controller = new AbortController();
    const ended = slow.get_container_manifest({}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    server.closeAllConnections();
    server.close();
  });

  it.each([
    [
      'a broken graph',
      'application/n-triples',
      '<a> <b> "Lindqvale',
      /is no application\/n-triples in line 1/,
    ],
    ['a graph in another format', 'text/html', '<html>', /type text\/html cannot be read/],
    [
      'a graph about something else',
      'application/n-triples',
      '<http://a.example.org/> <http://b.example.org/> <http://c.example.org/> .',
      /no Demographics/,
    ],
    ['bytes that are no text', 'application/n-triples', Buffer.from([0xff, 0xfe]), /not UTF-8/],
  ])('name %s without repeating it', async (_, type, body, message) => {
    const error = await failure(
      answering(200, { 'Content-Type': type }, body).get_demographics({ record_id: '1' }),
    );
    expect(error.kind).toBe('answer');
    expect(error.message).toMatch(message);
    expect(inspect(error)).not.toContain('Lindqvale');
  });

  it('of a proxy that knows no problem documents have their status', async () => {
    const html = await failure(answering(502, { 'Content-Type': 'text/html' }, '<p>bad').get_ontology());
    expect(html).toMatchObject({ kind: 'refused', status: 502, title: undefined, problem: {} });
    const busy = await failure(answering(503, { 'Retry-After': '7' }, '').get_ontology());
    expect(busy).toMatchObject({ status: 503, retryAfter: 7 });
    const moved = await failure(
      answering(302, { Location: 'http://elsewhere.example.org/' }, '').get_ontology(),
    );
    expect(moved.status).toBe(302);
    const broken = answering(200, { 'Content-Type': 'application/json' }, '{').get_container_manifest();
    expect(await failure(broken)).toMatchObject({ kind: 'answer' });
  });

  it('never show a secret, and neither does what is printed of client, answer or error', async () => {
    const credentials = await container.token(RECORD, APP, USER);
    const secrets = [credentials.consumerSecret, credentials.tokenSecret ?? '', credentials.token ?? ''];
    for (const secret of secrets) expect(secret.length).toBeGreaterThan(5);
    const mine = createClient({ baseUrl: container.url, ...credentials });
    const telling = createClient({
      baseUrl: container.url,
      ...credentials,
      fetch: (_, init) => Promise.reject(new Error(JSON.stringify(init))),
    });
    const shown = [
      mine,
      await mine.get_problems({ record_id: RECORD }),
      await failure(mine.get_problems({ record_id: '1000002' })),
      await failure(telling.get_problems({ record_id: RECORD })),
    ].flatMap((value) => [
      inspect(value, { depth: 10, showHidden: true, getters: true }),
      String(value),
      JSON.stringify(value),
      value instanceof Error ? String(value.stack) : '',
    ]);
    for (const secret of secrets) for (const text of shown) expect(text).not.toContain(secret);
    const withPassword = Promise.resolve().then(() =>
      createClient({ baseUrl: 'http://me:S3CRET@localhost' }),
    );
    const error: unknown = await withPassword.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain('S3CRET');
  });
});

describe('what is asked', () => {
  it('is refused before it is sent when it cannot be an address', async () => {
    const never = createClient({ baseUrl: container.url, fetch: () => Promise.reject(new Error('sent')) });
    for (const record_id of ['', '.', '..', '\ud800', undefined, null, {}]) {
      const given = { record_id } as { record_id: string };
      await expect(never.get_demographics(given)).rejects.toBeInstanceOf(TypeError);
    }
    const misspelt = { record_id: '1', date_form: '2012' } as { record_id: string };
    await expect(never.get_problems(misspelt)).rejects.toThrow('get_problems has no parameter date_form.');
  });

  it('reaches the container as it was given, whatever characters it holds', async () => {
    const seen: string[] = [];
    const open = createClient({
      baseUrl: container.url,
      fetch: (input, init) => {
        seen.push(new URL(String(input)).searchParams.get('family_name') ?? '');
        return fetch(input, init);
      },
    });
    const names = ["O'Brien & Söhne", '日本/..?#', 'a+b%20c', '🩺'];
    for (const family_name of names) expect((await open.search_records({ family_name })).objects).toEqual([]);
    expect(seen).toEqual(names);
    const signed = await client.search_records({ family_name: "O'Brien (& Söhne)*!" });
    expect(signed.objects).toEqual([]);
  });

  it('goes to no other address than the one that it is for', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    const baseUrl = await new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    });
    const analyst = createAnalyst({ baseUrl, bearerToken: 'x' });
    expect((await failure(analyst.frequent_problems())).status).toBe(307);
    server.close();
    expect(asked).toEqual(['/analyses/frequent_problems']);
  });

  it('is not sent at all with settings that cannot be used', () => {
    for (const baseUrl of [
      '',
      'localhost:7000',
      'ftp://localhost',
      'http://localhost/?a',
      'http://localhost/#a',
    ])
      expect(() => createClient({ baseUrl })).toThrow(TypeError);
    expect(() => createAnalyst({ baseUrl: 'http://ehr.example.org', bearerToken: 'x' })).toThrow('https');
    expect(() => createClient({ baseUrl: container.url, token: 'a' })).toThrow('consumerKey');
    expect(() => createClient({ baseUrl: container.url, consumerKey: 'a' })).toThrow('consumerSecret');
  });
});

describe('data that is not as the ontology asks', () => {
  it('is given as far as it goes, and every difference is named', async () => {
    const base = 'http://localhost/records/1';
    const text = `
      @prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
      <${base}/medications/a> a sp:Medication ; sp:belongsTo <${base}> , "1" ;
        sp:startDate "2001", "2002" ; sp:instructions [] ; sp:endDate <http://year.example.org/2003> ;
        sp:quantity [ a sp:Code ] ; sp:fulfillment <${base}/medications/a>, <${base}/fulfillments/b> .
      <${base}/fulfillments/b> a sp:Encounter .`;
    const answer = await answering(
      200,
      { 'Content-Type': 'text/turtle' },
      text,
      'http://localhost',
    ).get_medication({
      record_id: '1',
      medication_id: 'a',
    });
    expect(answer.object).toMatchObject({
      iri: `${base}/medications/a`,
      belongsTo: { iri: base },
      startDate: expect.stringMatching(/^200[12]$/) as string,
      endDate: 'http://year.example.org/2003',
    });
    expect(answer.object).not.toHaveProperty('drugName');
    const reasons = answer.faults.map(({ property, reason }) => `${property}: ${reason}`);
    expect(reasons).toEqual(
      expect.arrayContaining([
        'drugName: missing',
        'startDate: several',
        'instructions: not a text',
        'instructions: missing',
        'belongsTo: not a thing',
        'undefined: of another class',
      ]),
    );
  });
});

/** A client of a container that always answers the same. */
function answering(
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
  baseUrl = 'http://localhost:1',
): Client {
  return createClient({
    baseUrl,
    format: turtle,
    fetch: () => Promise.resolve(new Response(body, { status, headers })),
  });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return Number(port);
}
