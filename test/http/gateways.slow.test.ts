import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { freePort, startPostgres, withoutPostgres, type PostgresServer } from '../store/postgres/postgres.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { startReceiver } from './webhook-receiver.js';

/** A container with the port that it really listens on. */
type Gateway = TestContainer & { readonly port: number };

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly authorization?: string;
  readonly by?: Credentials;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `CHARTGRAPH_TEST_PAIRS=10000` is the long run. */
const PAIRS = Number(process.env['CHARTGRAPH_TEST_PAIRS'] ?? 60);
const SCRATCHPAD = '/records/1000001/apps/demo-ui@apps.example.org/scratchpad';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('two gateways on one database', () => {
  let server: PostgresServer;
  let one: Gateway;
  let two: Gateway;
  let as: Credentials;

  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
    const store = server.createDatabase();
    one = await gateway(store);
    two = await gateway(store);
    as = await one.token('1000001');
  });
  afterAll(async () => {
    await one.stop();
    await two.stop();
    await server.stop();
  });

  /** Both answer under one base URL, as behind a balancer. */
  async function gateway(store: string): Promise<Gateway> {
    const data = await mkdtemp(join(tmpdir(), 'chartgraph-gateway-'));
    await cp(join(inject('seeded'), 'secret.key'), join(data, 'secret.key'));
    const port = await freePort();
    return { ...(await startTestContainer({ data, store, port, baseUrl: 'http://localhost:7000' })), port };
  }

  /** A signed request to a gateway, signed for the base URL of both. */
  async function send(
    { port }: Gateway,
    path: string,
    { method = 'GET', body, authorization, by = as, headers = {} }: Sent = {},
  ): Promise<Response> {
    const signed = authorization ?? signRequest({ method, url: `http://localhost:7000${path}`, ...by });
    return fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: signed, 'Content-Type': 'text/plain', ...headers },
      body: body ?? null,
    });
  }

  test(
    'what was written through one is read through the other with the next request',
    { timeout: 60_000 + PAIRS * 1000 },
    async () => {
      for (let number = 0; number < PAIRS; number++) {
        const [writer, reader] = number % 2 ? [one, two] : [two, one];
        expect((await send(writer, SCRATCHPAD, { method: 'PUT', body: String(number) })).status).toBe(200);
        expect(await (await send(reader, SCRATCHPAD)).text()).toBe(String(number));
      }
    },
  );

  test('a request that one has taken is a repetition for the other', async () => {
    const authorization = signRequest({ method: 'GET', url: `http://localhost:7000${SCRATCHPAD}`, ...as });
    const answers = await Promise.all(
      [one, two, one, two].map((to) => send(to, SCRATCHPAD, { authorization })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('a token that is ended through one is refused by the other with the next request', async () => {
    const by = await one.token('1000001');
    const used = async (to: Gateway): Promise<number> => (await send(to, SCRATCHPAD, { by })).status;
    expect(await Promise.all([used(one), used(two)])).toEqual([200, 200]);
    let hasEnded = false;
    const afterEnd: number[] = [];
    const using = Promise.all(
      [one, two, two].map(async (to) => {
        for (let last = false; !last;) {
          last = hasEnded;
          const status = await used(to);
          if (last) afterEnd.push(status);
        }
      }),
    );
    const directory = await openDataDirectory(one.data, { store: one.store });
    const accounts = openAccounts(directory, await loadSecretKey(one.data, process.env));
    await accounts.revoke(accounts.token(by.token ?? '')?.id ?? '');
    hasEnded = true;
    await using;
    await directory.close();
    expect(afterEnd).toEqual([401, 401, 401]);
  });

  test('one key of two writers at both stores one statement', async () => {
    const path = '/records/1000001/clinical_notes/';
    const turtle = `@prefix sp: <${prefixes.sp}> . @prefix dcterms: <${prefixes.dcterms}> .
      @prefix rdfs: <${prefixes.rdfs}> .
      [] a sp:ClinicalNote ; dcterms:title "Twice" ; dcterms:date "2026-01-01" ;
        sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Well." ] ] ;
        dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
      <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;
    const post = (to: Gateway, body: string): Promise<Response> =>
      send(to, path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'text/turtle', 'Idempotency-Key': 'k1' },
      });
    const answers = await Promise.all([one, two, one, two, two, one].map((to) => post(to, turtle)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ headers }) => headers.get('Location'))).size).toBe(1);
    const races = await Promise.all(
      [one, two].map((to, at) =>
        send(to, path, {
          method: 'POST',
          body: turtle.replace('Twice', `Race ${at}`),
          headers: { 'Content-Type': 'text/turtle', 'Idempotency-Key': 'k2' },
        }),
      ),
    );
    expect(races.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('of two writers at both that saw the same state one is refused', async () => {
    const before = (await send(one, SCRATCHPAD)).headers.get('ETag') ?? '';
    const answers = await Promise.all(
      [one, two, one, two].map((to, at) =>
        send(to, SCRATCHPAD, { method: 'PUT', body: `writer ${at}`, headers: { 'If-Match': before } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('a list has the same bytes and the same entity tag from both', async () => {
    const path = '/records/1000001/medications/';
    const [first, second] = [await send(one, path), await send(two, path)];
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'));
  });

  test('a file of a document that is damaged on one is taken from the database again', async () => {
    const list = await (await send(one, '/records/1000001/documents/')).text();
    const path = /http:\/\/localhost:7000(\/records\/1000001\/documents\/[^"/]+)"/u.exec(list)?.[1] ?? '';
    const whole = await send(two, path);
    expect(whole.status).toBe(200);
    const bytes = await whole.text();
    const sha256 = whole.headers.get('ETag')?.slice(1, -1) ?? '';
    const file = join(two.data, 'documents', 'sha256', sha256.slice(0, 2), sha256.slice(2));
    await writeFile(file, 'something else');
    const again = await send(two, path);
    expect([again.status, await again.text()]).toEqual([200, bytes]);
    expect(await readFile(file, 'utf8')).not.toBe('something else');
  });

  /** Adds a note as a command on a gateway does. @returns the number of the change */
  async function write({ data, store }: Gateway, name: string): Promise<number> {
    const directory = await openDataDirectory(data, { store });
    try {
      const iri = `http://localhost:7000/records/1000001/clinical_notes/${name}`;
      const quads = [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.ClinicalNote))];
      return await openPrimaryStore(directory, 'http://localhost:7000').write({
        replace: [{ name: iri, quads }],
      });
    } finally {
      await directory.close();
    }
  }

  test('a stream of one tells of what is written through the other', async () => {
    const path = '/records/1000001/changes';
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const response = await fetch(`http://127.0.0.1:${one.port}${path}`, {
      headers: {
        Accept: 'text/event-stream',
        Authorization: signRequest({ method: 'GET', url: `http://localhost:7000${path}`, ...as }),
      },
      signal: stop.signal,
    });
    expect(response.status).toBe(200);
    const revision = await write(two, 'through-two');
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('data:')) break;
    }
    expect(text).toContain(`id: ${revision}\ndata: {"revision":${revision},`);
  });

  test('one of them tells an app of changes, each once', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const id = 'demo-ui@apps.example.org';
    const app = { id, name: 'A', description: 'B', mode: 'ui' as const, icon: `${receiver.origin}/i.png` };
    const graph = appGraph({ ...app, index: `${receiver.origin}/` }, 'http://localhost:7000');
    const directory = await openDataDirectory(one.data, { store: one.store });
    await openPrimaryStore(directory, 'http://localhost:7000').write({ replace: [graph] });
    await directory.close();
    const path = '/records/1000001/subscriptions';
    const url = `http://localhost:7000${path}`;
    const body = JSON.stringify({ url: `${receiver.origin}/` });
    const subscribed = await fetch(`http://127.0.0.1:${one.port}${path}`, {
      method: 'POST',
      headers: {
        Authorization: signRequest({ method: 'POST', url, ...as }),
        'Content-Type': 'application/json',
      },
      body,
    });
    expect(subscribed.status).toBe(201);
    const first = await write(two, 'told-one');
    expect((await receiver.delivery(1)).data.revision).toBe(first);
    const second = await write(one, 'told-two');
    expect((await receiver.delivery(2)).data).toMatchObject({ since: first, revision: second });
    expect(receiver.received).toHaveLength(2);
  });

  test('an export that was begun through one is made once, and both give out its files', async () => {
    const consumerKey = 'demo-background@apps.example.org';
    const { consumerSecret } = await one.token(undefined, consumerKey);
    const ask = ({ port }: Gateway, path: string, method = 'GET'): Promise<Response> => {
      const signed = { method, url: `http://localhost:7000${path}`, consumerKey, consumerSecret };
      return fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { Authorization: signRequest(signed) },
      });
    };
    const begun = await ask(one, `/apps/${consumerKey}/exports`, 'POST');
    expect(begun.status).toBe(202);
    const path = (begun.headers.get('Content-Location') ?? '').slice('http://localhost:7000'.length);
    await expect.poll(async () => (await ask(two, path)).status).toBe(200);
    const { files } = (await (await ask(two, path)).json()) as {
      files: readonly { class: string; address: string; count: number }[];
    };
    const kept = ['UnmappedLabResult', 'UnmappedProblem'].map((name) => prefixes.cg + name);
    expect(files.map((file) => file.class).sort()).toEqual([...kept, sp.LabResult, sp.Problem].sort());
    for (const { address, count } of files) {
      const file = address.slice('http://localhost:7000'.length);
      const [first, second] = [await ask(one, file), await ask(two, file)];
      expect([first.status, second.status]).toEqual([200, 200]);
      const text = await first.text();
      expect(await second.text()).toBe(text);
      const names = text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { '@id': string })['@id']);
      expect([new Set(names).size, names.length]).toEqual([count, count]);
    }
    expect((await ask(two, path, 'DELETE')).status).toBe(200);
    expect((await ask(one, path)).status).toBe(404);
  });

  test('both say that they are ready as long as the database answers, and nothing is served without it', async () => {
    const ready = async (): Promise<number[]> =>
      Promise.all(
        [one, two].map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status),
      );
    expect(await ready()).toEqual([200, 200]);
    await server.kill();
    onTestFinished(() => server.start().catch(() => undefined));
    expect(await ready()).toEqual([503, 503]);
    const refused = await send(one, SCRATCHPAD);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('Retry-After')).toBe('2');
    expect(await refused.text()).toContain('The shared store cannot be reached at the moment');
    expect((await fetch(`http://127.0.0.1:${one.port}/docs`)).status).toBe(200);
    await server.start();
    await expect.poll(ready).toEqual([200, 200]);
    expect((await send(two, SCRATCHPAD)).status).toBe(200);
  });
});
