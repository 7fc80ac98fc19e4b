import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Parser } from 'n3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { sharedContainer, type Credentials, type TestContainer } from './container.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

const root = resolve(import.meta.dirname, '..', '..');
const { ontology } = await loadOntology(join(root, 'ontology'));
const records = readdirSync(join(root, 'seed', 'records')).map((name) => name.replace('.ttl', ''));
const recordCalls = ontology.calls.filter(
  ({ method, scope, answer }) => method === 'GET' && scope === 'record' && answer === 'rdf',
);
const lists = recordCalls.filter(({ cardinality }) => cardinality === 'multiple');
const localName = (iri: string): string => iri.replace(/^.*#/, '');

/** Statements of a class in a seed file, counted by a parser of its own. */
function seeded(record: string, className: string): number {
  const quads = new Parser().parse(readFileSync(join(root, 'seed', 'records', `${record}.ttl`), 'utf8'));
  return subjectsOf(quads, className).length;
}

let container: TestContainer;
const tokens = new Map<string, Credentials>();

beforeAll(async () => {
  container = await sharedContainer();
  for (const record of records) tokens.set(record, await container.token(record));
});
afterAll(() => container.stop());

async function get(record: string, path: string): Promise<Response> {
  return container.request(path, { as: tokens.get(record) });
}

describe('reading records', () => {
  it.each(lists.map(({ path, target, name }) => [name, path, localName(target)]))(
    '%s answers with every statement of every record, as RDF/XML that another parser reads',
    async (_, path, className) => {
      for (const record of records) {
        const response = await get(record, path.replace('{record_id}', record));
        expect(response.status).toBe(200);
        expect(response.headers.get('Content-Type')).toBe('application/rdf+xml');
        const quads = await readRdfXml(await response.text());
        expect(subjectsOf(quads, className)).toHaveLength(seeded(record, className));
        for (const { subject } of quads.filter(({ predicate }) => predicate.value.endsWith('#belongsTo'))) {
          expect(subject.value).toMatch(new RegExp(`^${container.url}/records/${record}/`));
        }
      }
    },
  );

  it.each(lists.map(({ path, target, name }) => [name, path, localName(target)]))(
    'every statement that %s lists can be fetched at its own IRI, with and without a trailing slash',
    async (_, path, className) => {
      const record = records.find((id) => seeded(id, className) > 0);
      expect(record).toBeDefined();
      if (record === undefined) return;
      const list = await get(record, path.replace('{record_id}', record));
      const [first = ''] = subjectsOf(await readRdfXml(await list.text()), className);
      const bodies = [];
      for (const suffix of ['', '/']) {
        const response = await get(record, first.slice(container.url.length) + suffix);
        expect(response.status).toBe(200);
        bodies.push(await response.text());
      }
      expect(bodies[0]).toBe(bodies[1]);
      expect(subjectsOf(await readRdfXml(bodies[0] ?? ''), className)).toContain(first);
    },
  );

  it('lists allergy exclusions among the allergies', async () => {
    const record = records.find((id) => seeded(id, 'AllergyExclusion') > 0) ?? '';
    const response = await get(record, `/records/${record}/allergies/`);
    const quads = await readRdfXml(await response.text());
    expect(subjectsOf(quads, 'AllergyExclusion')).toHaveLength(seeded(record, 'AllergyExclusion'));
  });

  it('brings a medication with its fulfillments, and a fulfillment with its medication', async () => {
    const record = records.find((id) => seeded(id, 'Fulfillment') > 0) ?? '';
    for (const [path, neighbour] of [
      ['medications', 'Fulfillment'],
      ['fulfillments', 'Medication'],
    ] as const) {
      const quads = await readRdfXml(await (await get(record, `/records/${record}/${path}/`)).text());
      expect(subjectsOf(quads, neighbour).length).toBeGreaterThan(0);
    }
  });

  it('answers HEAD like GET without the content', async () => {
    const path = '/records/1000001/problems/';
    const answer = await container.request(path, { method: 'HEAD', as: tokens.get('1000001') });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('Content-Length'))).toBeGreaterThan(0);
    expect(await answer.text()).toBe('');
  });

  it('answers OPTIONS with the methods of the path', async () => {
    const answer = await container.request('/records/1000001/problems/', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('gives the same bytes for the same request', async () => {
    const bodies = new Set<string>();
    for (let i = 0; i < 3; i++)
      bodies.add(await (await get('1000001', '/records/1000001/lab_results/')).text());
    expect(bodies.size).toBe(1);
  });
});

describe('reading the container', () => {
  it('serves its manifest with exactly the keys that verifiers allow', async () => {
    const response = await container.request('/manifest');
    expect(response.headers.get('Content-Type')).toBe('application/json');
    const manifest = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(manifest).sort()).toEqual([
      'admin',
      'api_base',
      'capabilities',
      'description',
      'launch_urls',
      'name',
      'smart_version',
    ]);
    expect(manifest['api_base']).toBe(container.url);
    expect(manifest['smart_version']).toBe(ontology.version);
  });

  it('serves all app manifests as an array and each one by its id', async () => {
    const all = (await (await container.request('/apps/manifests/')).json()) as { id: string }[];
    expect(all.map(({ id }) => id)).toEqual([
      'demo-background@apps.example.org',
      'demo-frame@apps.example.org',
      'demo-ui@apps.example.org',
      'trends@apps.example.org',
    ]);
    for (const manifest of all) {
      expect(await (await container.request(`/apps/${manifest.id}/manifest`)).json()).toEqual(manifest);
    }
    expect((await container.request('/apps/nobody@apps.example.org/manifest')).status).toBe(404);
  });

  it('serves the whole ontology', async () => {
    const response = await container.request('/ontology');
    const quads = await readRdfXml(await response.text());
    const calls = quads.filter(({ object }) => object.value === 'http://smartplatforms.org/terms/api#Call');
    expect(calls.map(({ subject }) => subject.value).sort()).toEqual(
      ontology.calls.map(({ iri }) => iri).sort(),
    );
  });

  it.each([
    ['', 4],
    ['?name=', 4],
    ['?family_name=zzz', 0],
  ])('/users/search%s finds %d users', async (query, expected) => {
    const quads = await readRdfXml(await (await container.request(`/users/search${query}`)).text());
    expect(subjectsOf(quads, 'User')).toHaveLength(expected);
  });

  it('finds a user by the beginning of either name, whatever its case', async () => {
    const user = await (await container.request('/users/clinician')).text();
    const family = /family-name>([^<]+)</.exec(user)?.[1] ?? '';
    for (const name of [family, family.slice(0, 1), family.toUpperCase(), family.toLowerCase().slice(0, 3)]) {
      const found = await container.request(`/users/search?name=${encodeURIComponent(name)}`);
      expect(subjectsOf(await readRdfXml(await found.text()), 'User')).toContain(
        `${container.url}/users/clinician`,
      );
    }
  });

  it('finds records by names, birth date, gender, postal code and record number', async () => {
    const graph = await (await get('1000001', '/records/1000001/demographics')).text();
    const text = (property: string): string => new RegExp(`${property}>([^<]+)<`).exec(graph)?.[1] ?? '';
    const terms = {
      family_name: text('family-name').slice(0, 2).toLowerCase(),
      given_name: text('given-name').toUpperCase(),
      date_of_birth: text('bday'),
      gender: text('gender'),
      zipcode: text('postal-code'),
      medical_record_number: '1000001',
    };
    for (const query of [...Object.entries(terms).map((term) => [term]), Object.entries(terms)]) {
      const found = await container.request(`/records/search?${new URLSearchParams(query)}`);
      expect(found.status).toBe(200);
      const subjects = subjectsOf(await readRdfXml(await found.text()), 'Demographics');
      expect(subjects).toContain(`${container.url}/records/1000001/demographics`);
    }
  });

  it.each([
    'date_of_birth=yesterday',
    'gender=unknown',
    'zip=1',
    'limit=0',
    'limit=1001',
    'limit=x',
    'offset=-1',
  ])('refuses a search with %s and names the parameter', async (query) => {
    const response = await container.request(`/records/search?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ parameter: query.replace(/=.*/, '') });
  });

  it.each([
    [
      '/records/search',
      'date_of_birth, family_name, gender, given_name, limit, medical_record_number, offset, zipcode, _format',
    ],
    ['/records/1000001/demographics', '_format, at, timemap'],
    ['/records/1000001/apps/demo-ui@apps.example.org/scratchpad', '_format'],
  ])('names all parameters of %s where one is not known', async (path, known) => {
    const response = await container.request(`${path}?familyname=x`, { as: tokens.get('1000001') });
    expect(response.status).toBe(400);
    const problem = (await response.json()) as { detail: string; parameter: string };
    expect(problem.parameter).toBe('familyname');
    expect(problem.detail).toMatch(
      new RegExp(` has no query parameter of this name\\. It knows ${known}\\.$`),
    );
    // Each of them is one that it takes.
    for (const name of known.split(', ')) {
      const answer = await container.request(`${path}?${name}=x`, { as: tokens.get('1000001') });
      expect(await answer.text()).not.toContain('no query parameter of this name');
    }
  });

  it('answers health without credentials', async () => {
    expect((await container.request('/health/live')).status).toBe(200);
    expect((await container.request('/health/ready')).status).toBe(200);
  });
});
