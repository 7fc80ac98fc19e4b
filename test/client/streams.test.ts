import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/client/client.js';
import { termKey } from '../../src/rdf/term-key.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { clientOf } from './client.js';

const RECORD = '1000001';
let container: TestContainer;
let client: Client;

beforeAll(async () => {
  container = await startTestContainer();
  client = await clientOf(container, RECORD);
});
afterAll(() => container.stop());

it('a graph that is streamed has the statements of the one that is not', async () => {
  const given = { record_id: RECORD };
  const { dataset } = await client.get_lab_results(given);
  const streamed = await client.get_lab_results(given, { stream: true });
  expect(streamed).toMatchObject({ status: 200, mediaType: 'application/n-triples' });
  let count = 0;
  const blank = new Set<string>();
  for await (const { subject, predicate, object } of streamed.quads) {
    count += 1;
    for (const term of [subject, object]) if (term.termType === 'BlankNode') blank.add(term.value);
    if (subject.termType === 'NamedNode' && object.termType !== 'BlankNode')
      expect(dataset.match(subject, predicate, object).size).toBe(1);
  }
  expect(count).toBe(dataset.size);
  // Labels of two answers are never the same.
  for (const { subject } of dataset) expect(blank.has(subject.value)).toBe(false);
});

it('a file that is streamed has the bytes of the one that is not', async () => {
  const given = { record_id: RECORD, format: 'raw' } as const;
  const { raw } = await client.get_photograph(given);
  const { body, mediaType } = await client.get_photograph(given, { stream: true });
  expect(mediaType).toBe('image/png');
  expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(raw);
});

it('a refusal of what would be streamed is the error that it always is', async () => {
  await expect(client.get_problems({ record_id: '1000002' }, { stream: true })).rejects.toMatchObject({
    kind: 'refused',
    status: 403,
  });
});

/** A client of a container that answers with these bytes, one at a time. */
function trickling(bytes: Uint8Array, onCancel: () => void = () => undefined): Client {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (next === bytes.length) controller.close();
      else controller.enqueue(bytes.slice(next, ++next));
    },
    cancel: onCancel,
  });
  const headers = { 'Content-Type': 'application/n-triples' };
  return createClient({
    baseUrl: 'http://localhost',
    fetch: () => Promise.resolve(new Response(body, { headers })),
  });
}

const line = (text: string): string => `<http://a.example.org/> <http://b.example.org/> "${text}" .`;

it('statements are put together of whatever bytes come, the last one without an end of line', async () => {
  const texts = ['Ω 🩺', 'a\\nb', 'c'];
  const bytes = new TextEncoder().encode(texts.map(line).join('\n'));
  const { quads } = await trickling(bytes).get_ontology({}, { stream: true });
  const seen = [];
  for await (const { object } of quads) seen.push(termKey(object));
  expect(seen.map((key) => /"(.*)"/s.exec(key)?.[1])).toEqual(['Ω 🩺', 'a\nb', 'c']);
});

it('leaving the loop ends the answer', async () => {
  let cancelled = false;
  const bytes = new TextEncoder().encode(`${line('a')}\n`.repeat(100));
  const client = trickling(bytes, () => (cancelled = true));
  const { quads } = await client.get_ontology({}, { stream: true });
  for await (const { object } of quads) {
    expect(object.value).toBe('a');
    break;
  }
  expect(cancelled).toBe(true);
});

it('a broken statement ends the stream without being repeated', async () => {
  const bytes = new TextEncoder().encode(`${line('a')}\n<http://a.example.org/> Lindqvale .\n`);
  const { quads } = await trickling(bytes).get_ontology({}, { stream: true });
  const reading = (async () => {
    const seen = [];
    for await (const each of quads) seen.push(each);
  })();
  await expect(reading).rejects.toThrow('get_ontology: the answer is no application/n-triples.');
});
