import { mkdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { AnalystEngine } from '../../src/analysts/analyst-engine.js';
import type { Level } from '../../src/analysts/level.js';
import { identified } from '../../src/analysts/levels.js';
import { mirrorSource } from '../../src/analysts/mirror/mirror-source.js';
import { RemoteEngine } from '../../src/analysts/remote/remote-engine.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { engineKinds, type SparqlEngine } from '../http/sparql-engines.js';
import { base, ontology } from '../records/support.js';
import { asked, engineContract, problems } from './engine-contract.js';

// The threads of the embedded engine are programs of their own: they exist as they were built.
const built = resolve(import.meta.dirname, '..', '..', 'dist', 'analysts', 'level.js');
const { Level: BuiltLevel } = (await import(pathToFileURL(built).href)) as { Level: typeof Level };

let directory: DataDirectory;
let primary: PrimaryStore;

beforeAll(async () => {
  directory = await openDataDirectory(join(await mkdtemp(join(inject('scratch'), 'engines-')), 'data'), {
    create: true,
  });
  primary = openPrimaryStore(directory, base);
  await primary.write({ replace: problems });
});
afterAll(() => directory.close());

const remote = ({ query, update, place }: Omit<SparqlEngine, 'stop'>): RemoteEngine =>
  new RemoteEngine({
    level: 'identified',
    source: mirrorSource({ directory, primary, ontology, digest: 'a', version: '1', level: 'identified' }),
    address: { query, update, place, credentials: undefined },
    ontology,
    revision: () => primary.revision(''),
    onFault: () => undefined,
  });

describe('the embedded engine', () => {
  let engine: AnalystEngine;
  beforeAll(async () => {
    const queryBytes = 512 * 1024 * 1024;
    engine = new BuiltLevel({ primary, ontology, view: identified, planned: 100_000, queryBytes, most: 2 });
    await engine.fill();
  });
  afterAll(() => engine.close());
  engineContract(() => ({ engine, primary }));
});

describe.each(engineKinds)('$name', ({ name, isHere, start }) => {
  describe.skipIf(!isHere)('as the engine', () => {
    let server: SparqlEngine;
    let engine: AnalystEngine;
    beforeAll(async () => {
      const dir = join(await mkdtemp(join(inject('scratch'), 'engine-')), 'its');
      mkdirSync(dir);
      server = await start(dir);
      engine = remote(server);
      await engine.fill();
    });
    afterAll(async () => {
      await engine.close();
      await server.stop();
    });
    engineContract(() => ({ engine, primary }), name !== 'Virtuoso');

    test('one that holds data of others is refused, and left as it is', async () => {
      await engine.close();
      const add = 'INSERT DATA { GRAPH <urn:theirs> { <urn:a> <urn:b> <urn:c> } }';
      const headers = { 'Content-Type': 'application/sparql-update' };
      expect((await fetch(server.update, { method: 'POST', headers, body: add })).ok).toBe(true);
      engine = remote(server);
      await expect(engine.fill()).rejects.toThrow('The engine holds data of others there');
      await expect(asked(engine, 'SELECT * {}')).rejects.toThrow('The engine holds data of others there');
    });

    test('one that is killed is away, and an answer is never of an empty one', async () => {
      await server.stop();
      await expect(asked(engine, 'SELECT * {}')).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
});

describe('an engine of tests', () => {
  let http: Server;
  let url: string;
  /** What it tells of itself, and what it makes of queries. */
  let state = '';
  let isSilent = false;
  let answer: (write: (text: string) => void, end: () => void) => void;
  let sent: Record<string, string>;
  const binding = (property: string, value: string): string =>
    `{"property":{"type":"uri","value":"http://purl.org/dc/terms/${property}"},"value":{"type":"literal","value":"${value}"}}`;

  beforeAll(async () => {
    http = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const update = new Map(
          [...body.matchAll(/<http:\/\/purl\.org\/dc\/terms\/(\w+)> ["<]([^">]*)/gu)].map(
            ([, name = '', value = '']) => [name, value],
          ),
        );
        response.setHeader('Content-Type', 'application/sparql-results+json');
        if (request.url === '/update') {
          if (update.size > 0) state = [...update].map(([name, value]) => binding(name, value)).join(',');
          response.end();
          return;
        }
        const query = new URLSearchParams(body).get('query') ?? '';
        if (query.includes('?property ?value')) {
          if (isSilent) return;
          response.end(`{"head":{"vars":[]},"results":{"bindings":[${state}]}}`);
        } else if (query.includes('BASE')) {
          sent = {
            timeout: String(request.headers['timeout']),
            ...Object.fromEntries(new URLSearchParams(body)),
          };
          answer(
            (text) => void response.write(text),
            () => void response.end(),
          );
        } else if (query.includes('?class'))
          response.end(
            `{"head":{"vars":[]},"results":{"bindings":[{"class":{"type":"uri","value":"http://smartplatforms.org/terms#Problem"},"n":{"type":"literal","value":"3"}}]}}`,
          );
        else response.end('{"head":{"vars":[]},"results":{"bindings":[]}}');
      });
    });
    // It breaks off no connection that is used again late.
    http.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    http.closeAllConnections();
    http.close();
  });

  const engineOf = async (): Promise<RemoteEngine> => {
    state = '';
    const engine = remote({ query: `${url}/query`, update: `${url}/update`, place: undefined });
    await engine.fill();
    return engine;
  };
  const HEAD = '{"head":{"vars":["a"]},"results":{"bindings":[';
  const row = (value: string): string => `{"a":{"type":"literal","value":"${value}"}}`;

  test('that hangs is left after the time limit, which it was told in each way', async () => {
    const engine = await engineOf();
    answer = (write) => write(HEAD);
    const { outcome } = await asked(engine, 'SELECT ?a {}', { timeout: 1500 });
    expect(outcome).toMatchObject({ failure: { kind: 'limit', limit: 'time' } });
    expect(sent).toMatchObject({ timeout: '1500' });
    await engine.close();
  });

  test('that does not even say what it holds is left after the time limit', async () => {
    const engine = await engineOf();
    isSilent = true;
    const { outcome } = await asked(engine, 'SELECT ?a {}', { timeout: 500 });
    expect(outcome).toMatchObject({ failure: { kind: 'limit', limit: 'time' } });
    isSilent = false;
    await engine.close();
  });

  test('that has lost its data, or holds something else, answers nothing', async () => {
    const engine = await engineOf();
    answer = () => expect.unreachable();
    state = '';
    await expect(asked(engine, 'SELECT ?a {}')).rejects.toThrow();
    // It is filled again at once.
    await engine.fill();
    state = binding('identifier', 'another');
    await expect(asked(engine, 'SELECT ?a {}')).rejects.toThrow();
    await engine.close();
  });

  test('that breaks off leaves no answer that seems whole; rows come before the end', async () => {
    const engine = await engineOf();
    let end: () => void = () => undefined;
    answer = (write, whole) => {
      write(HEAD + row('1'));
      end = whole;
    };
    const query = { sparql: 'SELECT ?a {}', most: 100, formats: { rows: 'csv', graph: undefined } } as const;
    const bounds = { timeout: 20_000, delivery: 20_000, signal: new AbortController().signal };
    answer = (write, whole) => {
      write(`${HEAD}${row('1')},${row('2')},`);
      end = whole;
    };
    const { outcome } = await engine.run(query, bounds);
    if ('failure' in outcome) return expect.unreachable();
    expect(outcome.head).toMatchObject({ mediaType: expect.stringContaining('text/csv') as unknown });
    expect(outcome.head.rows).toBeUndefined();
    const chunks: string[] = [];
    outcome.body.on('data', (chunk) => chunks.push(String(chunk)));
    await expect.poll(() => chunks.join('')).toContain('1\n2\n');
    const failed = new Promise<unknown>((resolve) => outcome.body.once('error', resolve));
    end();
    expect(await failed).toMatchObject({ message: 'The engine broke off its answer.' });
    await engine.close();
  });

  test('that is cut while it streams tells so at the end', async () => {
    const engine = await engineOf();
    answer = (write, whole) => {
      write(`${HEAD}${row('1')},`);
      setTimeout(() => {
        write(`${row('2')},${row('3')}]}}`);
        whole();
      }, 700);
    };
    const { outcome, answer: text } = await asked(engine, 'SELECT ?a {}', { most: 2 });
    expect(text).toBe('a\n1\n2\n');
    expect('tail' in outcome && outcome.tail?.()).toEqual({ rows: 2, isCut: true });
    await engine.close();
  });
});
