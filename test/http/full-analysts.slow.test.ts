import { afterAll, beforeAll, expect, it } from 'vitest';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';

/** Quads of a graph, and graphs: more than the least that a level is planned for. */
const QUADS = 50;
const GRAPHS = 1000;

let server: AnalystServer;

beforeAll(async () => {
  server = await startAnalystServer('--analyst-memory', '1');
}, 120_000);
afterAll(() => server.stop());

const large = (number: number): NamedGraph => {
  const name = `${server.url}/records/1000001/problems/large-${number}`;
  const s = namedNode(name);
  const units = Array.from({ length: QUADS }, (_, at) =>
    quad(s, namedNode(sp.unit), literal(`mg/${number}/${at}`)),
  );
  return { name, quads: [quad(s, namedNode(rdf.type), namedNode(sp.Problem)), ...units] };
};

it('says with 503 and in the log which setting helps where its memory is too small for analysts', async () => {
  await server.user('anna', 'analyst');
  const token = await server.token('anna');
  const graphs = Array.from({ length: GRAPHS }, (_, at) => large(at));
  await server.primary.write({ replace: graphs });
  const detail = async (): Promise<string> =>
    ((await (await server.ask(token, 'ASK {}')).json()) as { detail: string }).detail;
  const sentence =
    'The data does not fit the memory of analysts; start the container with a larger --analyst-memory, which is 1 MB.';
  await expect.poll(detail, { interval: 200 }).toBe(sentence);
  const refused = await server.ask(token, 'ASK {}');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60']);
  expect(((await refused.json()) as { detail: string }).detail).toBe(sentence);
  await expect.poll(() => server.log()).toContain(sentence);
  expect(server.log()).toMatch(/"quads":\d+,"megabytes":1,.*"the most that a level of analysts can hold"/u);
  // All else goes on.
  expect((await fetch(`${server.url}/manifest`)).status).toBe(200);
}, 240_000);
