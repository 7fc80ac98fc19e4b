import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readTriples } from '../../src/rdf/ntriples.js';
import { parseRdf } from '../../src/rdf/parse.js';
import type { Quad, Term } from '../../src/rdf/terms.js';
import { rdf } from '../../src/rdf/vocabulary.js';
import type { AnalystServer } from '../http/analyst-server.js';
import { sharedData } from '../shared-data.js';

// The protocol tests of the SPARQL 1.1 test suite (W3C), their requests as the manifest writes them. The graphs of the
// suite are put below the base URL, since every graph of a container is.

const folder = sharedData('w3c-rdf-tests', 'sparql', 'sparql11', 'protocol');
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const HT = 'http://www.w3.org/2011/http#';
const CNT = 'http://www.w3.org/2011/content#';
const GRAPHS = 'http://kasei.us/2009/09/sparql/data/';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Buffer | undefined;
  readonly isTrue: string | undefined;
  readonly format: string | undefined;
  readonly statuses: readonly string[];
}

export interface Case {
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

const all =
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

export const [queryCases, updateCases] = [all.filter((each) => !isUpdate(each)), all.filter(isUpdate)];
/** Whether the suite is beside the project. */
export const hasSuite = folder !== undefined;

const types: Readonly<Record<string, RegExp>> = {
  boolean: /^application\/sparql-results\+(?:json|xml)/u,
  tabular: /^(?:application\/sparql-results\+(?:json|xml)|text\/(?:csv|tab-separated-values))/u,
  RDF: /^(?:application\/rdf\+xml|text\/turtle|application\/n-triples)/u,
};

/** Writes the graphs of the suite into a container. */
export async function writeGraphs(server: AnalystServer): Promise<void> {
  const own = `${server.url}/records/w3c/`;
  await server.primary.write({
    replace: ['data1', 'data2', 'data3'].map((name) => ({
      name: `${own}${name}.rdf`,
      quads: readTriples(readFileSync(join(folder ?? '', `${name}.nt`), 'utf8').replaceAll(GRAPHS, own)),
    })),
  });
}

/** Sends a request of the suite with a token. */
export function sendCase(
  server: AnalystServer,
  token: string,
  { method, path, headers, body }: Sent,
): Promise<Response> {
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
}

/** Expects of an answer what the suite does. */
export async function expectAnswer(sent: Sent, response: Response): Promise<void> {
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
