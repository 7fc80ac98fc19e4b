import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ServerAway, ServerRefuses, sparqlServer } from '../../src/analysts/mirror/sparql-server.js';

interface Asked {
  readonly type: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

let http: Server;
let url: string;
let asked: Asked[];
let answer: { status: number; headers?: Record<string, string>; body?: string };

beforeAll(async () => {
  http = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const { authorization, 'content-type': type } = request.headers;
      asked.push({ type, authorization, body });
      if (answer.status === 0) response.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sparql`;
});
afterAll(() => new Promise((resolve) => http.close(resolve)));
beforeEach(() => {
  asked = [];
  answer = { status: 200, body: '{"results":{"bindings":[{"a":{"type":"literal","value":"1"}}]}}' };
});

const signal = new AbortController().signal;
const named = { query: '--to', update: '--update', credentials: 'CHARTGRAPH_MIRROR_CREDENTIALS' };
const server = (credentials?: string, to = url) =>
  sparqlServer({ query: to, update: to, credentials, signal, named });

test('queries go as forms, updates as what they are (SPARQL 1.1 Protocol §2)', async () => {
  expect(await server().select('SELECT * {}')).toEqual([{ a: { type: 'literal', value: '1' } }]);
  await server().update('CLEAR DEFAULT');
  expect(asked).toEqual([
    { type: 'application/x-www-form-urlencoded', body: 'query=SELECT+*+%7B%7D' },
    { type: 'application/sparql-update', body: 'CLEAR DEFAULT' },
  ]);
});

test('N-Quads go where a known server takes them; one that refuses them is no loader', async () => {
  const oxigraph = server(undefined, url.replace('/sparql', '/update'));
  const load = () =>
    oxigraph.load(Readable.from([Buffer.from('<urn:a> '), Buffer.from('<urn:b> <urn:c> .\n')]));
  expect(oxigraph.isLoader).toBe(false);
  answer = { ...answer, headers: { Server: 'Oxigraph/0.5' } };
  await oxigraph.select('SELECT * {}');
  expect(oxigraph.isLoader).toBe(true);
  await load();
  expect(asked[1]).toEqual({ type: 'application/n-quads', body: '<urn:a> <urn:b> <urn:c> .\n' });
  answer = { status: 500 };
  await expect(load()).rejects.toThrow(ServerAway);
  expect(oxigraph.isLoader).toBe(true);
  answer = { status: 415 };
  await expect(load()).rejects.toThrow(ServerAway);
  expect(oxigraph.isLoader).toBe(false);
});

test.each([
  ['ann:pass:word é', 'Basic YW5uOnBhc3M6d29yZCDDqQ=='],
  ['c29tZS10b2tlbg==', 'Bearer c29tZS10b2tlbg=='],
])('credentials %s are sent as %s', async (credentials, field) => {
  await server(credentials).update('CLEAR DEFAULT');
  expect(asked[0]?.authorization).toBe(field);
});

test.each([500, 502, 503, 429, 408])('after %i it is asked again', async (status) => {
  answer = { status, body: 'a patient' };
  await expect(server().update('CLEAR DEFAULT')).rejects.toThrow(new ServerAway(`${url} answered ${status}`));
});

test.each([
  [
    400,
    'give --to the address where it takes SPARQL queries, and --update the one where it takes SPARQL updates.',
  ],
  [
    404,
    'give --to the address where it takes SPARQL queries, and --update the one where it takes SPARQL updates.',
  ],
  [
    401,
    'set CHARTGRAPH_MIRROR_CREDENTIALS to user:password, or to a bearer token, that may query and update.',
  ],
  [
    403,
    'set CHARTGRAPH_MIRROR_CREDENTIALS to user:password, or to a bearer token, that may query and update.',
  ],
])('%i ends in a sentence that says what to do, without what the server says', async (status, remedy) => {
  answer = { status, body: 'a patient' };
  const refused = await server('ann:secret')
    .select('SELECT * {}')
    .catch((error: unknown) => error as Error);
  expect(refused).toBeInstanceOf(ServerRefuses);
  expect(String(refused)).toContain(`answered ${status}`);
  expect(String(refused)).toContain(remedy);
  expect(String(refused)).not.toMatch(/a patient|secret/u);
});

test('data and credentials follow no redirection', async () => {
  answer = { status: 307, headers: { Location: `${url}/elsewhere` } };
  await expect(server('ann:secret').update('CLEAR DEFAULT')).rejects.toThrow(ServerRefuses);
  expect(asked.length).toBe(1);
});

test.each(['<html>', '{}', '{"results":{}}', '{"results":{"bindings":[null]}}'])(
  'an answer that holds no rows, such as %s, is refused',
  async (body) => {
    answer = { status: 200, body };
    await expect(server().select('SELECT * {}')).rejects.toThrow('is it the address for SPARQL queries?');
  },
);

test('an answer of more than was asked for is refused', async () => {
  answer = { status: 200, body: 'x'.repeat(9_000_000) };
  await expect(server().select('SELECT * {}')).rejects.toThrow('answered with more than was asked for.');
});

test('a connection that breaks off is a server that is away', async () => {
  answer = { status: 0 };
  await expect(server().update('CLEAR DEFAULT')).rejects.toThrow(new ServerAway(`${url} does not answer`));
});

test('a server without room is asked again, and said to have none', async () => {
  answer = { status: 507, body: 'a patient' };
  const away = new ServerAway(`${url} answered 507, as it has no room left`);
  await expect(server().update('CLEAR DEFAULT')).rejects.toThrow(away);
});

test('a server that takes no request so large is not said to be at a wrong address', async () => {
  answer = { status: 413, body: 'a patient' };
  const sentence = `${url} answered 413: let it take larger requests, or the proxy in front of it, of some megabytes at least.`;
  await expect(server().update('CLEAR DEFAULT')).rejects.toThrow(new ServerRefuses(sentence));
});
