import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { prefixes } from '../../src/rdf/vocabulary.js';
import { startAnalystServer, type AnalystServer } from '../http/analyst-server.js';
import { expectAnswer, hasSuite, queryCases, sendCase, updateCases, writeGraphs } from './w3c-protocol.js';

// Skipped where the suite is not beside the project.
describe.skipIf(!hasSuite)('the protocol tests of the W3C', () => {
  let server: AnalystServer;
  let token: string;

  beforeAll(async () => {
    server = await startAnalystServer();
    await writeGraphs(server);
    await server.user('ana', 'analyst');
    token = await server.token('ana', 'identified');
  });
  afterAll(() => server.stop());

  test.each(queryCases)('$id: $name', async ({ requests }) => {
    expect(requests.length).toBeGreaterThan(0);
    for (const sent of requests) await expectAnswer(sent, await sendCase(server, token, sent));
  });

  test.each(updateCases)('$id is refused, since data is only read: $name', async ({ requests }) => {
    const updates = requests.filter(
      ({ headers, body }) =>
        headers.some(([, value]) => value.includes('sparql-update')) || /(?:^|&)update=/u.test(String(body)),
    );
    expect(updates.length).toBeGreaterThan(0);
    for (const sent of updates) {
      const response = await sendCase(server, token, sent);
      expect(response.status, await response.clone().text()).toBe(400);
      expect(await response.json()).toMatchObject({
        detail: expect.stringContaining('only read here') as string,
      });
    }
  });

  test('without a query the service describes itself, in every format of graphs', async () => {
    for (const accept of [
      'text/turtle',
      'application/rdf+xml',
      'application/n-triples',
      'application/ld+json',
    ]) {
      const response = await fetch(`${server.url}/sparql`, {
        headers: { Accept: accept, Authorization: `Bearer ${token}` },
      });
      expect(response.headers.get('Content-Type')).toBe(accept);
      const quads = await parseRdf(await response.text(), {
        format:
          (
            {
              'text/turtle': 'turtle',
              'application/rdf+xml': 'rdfxml',
              'application/n-triples': 'ntriples',
            } as const
          )[accept] ?? 'jsonld',
        baseIRI: server.url,
      });
      const sd = 'http://www.w3.org/ns/sparql-service-description#';
      const says = (property: string, value: string): boolean =>
        quads.some(({ predicate, object }) => predicate.value === property && object.value === value);
      expect(says(prefixes.rdf + 'type', `${sd}Service`)).toBe(true);
      expect(says(`${sd}endpoint`, `${server.url}/sparql`)).toBe(true);
      expect(says(`${sd}supportedLanguage`, `${sd}SPARQL11Query`)).toBe(true);
    }
  });
});
