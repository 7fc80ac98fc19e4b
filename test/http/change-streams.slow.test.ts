import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { entriesOf as entriesIn } from '../access/log/opened-log.js';
import { openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { ChangeStream, type ChangeStreamParts } from '../../src/http/handlers/change-stream.js';
import { Streams } from '../../src/http/admission/streams.js';
import { noMetrics } from '../services/metrics/no-metrics.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { removeRecord } from '../../src/records/remove-record.js';
import type { CommitWatch } from '../../src/store/commit-watch.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { folder, run } from '../cli/run.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const CHANGES = '/records/1000003/changes';

let container: TestContainer;
let own: Credentials;
beforeAll(async () => {
  container = await startTestContainer();
  own = await container.token('1000003');
});
afterAll(() => container.stop());

/** Works on the data directory as a command does. */
async function withStore<T>(work: (store: PrimaryStore, accounts: Accounts) => Promise<T>): Promise<T> {
  const directory = await openDataDirectory(container.data, { store: container.store });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(container.data, process.env));
    return await work(openPrimaryStore(directory, container.url, { command: 'test' }), accounts);
  } finally {
    await directory.close();
  }
}

const notes = (record: string, names: readonly string[]) => ({
  replace: names.map((name) => {
    const iri = `${container.url}/records/${record}/clinical_notes/${name}`;
    return { name: iri, quads: [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.ClinicalNote))] };
  }),
});
/** Adds notes, each in a change of its own. */
const add = (...names: string[]): Promise<void> =>
  withStore(async (store) => {
    for (const name of names) await store.write(notes('1000003', [name]));
  });
const noteIri = (name: string): string => `${container.url}/records/1000003/clinical_notes/${name}`;

interface Told {
  readonly revision: number;
  readonly added: readonly string[];
}

/** What a stream brings: events, those without data among them; ends when the stream does. */
class Reader {
  readonly #chunks: AsyncIterator<string>;
  #text = '';
  /** The id of the last event. */
  id = '';

  constructor(readonly response: Response) {
    const stream = response.body?.pipeThrough(new TextDecoderStream());
    if (!stream) throw new Error('there is no body');
    this.#chunks = stream.values();
  }

  /** The next event that has data; undefined at the end. */
  async next(): Promise<Told | undefined> {
    for (;;) {
      const block = await this.block();
      if (block === undefined) return undefined;
      const data = /^data: (.*)$/mu.exec(block)?.[1];
      if (data !== undefined) return JSON.parse(data) as Told;
    }
  }

  async block(): Promise<string | undefined> {
    while (!this.#text.includes('\n\n')) {
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#text += value;
    }
    const end = this.#text.indexOf('\n\n');
    const block = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    this.id = /^id: (.*)$/mu.exec(block)?.[1] ?? this.id;
    return block;
  }

  async leave(): Promise<void> {
    await this.#chunks.return?.();
  }
}

async function open(
  as: Credentials,
  { path = CHANGES, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Reader> {
  const response = await container.request(path, {
    as,
    headers: { Accept: 'text/event-stream', ...headers },
  });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  const reader = new Reader(response);
  onTestFinished(() => reader.leave());
  // It begins with where it is.
  expect(await reader.block()).toMatch(/^id: \d+$/u);
  return reader;
}

describe('a stream of the changes of a record', () => {
  it('brings each change with its number as the id, in the words of /changes, also of another process', async () => {
    const stream = await open(own);
    const start = stream.id;
    await add('first');
    const change = await stream.next();
    expect(change).toMatchObject({ added: [noteIri('first')], command: 'test', revision: Number(stream.id) });
    const file = join(folder(), 'more.ttl');
    await writeFile(
      file,
      `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
      [] a sp:Allergy ; sp:belongsTo [ a sp:MedicalRecord ] ; dcterms:title "From a file" .`,
    );
    const shared = container.store === undefined ? [] : ['--store', container.store];
    const loaded = await run(['load', file, '--record', '1000003', '--data', container.data, ...shared]);
    expect(loaded.stderr + loaded.stdout).toContain('1000003');
    expect(await stream.next()).toMatchObject({ command: 'load' });
    const page = await container.request(`${CHANGES}?since=${start}`, {
      as: own,
      headers: { Accept: 'application/json' },
    });
    const { changes } = (await page.json()) as { changes: readonly Told[] };
    expect(changes[0]).toEqual(change);
  });

  it('goes on where a reader was, without a loss and without telling anything twice', async () => {
    const first = await open(own);
    const start = Number(first.id);
    const names = Array.from({ length: 250 }, (_, index) => `n${index}`);
    const written = add(...names);
    const seen: Told[] = [];
    let at = first.id;
    await first.leave();
    for (let round = 0; seen.length < names.length; round++) {
      const stream = await open(own, { headers: { 'Last-Event-ID': at } });
      for (let count = 0; count <= (round * 7) % 60 && seen.length < names.length; count++) {
        const told = await stream.next();
        if (told) seen.push(told);
        at = stream.id;
      }
      await stream.leave();
    }
    await written;
    expect(seen.flatMap(({ added }) => added)).toEqual(names.map(noteIri));
    expect(seen.every(({ revision }, index) => revision > (seen[index - 1]?.revision ?? start))).toBe(true);
  });

  it('is what an EventSource reads, which connects again by itself', async () => {
    const connections: AbortController[] = [];
    const source = new EventSource(container.url + CHANGES, {
      fetch: (input, init) => {
        const connection = new AbortController();
        connections.push(connection);
        const url = String(input);
        const Authorization = signRequest({ method: 'GET', url, ...own });
        return fetch(url, {
          ...init,
          headers: { ...init.headers, Authorization },
          signal: AbortSignal.any([...(init.signal ? [init.signal] : []), connection.signal]),
        });
      },
    });
    onTestFinished(() => source.close());
    const events: { readonly data: string; readonly lastEventId: string }[] = [];
    let came = (): void => undefined;
    source.onmessage = (event) => {
      events.push({ data: String(event.data), lastEventId: event.lastEventId });
      came();
    };
    const arrived = (count: number): Promise<void> =>
      new Promise((resolve) => {
        came = () => {
          if (events.length >= count) resolve();
        };
        came();
      });
    await new Promise((opened) => (source.onopen = opened));
    await add('before');
    await arrived(1);
    const again = new Promise((opened) => (source.onopen = opened));
    connections[0]?.abort(new TypeError('the connection broke'));
    await add('meanwhile');
    await again;
    await arrived(2);
    const told = events.map(({ data }) => JSON.parse(data) as Told);
    expect(told.flatMap(({ added }) => added)).toEqual([noteIri('before'), noteIri('meanwhile')]);
    expect(events.map(({ lastEventId }) => Number(lastEventId))).toEqual(
      told.map(({ revision }) => revision),
    );
  });

  it('ends with its token, and brings nothing that came after', async () => {
    const as = await container.token('1000003');
    const [stream, other] = [await open(as), await open(own)];
    await withStore(async (store, accounts) => {
      await accounts.revoke(accounts.token(as.token ?? '')?.id ?? '');
      await store.write(notes('1000003', ['secret']));
    });
    expect(await stream.next()).toBeUndefined();
    expect(await other.next()).toMatchObject({ added: [noteIri('secret')] });
    await other.leave();
    const entries = await entriesOf('1000003');
    expect(entries).toContainEqual(expect.objectContaining({ outcome: 'refused', reason: 'token' }));
  });

  it('ends when the record is removed', async () => {
    const stream = await open(await container.token('1000007'), { path: '/records/1000007/changes' });
    await withStore((store) => removeRecord(store, container.url, '1000007'));
    expect(await stream.next()).toBeUndefined();
  });

  it('tells an app of what its manifest lists, and of nothing else', async () => {
    const id = 'narrow-stream@apps.example.org';
    const manifest = {
      id,
      name: 'Narrow',
      description: 'Needs problems.',
      mode: 'ui' as const,
      index: 'http://localhost:8000/narrow/',
      icon: 'http://localhost:8000/narrow/icon.png',
      requires: { [sp.Allergy]: { methods: ['GET' as const] } },
    };
    await withStore((store, accounts) =>
      store.write({ replace: [appGraph(manifest, container.url)] }, (tx) => {
        accounts.putApp(tx, { id, mode: 'ui' });
      }),
    );
    const stream = await open(await container.token('1000003', id));
    const allergy = `${container.url}/records/1000003/allergies/peanut`;
    await add('hidden');
    await withStore((store) =>
      store.write({
        replace: [
          ...notes('1000003', ['hidden-too']).replace,
          { name: allergy, quads: [quad(namedNode(allergy), namedNode(rdf.type), namedNode(sp.Allergy))] },
        ],
      }),
    );
    expect(await stream.next()).toMatchObject({ added: [allergy] });
  });

  it.each([
    ['another record', 403, '/records/1000002/changes', {}],
    ['a limit', 400, `${CHANGES}?limit=4`, {}],
    ['a revision that is none', 400, `${CHANGES}?since=x`, {}],
    ['an id that is none', 400, CHANGES, { 'Last-Event-ID': 'x' }],
    ['a parameter that is none', 400, `${CHANGES}?from=1`, {}],
    ['a revision that never was', 404, `${CHANGES}?since=99999999`, {}],
  ])('is refused for %s', async (_, status, path, more: Record<string, string>) => {
    const headers = { Accept: 'text/event-stream', ...more };
    const response = await container.request(path, { as: own, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect((await container.request(CHANGES, { headers })).status).toBe(401);
  });

  it('is not begun by HEAD, and five at a time are the most of one token', async () => {
    const as = await container.token('1000003');
    const headers = { Accept: 'text/event-stream' };
    for (let count = 0; count < 7; count++)
      expect((await container.request(CHANGES, { as, headers, method: 'HEAD' })).status).toBe(200);
    const streams = [];
    for (let count = 0; count < 5; count++) streams.push(await open(as));
    const refused = await container.request(CHANGES, { as, headers });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10']);
    await streams[0]?.leave();
    await expect
      .poll(async () => {
        const response = await container.request(CHANGES, { as, headers });
        await response.body?.cancel();
        return response.status;
      })
      .toBe(200);
  });

  it('has an entry in the access log for its opening and for each batch that was handed over', async () => {
    const as = await container.token('1000004');
    const stream = await open(as, { path: '/records/1000004/changes' });
    const start = Number(stream.id);
    await withStore((store) => store.write(notes('1000004', ['logged'])));
    const told = await stream.next();
    const own = (await entriesOf('1000004')).filter(
      ({ resource }) => resource === '/records/1000004/changes',
    );
    const [opened, batch] = own.sort((a, b) => a.number - b.number);
    expect(opened).toMatchObject({ action: 'read', outcome: 'done', user: 'clinician', status: 200 });
    expect(batch).toMatchObject({
      action: 'read',
      outcome: 'done',
      user: 'clinician',
      revision: told?.revision,
    });
    expect(told?.revision).toBeGreaterThan(start);
  });

  async function entriesOf(record: string) {
    const log = await openAccessLog(container.data);
    try {
      return await entriesIn(log, { record, newestFirst: true });
    } finally {
      await log.close();
    }
  }
});

describe('a reader of a stream', () => {
  function stream(more: Partial<ChangeStreamParts> = {}) {
    let revision = 1;
    const ended: string[] = [];
    const watch = { add: () => () => undefined, close: () => undefined } as unknown as CommitWatch;
    const streams = new Streams(watch, { ...noMetrics, streamEnded: (reason) => ended.push(reason) });
    const change = { time: '', added: ['x'.repeat(64 * 1024)], replaced: [], removed: [] };
    const body = new ChangeStream({
      streams,
      owner: { app: 'a', token: 't', address: '127.0.0.1' },
      since: 1,
      mustEnd: () => undefined,
      revision: () => revision,
      changesAfter: (after) =>
        Promise.resolve({
          changes: [{ ...change, revision: after + 1 }],
          revision: after + 1,
          isPart: true,
        }),
      record: () => Promise.resolve(),
      ...more,
    });
    return { body, ended, write: () => void (revision += 1000) };
  }

  it('that is slow costs no more memory than a batch, and is ended when it takes nothing between two heartbeats', async () => {
    const { body, ended, write } = stream();
    const closed = new Promise((resolve) => body.once('close', resolve));
    body.read(0);
    write();
    for (let count = 0; count < 50; count++) {
      body.wake();
      await Promise.resolve();
    }
    expect(body.readableLength).toBeLessThan(100 * 1024);
    body.beat();
    expect(ended).toEqual([]);
    body.beat();
    await closed;
    expect(ended).toEqual(['slow']);
  });

  it('gets nothing that could not be recorded', async () => {
    const { body, ended, write } = stream({ record: () => Promise.reject(new Error('full')) });
    write();
    let text = '';
    for await (const chunk of body) text += String(chunk);
    expect(text).toBe('id: 1\n\n');
    expect(ended).toEqual(['failed']);
  });
});

it('a container that stops ends its streams at once', async () => {
  const other = await startTestContainer();
  const as = await other.token('1000003');
  const response = await other.request(CHANGES, { as, headers: { Accept: 'text/event-stream' } });
  const reader = new Reader(response);
  expect(await reader.block()).toMatch(/^id: /u);
  await Promise.all([other.stop(), expect(reader.next()).resolves.toBeUndefined()]);
});
