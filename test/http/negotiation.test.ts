import { Parser } from 'n3';
import jsonld from 'jsonld';
import { isomorphic } from 'rdf-isomorphic';
import type { Quad } from '@rdfjs/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedContainer, type Credentials, type TestContainer } from './container.js';
import { readRdfXml } from './rdfxml.js';

let container: TestContainer;
let token: Credentials;

beforeAll(async () => {
  container = await sharedContainer();
  token = await container.token('1000001');
});
afterAll(() => container.stop());

const get = (path: string, accept?: string): Promise<Response> =>
  container.request(path, { as: token, headers: accept === undefined ? {} : { Accept: accept } });

const noLoader = { documentLoader: () => Promise.reject(new Error('a context from elsewhere')) };

/** Readers that know nothing of our writers. */
const readers: Record<string, (text: string) => Promise<Quad[]>> = {
  'application/rdf+xml': readRdfXml,
  'text/turtle': async (text) => Promise.resolve(new Parser({ format: 'Turtle' }).parse(text) as Quad[]),
  'application/n-triples': async (text) =>
    Promise.resolve(new Parser({ format: 'N-Triples' }).parse(text) as Quad[]),
  'application/ld+json': async (text) => {
    const dataset = await jsonld.toRDF(JSON.parse(text) as object, noLoader);
    return dataset as Quad[];
  },
};

const medications = '/records/1000001/medications/';
const xml = 'application/rdf+xml';
const json = 'application/json';

describe('Accept and _format', () => {
  it.each([
    // path, Accept, status, Content-Type
    [medications, undefined, 200, xml],
    [medications, '*/*', 200, xml],
    [medications, 'text/html, */*;q=0.1', 200, xml],
    [medications, 'text/turtle', 200, 'text/turtle'],
    [medications, 'text/*', 200, 'text/turtle'],
    [medications, 'application/xml', 200, xml],
    [medications, 'text/xml', 200, xml],
    [medications, 'text/turtle;q=0.5, text/xml;q=0.6', 200, xml],
    [medications, 'application/xml;q=0', 406, 'application/problem+json'],
    [medications, json, 200, 'application/ld+json'],
    [medications, 'application/json, text/javascript, */*; q=0.01', 200, 'application/ld+json'],
    [medications, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200, xml],
    ['/ontology', 'application/xml', 200, xml],
    ['/ontology', 'text/html,application/xhtml+xml,application/xml;q=0.9', 200, 'text/html; charset=utf-8'],
    [medications, 'application/n-triples', 200, 'application/n-triples'],
    [medications, 'application/ld+json', 200, 'application/ld+json'],
    [medications, 'application/rdf+xml;q=0.2, text/turtle;q=0.3', 200, 'text/turtle'],
    [medications, 'application/rdf+xml;q=0, */*', 200, 'text/turtle'],
    [medications, 'text/html', 406, 'application/problem+json'],
    [medications, '*/*;q=0', 406, 'application/problem+json'],
    [`${medications}?_format=turtle`, xml, 200, 'text/turtle'],
    [`${medications}?_format=ntriples`, 'text/html', 200, 'application/n-triples'],
    [`${medications}?_format=jsonld`, undefined, 200, 'application/ld+json'],
    [`${medications}?_format=rdfxml`, 'text/turtle', 200, xml],
    [`${medications}?_format=trig`, undefined, 400, 'application/problem+json'],
    [`${medications}?_format=`, undefined, 400, 'application/problem+json'],
    [`${medications}?_format=turtle&_format=rdfxml`, undefined, 400, 'application/problem+json'],
    ['/records/1000001/medications/none', 'text/html', 404, 'application/problem+json'],
    ['/ontology', 'text/turtle', 200, 'text/turtle'],
    ['/ontology', 'text/html', 200, 'text/html; charset=utf-8'],
    ['/users/search', 'application/ld+json', 200, 'application/ld+json'],
    ['/manifest', undefined, 200, json],
    ['/manifest', 'application/*', 200, json],
    ['/manifest', xml, 406, 'application/problem+json'],
    ['/apps/manifests/', 'text/html,*/*;q=0.1', 200, json],
    ['/apps/nobody/manifest', xml, 404, 'application/problem+json'],
  ])('%s with Accept %s is %d %s', async (path, accept, status, contentType) => {
    const response = await get(path, accept);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([status, contentType]);
    const past = path.startsWith('/records/') ? 'Accept-Datetime, ' : '';
    if (status === 200) expect(response.headers.get('Vary')).toBe(`Accept, Accept-Encoding, ${past}Origin`);
  });

  it.each([
    medications,
    `${medications}?limit=1`,
    '/records/1000001/lab_panels/',
    '/records/1000001/vital_sign_sets/',
    '/records/1000001/demographics',
    '/records/1000001/documents/?format=combined',
    '/records/search?family_name=l',
    '/users/clinician',
    '/ontology',
  ])('every serialisation of %s is the same graph', async (path) => {
    const graphs: Quad[][] = [];
    for (const [mediaType, read] of Object.entries(readers)) {
      const response = await get(path, mediaType);
      expect(response.headers.get('Content-Type')).toBe(mediaType);
      graphs.push(await read(await response.text()));
    }
    const [first = [], ...others] = graphs;
    expect(first.length).toBeGreaterThan(0);
    for (const other of others) expect(isomorphic(first, other)).toBe(true);
  });

  it('JSON-LD explains itself with names of the ontology, as a tree', async () => {
    const { '@context': context, '@graph': nodes } = (await (
      await get(`${medications}?limit=1`, 'application/ld+json')
    ).json()) as { '@context': Record<string, unknown>; '@graph': Record<string, unknown>[] };
    expect(context['drugName']).toEqual({
      '@id': 'http://smartplatforms.org/terms#drugName',
      '@type': '@id',
    });
    expect(context['problemName']).toBeUndefined();
    const medication = nodes.find((node) => node['@type'] === 'Medication');
    expect(medication?.['drugName']).toMatchObject({ '@type': 'CodedValue' });
    const summary = nodes.find((node) => node['@type'] === 'api__ResponseSummary');
    expect(summary).toMatchObject({
      api__totalResultCount: expect.any(Number) as number,
      api__resultsReturned: 1,
      api__resultOrder: [medication?.['@id']],
    });
  });
});

describe('a browser that meets a refusal', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it.each([
    ['/nothing', 404],
    ['/records', 404],
    ['/records/1000001/medications/', 401],
    ['/oauth/request_token', 405],
  ])('is shown a page at %s with the status %i', async (path, status) => {
    const answer = await container.request(path, { headers: { Accept: browser } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(await answer.text()).toMatch(/<html lang="en">[^]*<title>[^<]+<\/title>/);
    const program = await container.request(path, { headers: { Accept: '*/*' } });
    expect([program.status, program.headers.get('Content-Type')]).toEqual([
      status,
      'application/problem+json',
    ]);
    for (const name of ['WWW-Authenticate', 'Allow'])
      expect(answer.headers.get(name)).toBe(program.headers.get(name));
  });
});
