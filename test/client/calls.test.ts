import type { Quad } from '@rdfjs/types';
import { isomorphic } from 'rdf-isomorphic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Answer, type Client, type ListAnswer } from '../../src/client/client.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { startTestContainer, type Credentials, type TestContainer } from '../http/container.js';
import { readRdfXml } from '../http/rdfxml.js';
import { readSeedRecords } from '../seed/seed-records.js';
import { APP, USER } from './client.js';

const { ontology } = await loadOntology('ontology');
const records = readSeedRecords();
/** The seed record that has most statements of a class, so that each call has something to answer. */
function recordWith(className: string): string {
  const count = ({ statements }: (typeof records)[number]): number =>
    statements.filter(({ name }) => name === className).length;
  const [most] = [...records].sort((a, b) => count(b) - count(a));
  return most?.id ?? '';
}

let container: TestContainer;
const tokens = new Map<string, Credentials>();
const clients = new Map<string, Client>();
const called = new Set<string>();

beforeAll(async () => {
  container = await startTestContainer();
  for (const { id } of records) {
    const token = await container.token(id, APP, USER);
    tokens.set(id, token);
    clients.set(id, createClient({ baseUrl: container.url, ...token }));
  }
});
afterAll(() => container.stop());

type AnyMethod = (parameters: object, ...rest: unknown[]) => Promise<Answer>;

/** Calls a method by its name, as a program that reads the names from the ontology would. */
async function call<A extends Answer>(record: string, name: string, ...given: object[]): Promise<A> {
  called.add(name);
  const method = clients.get(record)?.[name as keyof Client] as unknown as AnyMethod;
  return (await method(given[0] ?? {}, ...given.slice(1))) as A;
}

async function fetched(record: string, path: string): Promise<{ quads: Quad[]; response: Response }> {
  const response = await container.request(path, { as: tokens.get(record) });
  expect(response.status).toBe(200);
  return { quads: await readRdfXml(await response.clone().text()), response };
}

const local = (iri: string): string => iri.replace(/^.*[#/]/, '');
const gets = ontology.calls.filter(({ method }) => method === 'GET');
const graphs = gets.filter(
  ({ answer, scope }) => scope === 'record' && (answer === 'rdf' || answer === 'document'),
);

describe('every method of the client', () => {
  it.each(graphs.filter(({ cardinality }) => cardinality === 'multiple').map((each) => [each.name, each]))(
    '%s gives the graph that another parser reads, and an object for each statement in its order',
    async (name, { path, target }) => {
      const record = recordWith(local(target));
      const list = await call<ListAnswer<{ iri: string; type: string }>>(record, name, { record_id: record });
      const { quads } = await fetched(record, path.replace('{record_id}', record));
      expect(isomorphic([...list.dataset], quads)).toBe(true);
      expect(list.objects.length).toBeGreaterThan(0);
      expect(list.objects.map(({ iri }) => iri)).toEqual(orderOf(quads));
      expect(list.total).toBe(list.objects.length);
      expect(list.faults).toEqual([]);
      for (const { iri, type } of list.objects) {
        const types = quads.filter(
          (quad) => quad.subject.value === iri && quad.predicate.value.endsWith('#type'),
        );
        expect(types.map(({ object }) => local(object.value))).toContain(type);
      }
    },
  );

  it.each(graphs.filter(({ cardinality }) => cardinality === 'single').map((each) => [each.name, each]))(
    '%s gives the one statement, all values of which stand in the graph that another parser reads',
    async (name, { path, target, pathParameters, parameters }) => {
      const record = recordWith(local(target));
      const own = pathParameters.find((parameter) => parameter !== 'record_id');
      const id = own === undefined ? undefined : await firstId(record, path.replace(/\{(?!record_id).*/, ''));
      const given = {
        record_id: record,
        ...(own === undefined ? {} : { [own]: id }),
        ...(parameters.some((each) => each.name === 'format') ? { format: 'metadata' } : {}),
      };
      const answer = await call<ListAnswer<never> & { object: object }>(record, name, given);
      const filled = path.replace('{record_id}', record).replace(/\{.*\}/, id ?? '');
      const query = 'format' in given ? '?format=metadata' : '';
      const { quads, response } = await fetched(record, filled + query);
      expect(isomorphic([...answer.dataset], quads)).toBe(true);
      expect(answer.object).toMatchObject({ iri: container.url + filled, type: local(target) });
      expect(answer.faults).toEqual([]);
      expect(answer.etag).toMatch(/^"/);
      expect(response.headers.get('Content-Type')).toBe('application/rdf+xml');
      const values = new Set(quads.flatMap(({ subject, object }) => [subject.value, object.value]));
      const leaves = leavesOf(answer.object);
      // Of a record itself there is nothing to tell but its links.
      expect(leaves.length).toBeGreaterThan(name === 'get_record' ? 0 : 3);
      for (const leaf of leaves) expect(values).toContain(leaf);
    },
  );

  it('get_ontology gives the graph of the ontology', async () => {
    const answer = await call<ListAnswer<never>>('1000001', 'get_ontology');
    const { quads } = await fetched('1000001', '/ontology');
    expect(answer.dataset.size).toBe(quads.length);
    expect(isomorphic([...answer.dataset], quads)).toBe(true);
  });

  it('search_records and search_users give an object for each that matches', async () => {
    const client = clients.get('1000001');
    called.add('search_records').add('search_users');
    const all = await client?.search_records();
    expect(all?.objects).toHaveLength(records.length);
    expect(all?.total).toBeUndefined();
    const found = await client?.search_records({ family_name: 'LIND', gender: 'female' });
    expect(found?.objects.map(({ n }) => n.family_name)).toEqual(['Lindqvale']);
    const { quads } = await fetched('1000001', '/records/search?family_name=LIND&gender=female');
    expect(isomorphic([...(found?.dataset ?? [])], quads)).toBe(true);
    const users = await client?.search_users();
    const raw = await fetched('1000001', '/users/search');
    expect(isomorphic([...(users?.dataset ?? [])], raw.quads)).toBe(true);
    expect(users?.objects).toHaveLength(4);
    expect(users?.objects.map(({ iri }) => iri)).toContain(`${container.url}/users/${USER}`);
  });

  it('get_user gives one user', async () => {
    const { object, dataset } = await call<ListAnswer<never> & { object: object }>('1000001', 'get_user', {
      user_id: USER,
    });
    const { quads } = await fetched('1000001', `/users/${USER}`);
    expect(isomorphic([...dataset], quads)).toBe(true);
    expect(object).toMatchObject({ iri: `${container.url}/users/${USER}`, type: 'User', role: 'clinician' });
  });

  it.each([
    ['get_container_manifest', {}, '/manifest'],
    ['get_app_manifests', {}, '/apps/manifests/'],
    ['get_app_manifest', { descriptor: APP }, `/apps/${APP}/manifest`],
  ])('%s gives the JSON of the container', async (name, given, path) => {
    const { object, mediaType, raw } = await call<Answer & { object: unknown; raw: string }>(
      '1000001',
      name,
      given,
    );
    const text = await (await container.request(path)).text();
    expect(raw).toBe(text);
    expect(object).toEqual(JSON.parse(text));
    expect(mediaType).toBe('application/json');
  });

  it.each([
    ['scratchpad_data', { record_id: '1000001', smart_app_id: APP }],
    ['user_preferences', { user_id: USER, smart_app_id: APP }],
  ])('get_, put_ and delete_%s keep any text with its media type, and let it go', async (name, given) => {
    type File = Answer & { raw: Uint8Array; text(): string };
    const text = 'naïve – 日本語 – 🩺 – "<&>"';
    const empty = await call<File>('1000001', `get_${name}`, given);
    expect([empty.status, empty.text()]).toEqual([200, '']);
    called.add(`put_${name}`);
    const put = clients.get('1000001')?.[`put_${name}` as 'put_scratchpad_data'];
    const stored = await put?.(given as { record_id: string; smart_app_id: string }, text, {
      contentType: 'application/x-own; charset=UTF-8',
    });
    expect(stored?.text()).toBe(text);
    const read = await call<File>('1000001', `get_${name}`, given);
    expect(read.text()).toBe(text);
    expect(new TextDecoder().decode(read.raw)).toBe(text);
    expect(read.mediaType).toBe('application/x-own; charset=utf-8');
    expect(read.etag).toBe(stored?.etag);
    expect((await call<File>('1000001', `delete_${name}`, given)).status).toBe(200);
    expect((await call<File>('1000001', `get_${name}`, given)).text()).toBe('');
  });

  it('post_clinical_note adds a note, once for each idempotency key', async () => {
    called.add('post_clinical_note');
    const client = clients.get('1000001');
    const note = `
      @prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      [] a sp:ClinicalNote ; dcterms:date "2024-05-01" ; dcterms:title "Überweisung 🩺" ;
        dcterms:format <http://purl.org/NET/mediatypes/text/plain> ;
        sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "日本 \\\\ \\" '" ] ] .
      <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;
    const given = { record_id: '1000001' };
    const first = await client?.post_clinical_note(given, note, { idempotencyKey: 'a key' });
    const again = await client?.post_clinical_note(given, note, { idempotencyKey: 'a key' });
    expect(first?.status).toBe(200);
    expect(again?.location).toBe(first?.location);
    expect(first?.object).toMatchObject({
      iri: first?.location,
      type: 'ClinicalNote',
      title: 'Überweisung 🩺',
      format: { label: 'text/plain' },
      resource: { content: { value: '日本 \\ " \'' } },
      belongsTo: { iri: `${container.url}/records/1000001` },
    });
    const id = local(first?.location ?? '');
    const { quads } = await fetched('1000001', `/records/1000001/clinical_notes/${id}`);
    expect(isomorphic([...(first?.dataset ?? [])], quads)).toBe(true);
  });

  it('get_record_changes tells of what was written, as far back as is asked', async () => {
    interface Changes {
      readonly changes: readonly { readonly revision: number; readonly added: readonly string[] }[];
      readonly revision: number;
    }
    called.add('get_record_changes');
    const client = clients.get('1000002');
    const given = { record_id: '1000002' };
    const before = await client?.get_record_changes<Changes>(given);
    const note = await client?.post_clinical_note(given, {
      ...{ date: '2024-05-01', title: 'A note', format: { label: 'text/plain' } },
      resource: { content: { encoding: 'UTF-8', value: 'Well.' } },
    });
    const after = await client?.get_record_changes<Changes>({
      ...given,
      since: before?.object.revision ?? 0,
    });
    expect(after?.object.changes.map(({ added }) => added)).toEqual([[note?.location]]);
    const asked = { ...given, since: before?.object.revision ?? 0 };
    const again = await client?.get_record_changes(asked, { ifNoneMatch: after?.etag });
    expect(again?.status).toBe(304);
  });

  it('exports are begun, looked at and removed, by a background app without a token', async () => {
    interface Shown {
      readonly id: string;
      readonly format: string;
    }
    const app = 'demo-background@apps.example.org';
    const { consumerKey, consumerSecret } = await container.token(undefined, app);
    const client = createClient({ baseUrl: container.url, consumerKey, consumerSecret });
    const begun = await client.post_export<Shown>({ app_id: app }, { format: 'nquads' });
    expect([begun.status, begun.object.format]).toEqual([202, 'nquads']);
    const one = { app_id: app, export_id: begun.object.id };
    expect((await client.get_export<Shown>(one)).object).toMatchObject({ id: begun.object.id });
    const all = await client.get_exports<{ exports: readonly Shown[] }>({ app_id: app });
    expect(all.object.exports.map(({ id }) => id)).toEqual([begun.object.id]);
    expect((await client.post_export<Shown>({ app_id: app })).object.format).toBe('ndjson');
    await expect(client.get_export_file({ ...one, file: '99' })).rejects.toMatchObject({ status: 404 });
    expect((await client.delete_export(one)).status).toBe(200);
    await expect(client.get_export(one)).rejects.toMatchObject({ status: 404 });
    for (const name of ['get', 'post', 'delete']) called.add(`${name}_export`);
    called.add('get_exports').add('get_export_file');
  });

  it('subscriptions are made, read, set back and ended', async () => {
    interface Shown {
      readonly id: string;
      readonly url: string;
      readonly since: number;
      readonly secret?: string;
    }
    const client = clients.get('1000001');
    const record = { record_id: '1000001' };
    const url = 'http://localhost:8000/told';
    const made = await client?.post_record_subscription<Shown>(record, { url });
    expect([made?.status, made?.object.url]).toEqual([201, url]);
    expect(made?.object.secret).toMatch(/^whsec_/);
    const one = { ...record, subscription_id: made?.object.id ?? '' };
    const read = await client?.get_record_subscription<Shown>(one);
    expect(read?.object).toMatchObject({ url, since: made?.object.since });
    const all = await client?.get_record_subscriptions<{ subscriptions: readonly Shown[] }>(record);
    expect(all?.object.subscriptions).toEqual([read?.object]);
    const put = await client?.put_record_subscription<Shown>(one, { since: (made?.object.since ?? 0) - 1 });
    expect(put?.object.since).toBe((made?.object.since ?? 0) - 1);
    expect((await client?.delete_record_subscription(one))?.status).toBe(200);
    await expect(client?.get_record_subscription(one)).rejects.toMatchObject({ status: 404 });
    for (const name of ['get', 'put', 'post', 'delete']) called.add(`${name}_record_subscription`);
    called.add('get_record_subscriptions');
  });

  it('is called by the tests above', () => {
    expect([...called].sort()).toEqual(ontology.calls.map(({ name }) => name).sort());
  });
});

describe('parity', () => {
  it('the client has a method for each call of the ontology, and no other', () => {
    expect(Object.keys(clients.get('1000001') ?? {}).sort()).toEqual(
      ontology.calls.map(({ name }) => name).sort(),
    );
  });
});

/** The order that the summary of a list gives, walked by hand. */
function orderOf(quads: readonly Quad[]): string[] {
  const value = (subject: string, name: string): string =>
    quads.find((quad) => quad.subject.value === subject && local(quad.predicate.value) === name)?.object
      .value ?? '';
  const summary = quads.find(({ object }) => local(object.value) === 'ResponseSummary')?.subject.value ?? '';
  const order: string[] = [];
  for (let cell = value(summary, 'resultOrder'); local(cell) !== 'nil'; cell = value(cell, 'rest'))
    order.push(value(cell, 'first'));
  return order;
}

async function firstId(record: string, path: string): Promise<string> {
  const { quads } = await fetched(record, path.replace('{record_id}', record));
  return local(orderOf(quads)[0] ?? '');
}

/** All texts of an object but the names of classes. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'type' || name === 'types' ? [] : leavesOf(member),
  );
}
