import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { readTriples } from '../../src/rdf/ntriples.js';
import type { Quad, Term } from '../../src/rdf/terms.js';
import { prefixes, rdf } from '../../src/rdf/vocabulary.js';
import { startAnalystServer, type AnalystServer } from '../http/analyst-server.js';
import { sharedData } from '../shared-data.js';

// The protocol tests of the SPARQL 1.1 test suite (W3C), their requests as the manifest writes them. The graphs of the
// suite are put below the base URL, since every graph of a container is.

const folder = sharedData('w3c-rdf-tests', 'sparql', 'sparql11', 'protocol');
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const HT = 'http://www.w3.org/2011/http#';
const CNT = 'http://www.w3.org/2011/content#';
const GRAPHS = 'http://kasei.us/2009/09/sparql/data/';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer | undefined;
  readonly isTrue: string | undefined;
  readonly format: string | undefined;
  readonly statuses: readonly string[];
}

interface Case {
  readonly id: string;
  readonly name: string;
  readonly requests: readonly Sent[];
}

class Manifest {
  constructor(readonly quads: readonly Quad[]) {}

  all(subject: Term | undefined, property: string): Term[] {
    return this.quads
      .filter((each) => each.subject.value === subject?.value && each.predicate.value === property)
      .map(({ object }) => object);
  }

  one(subject: Term | undefined, property: string): Term | undefined {
    return this.all(subject, property)[0];
  }

  text(subject: Term | undefined, property: string): string | undefined {
    return this.one(subject, property)?.value;
  }

  list(head: Term | undefined): Term[] {
    const first = this.one(head, rdf.first);
    return first ? [first, ...this.list(this.one(head, rdf.rest))] : [];
  }

  cases(): Case[] {
    return this.quads
      .filter(({ predicate, object }) => predicate.value === rdf.type && object.value === `${MF}ProtocolTest`)
      .map(({ subject }) => ({
        id: subject.value.slice(subject.value.indexOf('#') + 1),
        name: this.text(subject, `${MF}name`) ?? '',
        requests: this.list(this.one(this.one(subject, `${MF}action`), `${HT}requests`)).map((each) =>
          this.request(each),
        ),
      }));
  }

  request(node: Term): Sent {
    const body = this.one(node, `${HT}body`);
    const chars = this.text(body, `${CNT}chars`);
    const isUtf16 = this.text(body, `${CNT}characterEncoding`) === 'UTF-16';
    const response = this.one(node, `${HT}resp`);
    return {
      method: this.text(node, `${HT}methodName`) ?? '',
      path: (this.text(node, `${HT}absolutePath`) ?? '').replace('/sparql/', '/sparql'),
      headers: this.list(this.one(node, `${HT}headers`)).map(
        (each) =>
          [this.text(each, `${HT}fieldName`) ?? '', this.text(each, `${HT}fieldValue`) ?? ''] as const,
      ),
      body: chars !== undefined && isUtf16 ? Buffer.from(chars, 'utf16le') : chars,
      isTrue: this.text(response, `${MF}expectedBoolean`),
      format: this.text(response, `${MF}expectedFormat`),
      statuses: this.all(response, `${MF}expectedStatus`).map(({ value }) => value.slice(-3)),
    };
  }
}

const cases =
  folder === undefined
    ? []
    : new Manifest(
        await parseRdf(readFileSync(join(folder, 'manifest.ttl'), 'utf8'), {
          format: 'turtle',
          baseIRI: 'http://localhost/manifest',
        }),
      ).cases();

/** What data is written by is refused, as docs/analysts.md says: a test of the suite that expects it to be done is not ours. */
const isUpdate = ({ id }: Case): boolean => id.startsWith('update_');

const types: Readonly<Record<string, RegExp>> = {
  boolean: /^application\/sparql-results\+(?:json|xml)/u,
  tabular: /^(?:application\/sparql-results\+(?:json|xml)|text\/(?:csv|tab-separated-values))/u,
  RDF: /^(?:application\/rdf\+xml|text\/turtle|application\/n-triples)/u,
};

// Skipped where the suite is not beside the project.
describe.skipIf(folder === undefined)('the protocol tests of the W3C', () => {
  let server: AnalystServer;
  let token: string;

  beforeAll(async () => {
    server = await startAnalystServer();
    const own = `${server.url}/records/w3c/`;
    await server.primary.write({
      replace: ['data1', 'data2', 'data3'].map((name) => ({
        name: `${own}${name}.rdf`,
        quads: readTriples(readFileSync(join(folder ?? '', `${name}.nt`), 'utf8').replaceAll(GRAPHS, own)),
      })),
    });
    await server.user('ana', 'analyst');
    token = await server.token('ana', 'identified');
  });
  afterAll(() => server.stop());

  const send = ({ method, path, headers, body }: Sent): Promise<Response> => {
    const own = `${server.url}/records/w3c/`;
    const ours = (text: string): string =>
      text.replaceAll(GRAPHS, own).replaceAll(encodeURIComponent(GRAPHS), encodeURIComponent(own));
    const fields = headers.filter(([name]) => !/^content-length$/iu.test(name));
    // fetch says text/plain for a text without a type; the suite means none.
    const content = typeof body === 'string' ? Buffer.from(ours(body)) : body;
    return fetch(server.url + ours(path), {
      method,
      headers: [
        ...fields.map(([name, value]): [string, string] => [name, value]),
        ['Authorization', `Bearer ${token}`],
      ],
      body: method === 'GET' || content === undefined ? null : new Uint8Array(content),
    });
  };

  test.each(cases.filter((each) => !isUpdate(each)))('$id: $name', async ({ requests }) => {
    expect(requests.length).toBeGreaterThan(0);
    for (const sent of requests) {
      const response = await send(sent);
      const text = await response.text();
      const isExpected = sent.statuses.some((status) => status[0] === String(response.status)[0]);
      expect(isExpected, `${response.status} ${text}`).toBe(true);
      if (sent.format !== undefined) {
        expect(response.headers.get('Content-Type')).toMatch(types[sent.format] ?? /^$/u);
      }
      if (sent.isTrue !== undefined) {
        expect(JSON.parse(text)).toMatchObject({ boolean: ['true', '1'].includes(sent.isTrue) });
      }
    }
  });

  test.each(cases.filter(isUpdate))(
    '$id is refused, since data is only read: $name',
    async ({ requests }) => {
      const updates = requests.filter(
        ({ headers, body }) =>
          headers.some(([, value]) => value.includes('sparql-update')) ||
          /(?:^|&)update=/u.test(String(body)),
      );
      expect(updates.length).toBeGreaterThan(0);
      for (const sent of updates) {
        const response = await send(sent);
        expect(response.status, await response.clone().text()).toBe(400);
        expect(await response.json()).toMatchObject({
          detail: expect.stringContaining('only read here') as string,
        });
      }
    },
  );

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
