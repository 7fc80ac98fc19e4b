import { mkdtemp, rm } from 'node:fs/promises';
import { request as send } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isomorphic } from 'rdf-isomorphic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { startTestContainer, type Credentials } from './container.js';
import { readRdfXml, subjectsOf } from './rdfxml.js';

/** The directory is served under each in turn; one base has a path, as behind a proxy that serves other things too. */
const bases = ['http://localhost:7000', 'http://h.example:1/x/chart', 'https://chart.example.org'];
const record = '1000001';
const paths = ['medications/', 'problems', 'lab_results/', 'demographics', 'allergies/'].map(
  (path) => `/records/${record}/${path}`,
);

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Asks the port for a raw target, signed for the URL that the client sees. */
function ask(port: number, base: string, path: string, as?: Credentials, target?: string): Promise<Answered> {
  const url = base + path;
  const headers = as ? { Authorization: signRequest({ method: 'GET', url, ...as }) } : {};
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: target ?? new URL(url).pathname, headers };
    send(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    })
      .on('error', reject)
      .end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'chartgraph-same-'));
});
afterAll(() => rm(data, { recursive: true }));

describe('one data directory under several base URLs', () => {
  const answers = new Map<string, readonly string[]>();
  let token: Credentials;

  it.each(bases)(
    'answers under %s with IRIs under it alone, to a token issued under another',
    async (base) => {
      const port = await freePort();
      const container = await startTestContainer({ data, baseUrl: base, port });
      try {
        expect(container.url).toBe(base);
        token ??= await container.token(record);
        const texts = [];
        for (const path of paths) {
          const { status, text } = await ask(port, base, path, token);
          expect([path, status]).toEqual([path, 200]);
          for (const other of bases) if (other !== base) expect(text).not.toContain(other);
          const [subject] = subjectsOf(
            await readRdfXml(text),
            path.endsWith('medications/') ? 'Medication' : '',
          );
          if (subject !== undefined) {
            const item = await ask(port, base, subject.slice(base.length), token);
            expect(item.status).toBe(200);
          }
          texts.push(text);
        }
        answers.set(base, texts);
        const manifest = JSON.parse((await ask(port, base, '/manifest')).text) as Record<string, unknown>;
        expect(manifest['api_base']).toBe(base);
        expect((await ask(port, base, '/health/ready')).status).toBe(200);
      } finally {
        await container.stop();
      }
    },
  );

  it('they are the same graphs, but for the base in their IRIs', async () => {
    const graphs = await Promise.all(
      bases.map((base) =>
        Promise.all(
          (answers.get(base) ?? []).map((text) => readRdfXml(text.replaceAll(base, 'http://any.example'))),
        ),
      ),
    );
    const [first = []] = graphs;
    expect(first).toHaveLength(paths.length);
    for (const graph of graphs) {
      for (const [at, quads] of graph.entries()) expect(isomorphic(quads, first[at] ?? [])).toBe(true);
    }
  });

  it('paths outside the base are no calls, however they are spelled', async () => {
    const base = 'http://h.example:1/x/chart';
    const port = await freePort();
    const container = await startTestContainer({ data, baseUrl: base, port });
    try {
      for (const target of [
        '/manifest',
        '/x/manifest',
        '/x/chartmanifest',
        '/X/chart/manifest',
        '/x/chart/x/chart/manifest',
        '//x/chart/manifest',
        '/x//chart/manifest',
        '/x/./chart/manifest',
        '/x/chart/../chart/manifest',
        '/x%2Fchart/manifest',
        `/records/${record}/problems/`,
      ]) {
        expect([target, (await ask(port, base, '', undefined, target)).status]).toEqual([target, 404]);
      }
      expect((await ask(port, base, '', undefined, '/x/chart/manifest?x=1')).status).toBe(400);
      // RFC 9112 §3.2.2: a server takes the absolute form as well.
      expect((await ask(port, base, '', undefined, `${base}/manifest`)).status).toBe(200);
      // A signature covers the base URL: the same request to another one is not proved.
      const elsewhere = signRequest({ method: 'GET', url: bases[0] + (paths[0] ?? ''), ...token });
      const status = await new Promise((resolve, reject) => {
        const path = `/x/chart${paths[0] ?? ''}`;
        send({ host: '127.0.0.1', port, path, headers: { Authorization: elsewhere } }, ({ statusCode }) => {
          resolve(statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(401);
    } finally {
      await container.stop();
    }
  });
});
