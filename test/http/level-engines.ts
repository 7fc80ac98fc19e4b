import { mkdirSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { levels, type LevelName } from '../../src/analysts/levels.js';
import { folder } from '../cli/run.js';
import { engineKinds, type EngineKind, type SparqlEngine } from './sparql-engines.js';

/** A SPARQL server of others for each level, behind one address, as options of `serve`. */
export interface LevelEngines {
  readonly options: readonly string[];
  /** Kills the engines, and starts empty ones in their place. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The kind of engine that CHARTGRAPH_TEST_ENGINE names, for test files that run on each. */
export const chosenKind: EngineKind | undefined = engineKinds.find(
  ({ name }) => name === process.env['CHARTGRAPH_TEST_ENGINE'],
);

/** Starts engines, and a proxy that leads to the one of the level at the start of the path. @param wanted others are away */
export async function startLevelEngines(
  { start }: EngineKind,
  wanted: readonly LevelName[] = levels,
): Promise<LevelEngines> {
  const engines = new Map<string, SparqlEngine>();
  const startAll = async (): Promise<void> => {
    for (const [at, level] of wanted.entries()) {
      const dir = join(folder(), level);
      mkdirSync(dir, { recursive: true });
      engines.set(level, await start(dir, at));
    }
  };
  const stopAll = async (): Promise<void> => {
    await Promise.all([...engines.values()].map((engine) => engine.stop()));
    engines.clear();
  };
  await startAll();
  const [{ place } = { place: undefined }] = engines.values();
  const proxy = createServer((request, response) => {
    const [, level = '', kind = ''] = (request.url ?? '').split('/');
    const engine = engines.get(level);
    if (!engine) return void response.writeHead(503).end();
    const to = new URL(engine[kind === 'update' ? 'update' : 'query']);
    // Oxigraph takes N-Quads at /store, Fuseki at the dataset.
    if (kind.startsWith('store')) to.pathname = '/store';
    else if (kind === '') to.pathname = to.pathname.replace(/\/query$/u, '');
    const { method, headers } = request;
    const there = send(to, { method, headers: { ...headers, host: to.host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    there.once('error', () => response.destroy());
    response.once('close', () => there.destroy());
    request.pipe(there);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/{level}`;
  return {
    options: [
      ...['--analyst-engine', `${url}/query`, '--analyst-engine-update', `${url}/update`],
      ...(place === undefined ? [] : ['--analyst-engine-graph', place]),
    ],
    restart: async () => {
      await stopAll();
      await startAll();
    },
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await stopAll();
    },
  };
}
