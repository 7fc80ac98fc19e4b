import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Main from '../../src/main.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { readListAnswer, writeRecord } from './chart.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

// Only what has been built has a program for threads.
const { startContainer } = (await import(new URL('../../dist/main.js', import.meta.url).href)) as typeof Main;

const COUNT = 730;
const PATH = '/records/long/problems/';

let container: TestContainer;
let token: Credentials;

const two = (number: number): string => String(number).padStart(2, '0');

beforeAll(async () => {
  container = await startTestContainer({}, startContainer);
  token = await container.token('long');
  const problems = Array.from({ length: COUNT }, (_, at): [string, string] => [
    `problems/p${at}`,
    `<> a sp:Problem ; sp:startDate "20${two(at % 90)}-03-${two((at % 28) + 1)}" ; sp:encounters <${container.url}/records/long/encounters/e${at % 7}> ; sp:notes "${'long '.repeat(400)}" ; sp:problemName [ a sp:CodedValue ; dcterms:title "x${at}" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/${at % 20}> ] .`,
  ]);
  const encounters = Array.from({ length: 7 }, (_, at): [string, string] => [
    `encounters/e${at}`,
    `<> a sp:Encounter ; sp:startDate "2010-01-0${at + 1}" .`,
  ]);
  await writeRecord(container, 'long', Object.fromEntries([...problems, ...encounters]));
});
afterAll(() => container.stop());

const ask = (path = PATH, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  container.request(path, { as: token, headers: { 'Accept-Encoding': 'identity', ...headers }, method });

/** As it comes, with its coding. */
async function raw(coding: string): Promise<{ response: IncomingMessage; body: Buffer }> {
  const url = container.url + PATH;
  const authorization = signRequest({ method: 'GET', url, ...token });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': coding, Authorization: authorization } }, resolve).on(
      'error',
      reject,
    );
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { response, body: Buffer.concat(parts) };
}

describe('a list of many statements', () => {
  it('holds what its pages hold, in their order', async () => {
    const whole = await readListAnswer(await ask());
    expect([whole.total, whole.returned, whole.order.length]).toEqual([COUNT, COUNT, COUNT]);
    const order: string[] = [];
    const said = new Set<string>();
    let next: string | undefined = `${container.url}${PATH}?limit=300`;
    while (next !== undefined) {
      const page = await readListAnswer(await ask(next.slice(container.url.length)));
      order.push(...page.order);
      for (const { subject, predicate, object } of page.quads)
        if (subject.termType === 'NamedNode' && object.termType !== 'BlankNode')
          said.add(`${subject.value} ${predicate.value} ${object.value}`);
      next = page.next;
    }
    expect(order).toEqual(whole.order);
    const own = new Set(
      whole.quads.flatMap(({ subject, predicate, object }) =>
        subject.termType === 'NamedNode' && object.termType !== 'BlankNode'
          ? [`${subject.value} ${predicate.value} ${object.value}`]
          : [],
      ),
    );
    expect(own).toEqual(said);
    expect([...own].filter((line) => line.includes('/encounters/e6 ')).length).toBeGreaterThan(0);
  });

  it('is made once for all who ask at the same time, and the same for each', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(`${PATH}?limit=${COUNT - 1}`)));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.headers.get('etag'))).size).toBe(1);
    expect(answers[0]?.headers.get('link')).toContain('rel="next"');
  });

  it('is known by its tag', async () => {
    const tag = (await ask()).headers.get('etag') ?? '';
    expect((await ask(PATH, { 'If-None-Match': tag })).status).toBe(304);
    const head = await ask(PATH, {}, 'HEAD');
    expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
  });

  it('goes out in codings, that are what it is', async () => {
    const plain = Buffer.from(await (await ask()).arrayBuffer());
    expect(plain.byteLength).toBeGreaterThan(1_000_000);
    for (const [coding, open] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const answers = await Promise.all([raw(coding), raw(coding), raw(coding)]);
      for (const { response, body } of answers) {
        expect(response.headers['content-encoding']).toBe(coding);
        expect(Number(response.headers['content-length'])).toBe(body.byteLength);
        expect(open(body).equals(plain)).toBe(true);
      }
    }
  });

  it('is answered in every format', async () => {
    for (const [accept, part] of [
      ['text/turtle', '@prefix'],
      ['application/n-triples', `/problems/p${COUNT - 1}> `],
      ['application/ld+json', '"@context"'],
    ] as const) {
      const response = await ask(PATH, { Accept: accept });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain(accept);
      expect(await response.text()).toContain(part);
    }
  });

  it('is refused for what it has always been refused for', async () => {
    expect((await ask(`${PATH}?limit=-1`)).status).toBe(400);
    expect((await ask(PATH, { Accept: 'image/png' })).status).toBe(406);
    expect((await container.request(PATH)).status).toBe(401);
  });
});
