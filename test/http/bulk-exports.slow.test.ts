import { existsSync } from 'node:fs';
import { Parser } from 'n3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { entriesOf } from '../access/log/opened-log.js';
import { openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import type { AppManifest } from '../../src/access/accounts/manifest.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { prefixes, rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { run } from '../cli/run.js';
import { numberedCanonical } from '../records/canonical.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const ALL = 'everything@apps.example.org';
/** Its manifest lists lab results and problems. */
const NARROW = 'demo-background@apps.example.org';
const requires = (...names: string[]): Pick<AppManifest, 'requires'> => ({
  requires: Object.fromEntries(names.map((name) => [term(name), { methods: ['GET'] }])),
});
const background = (id: string, more: Partial<AppManifest> = {}): AppManifest =>
  ({
    id,
    name: 'Copies',
    description: 'Copies records.',
    mode: 'background',
    scope: 'container',
    ...more,
  }) as AppManifest;

interface File {
  readonly class?: string;
  readonly address: string;
  readonly count: number;
}
interface Shown {
  readonly id: string;
  readonly address: string;
  readonly state: string;
  readonly revision: number;
  readonly expires: string;
  readonly files: readonly File[];
  readonly removed: readonly File[];
}

let container: TestContainer;
beforeAll(async () => {
  container = await startTestContainer();
  await install(background(ALL));
});
afterAll(() => container.stop());

/** Works on the data directory as a command does. */
async function withStore<T>(work: (store: PrimaryStore, accounts: Accounts) => Promise<T>): Promise<T> {
  const { data, store, url } = container;
  const directory = await openDataDirectory(data, { store });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    return await work(openPrimaryStore(directory, url, { command: 'test' }), accounts);
  } finally {
    await directory.close();
  }
}

const install = (manifest: AppManifest): Promise<number> =>
  withStore((store, accounts) =>
    store.write({ replace: [appGraph(manifest, container.url)] }, (tx) => {
      accounts.putApp(tx, manifest);
    }),
  );

const signers = new Map<string, Credentials>();
/** Signs as the app alone. */
const signer = async (app: string): Promise<Credentials> => {
  const known = signers.get(app);
  if (known) return known;
  const { consumerKey, consumerSecret } = await container.token(undefined, app);
  const made = { consumerKey, consumerSecret };
  signers.set(app, made);
  return made;
};

async function send(app: string, method: string, path: string, body?: unknown): Promise<Response> {
  return container.request(path, {
    ...{ method, as: await signer(app) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
  });
}

const pathOf = (address: string): string => address.slice(container.url.length);

/** Begins an export and waits for its files. */
async function exported(app: string, body?: unknown): Promise<Shown> {
  const accepted = await send(app, 'POST', `/apps/${app}/exports`, body);
  expect(accepted.status).toBe(202);
  const address = accepted.headers.get('Content-Location') ?? '';
  await expect
    .poll(async () => (await send(app, 'GET', pathOf(address))).status, { interval: 200 })
    .toBe(200);
  return (await (await send(app, 'GET', pathOf(address))).json()) as Shown;
}

const textOf = async (app: string, { address }: File): Promise<string> =>
  (await send(app, 'GET', pathOf(address))).text();

const cancel = async (app: string, { address }: Shown): Promise<void> =>
  expect((await send(app, 'DELETE', pathOf(address))).status).toBe(200);

/** The graphs of a text in N-Quads, by name, read by another parser than ours; triples in the default graph have the name ''. */
function graphsOf(text: string): Map<string, Quad[]> {
  const graphs = new Map<string, Quad[]>();
  for (const each of new Parser({ format: 'N-Quads' }).parse(text)) {
    const name = each.graph.value;
    const { subject, predicate, object } = each as unknown as Quad;
    graphs.set(name, [...(graphs.get(name) ?? []), quad(subject, predicate, object)]);
  }
  return graphs;
}

const canonical = (quads: readonly Quad[] = []) => numberedCanonical([{ name: '', quads: [...quads] }])[''];

/** The addresses in files of removed resources. */
async function removedIn(app: string, { removed }: Shown): Promise<string[]> {
  const texts = await Promise.all(removed.map((file) => textOf(app, file)));
  return texts.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { address: string }).address),
  );
}

/** Adds a note to a record. */
const note = (record: string, name: string): Promise<number> =>
  withStore((store) => {
    const iri = `${container.url}/records/${record}/clinical_notes/${name}`;
    const say = (property: string, value: string) =>
      quad(namedNode(iri), namedNode(property), namedNode(value));
    const quads = [say(rdf.type, sp.ClinicalNote), say(sp.belongsTo, `${container.url}/records/${record}`)];
    return store.write({ replace: [{ name: iri, quads }] });
  });

describe('an export for a background app', () => {
  afterEach(async () => {
    for (const app of [ALL, NARROW]) {
      const { exports } = (await (await send(app, 'GET', `/apps/${app}/exports`)).json()) as {
        exports: readonly Shown[];
      };
      for (const each of exports) await cancel(app, each);
    }
  });

  it('holds each resource of every record as its call answers it, and nothing else', async () => {
    const nquads = await exported(ALL, { format: 'nquads' });
    const ndjson = await exported(ALL, { classes: ['Medication', 'Photograph', 'Demographics'].map(term) });
    const stored = await withStore((store) =>
      Promise.resolve(
        store.names(`${container.url}/records/`).filter((name) => !/\/apps\/[^/]+\/scratchpad$/u.test(name)),
      ),
    );
    const graphs = new Map<string, Quad[]>();
    for (const file of nquads.files) {
      const own = graphsOf(await textOf(ALL, file));
      expect([file.class, own.size]).toEqual([file.class, file.count]);
      for (const [name, quads] of own) graphs.set(name, quads);
    }
    expect([...graphs.keys()].sort()).toEqual([...stored].sort());
    const documents = new Map<
      string,
      { readonly '@context': object; readonly '@graph': readonly object[] }
    >();
    for (const file of ndjson.files) {
      for (const line of (await textOf(ALL, file)).trimEnd().split('\n')) {
        const { '@id': id, ...document } = JSON.parse(line) as {
          '@id': string;
          '@context': object;
          '@graph': readonly object[];
        };
        documents.set(id, document);
      }
    }
    const some = stored.filter((name) => /\d\/medications\/|\/(?:demographics|photograph)$/u.test(name));
    expect([...documents.keys()].sort()).toEqual([...some].sort());
    const as = await container.token('1000001');
    const own = stored.filter((name) => name.startsWith(`${container.url}/records/1000001/`));
    expect(own.length).toBeGreaterThan(40);
    for (const address of own) {
      const isDocument = /\/(?:documents|medical_images)\/|\/photograph$/u.test(address);
      const path = pathOf(address) + (isDocument ? '?format=metadata' : '');
      const read = async (Accept: string): Promise<string> =>
        (await container.request(path, { as, headers: { Accept } })).text();
      const {
        '@context': context,
        '@graph': nodes,
        ...node
      } = JSON.parse(await read('application/ld+json')) as Record<string, unknown>;
      if (documents.has(address))
        expect(documents.get(address)).toEqual({ '@context': context, '@graph': nodes ?? [node] });
      const triples = graphsOf(await read('application/n-triples')).get('');
      expect([address, canonical(graphs.get(address))]).toEqual([address, canonical(triples)]);
    }
  });

  it('has nothing of what the manifest does not list, also when that is narrowed afterwards', async () => {
    await install(background(NARROW, requires('LabResult', 'Problem')));
    const made = await exported(NARROW, { format: 'nquads' });
    // What is kept in words instead needs the same.
    const kept = ['UnmappedLabResult', 'UnmappedProblem'].map((name) => prefixes.cg + name);
    expect(made.files.map((file) => file.class).sort()).toEqual(
      [...kept, term('LabResult'), term('Problem')].sort(),
    );
    for (const file of made.files) {
      for (const name of graphsOf(await textOf(NARROW, file)).keys())
        expect(name).toMatch(/\/(?:lab_results|problems)\/[^/]+$/u);
    }
    await install(background(NARROW, requires('Problem')));
    const [results, problems] = ['LabResult', 'Problem'].map((name) =>
      made.files.find((file) => file.class === term(name)),
    );
    expect((await send(NARROW, 'GET', pathOf(results?.address ?? ''))).status).toBe(403);
    expect((await send(NARROW, 'GET', pathOf(problems?.address ?? ''))).status).toBe(200);
    const shown = (await (await send(NARROW, 'GET', pathOf(made.address))).json()) as Shown;
    expect(shown.files.map((file) => file.class).sort()).toEqual([kept[1], term('Problem')].sort());
  });

  it('tells no addresses of what the manifest does not list any more, though it was removed', async () => {
    await install(background(NARROW, requires('ClinicalNote', 'Problem')));
    await note('1000003', 'leaves');
    const before = await exported(NARROW, { classes: [term('Problem')] });
    await withStore((store) =>
      store.write({ remove: [`${container.url}/records/1000003/clinical_notes/leaves`] }),
    );
    const after = await exported(NARROW, { since: before.revision });
    expect(await removedIn(NARROW, after)).toEqual([
      `${container.url}/records/1000003/clinical_notes/leaves`,
    ]);
    await install(background(NARROW, requires('Problem')));
    const shown = (await (await send(NARROW, 'GET', pathOf(after.address))).json()) as Shown;
    expect(shown.removed).toEqual([]);
    expect((await send(NARROW, 'GET', pathOf(after.removed[0]?.address ?? ''))).status).toBe(403);
  });

  it('goes on from the revision of the one before, and tells what was removed', async () => {
    await note('1000003', 'goes');
    const before = await exported(ALL, { classes: [term('Problem')] });
    expect(before.files.map((file) => file.class)).toEqual([term('Problem')]);
    await note('1000004', 'comes');
    await withStore(async (store) => {
      const { url } = container;
      await store.write({ remove: [`${url}/records/1000003/clinical_notes/goes`] });
      await removeRecord(store, url, '1000008');
    });
    const after = await exported(ALL, { format: 'nquads', since: before.revision });
    expect(after.files.map((file) => [file.class, file.count])).toEqual([[term('ClinicalNote'), 1]]);
    const [file] = after.files;
    expect([...graphsOf(await textOf(ALL, file as File)).keys()]).toEqual([
      `${container.url}/records/1000004/clinical_notes/comes`,
    ]);
    const removed = await removedIn(ALL, after);
    expect(removed).toContain(`${container.url}/records/1000003/clinical_notes/goes`);
    expect(removed).toContain(`${container.url}/records/1000008`);
    expect(removed).toContain(`${container.url}/records/1000008/demographics`);
    expect(removed.filter((address) => !/\/records\/(?:1000003|1000008)(?:\/|$)/u.test(address))).toEqual([]);
    const none = await exported(ALL, { since: after.revision });
    expect([none.files, none.removed]).toEqual([[], []]);
  });

  it('is compressed for who takes gzip, and can be had in parts', async () => {
    const made = await exported(ALL, { classes: [term('Problem')] });
    const path = pathOf(made.files[0]?.address ?? '');
    const as = await signer(ALL);
    const get = (headers: Record<string, string>) => container.request(path, { as, headers });
    const [plain, coded] = [
      await get({ 'Accept-Encoding': 'identity' }),
      await get({ 'Accept-Encoding': 'br, gzip' }),
    ];
    expect([plain, coded].map(({ headers }) => headers.get('Content-Encoding'))).toEqual([null, 'gzip']);
    expect([plain, coded].map(({ headers }) => headers.get('Content-Type'))).toEqual(
      Array(2).fill('application/x-ndjson'),
    );
    const text = await plain.text();
    expect(text.split('\n')).toHaveLength((made.files[0]?.count ?? 0) + 1);
    expect(await coded.text()).toBe(text);
    const size = Number(coded.headers.get('Content-Length'));
    const part = await container.request(path, {
      ...{ method: 'HEAD', as },
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(Number(part.headers.get('Content-Length'))).toBe(size);
  });

  it('is in the access log of each record, and so is who had its files and who was refused', async () => {
    const made = await exported(ALL, { classes: [term('Problem')] });
    await textOf(ALL, made.files[0] as File);
    await send(NARROW, 'GET', pathOf(made.address));
    const log = await openAccessLog(container.data);
    try {
      const own = (await entriesOf(log, { record: '1000001', newestFirst: true })).filter(
        ({ action }) => action === 'export',
      );
      expect(own).toContainEqual(
        expect.objectContaining({
          ...{ app: ALL, outcome: 'done', record: '1000001', revision: made.revision },
          resource: pathOf(made.address),
        }),
      );
    } finally {
      await log.close();
    }
    const { stdout } = await run(['audit', '--app', ALL, '--json', '--data', container.data], {
      env: container.store === undefined ? {} : { CHARTGRAPH_STORE: container.store },
    });
    const entries = JSON.parse(stdout) as { resource?: string; action: string }[];
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'read', resource: pathOf(made.files[0]?.address ?? '') }),
    );
  });

  it('is refused to whoever is not that background app, before anything is said of it', async () => {
    const made = await exported(ALL, { classes: [term('Problem')] });
    const [path, file] = [pathOf(made.address), pathOf(made.files[0]?.address ?? '')];
    const list = `/apps/${ALL}/exports`;
    const person = await container.token('1000001');
    const withToken = await container.token('1000001', ALL);
    const { token: _, tokenSecret: __, ...ui } = person;
    const asked: readonly [string, string][] = [
      ['GET', list],
      ['POST', list],
      ['GET', path],
      ['DELETE', path],
      ['GET', file],
    ];
    for (const [method, each] of asked) {
      const statuses = [];
      for (const as of [undefined, ui, person, withToken, await signer(NARROW)])
        statuses.push((await container.request(each, { method, as })).status);
      expect([method, each, statuses]).toEqual([method, each, [401, 403, 403, 403, 403]]);
    }
    expect(
      (await send('demo-ui@apps.example.org', 'POST', '/apps/demo-ui@apps.example.org/exports')).status,
    ).toBe(403);
    // An app asks for the export of another one below its own path.
    expect((await send(NARROW, 'GET', path.replace(ALL, NARROW))).status).toBe(404);
    expect((await send(NARROW, 'GET', file.replace(ALL, NARROW))).status).toBe(404);
    expect((await send(ALL, 'GET', `${path}/files/999`)).status).toBe(404);
  });

  it('is one of three at most; what is removed is gone at once, with its files', async () => {
    const made = [];
    for (let number = 0; number < 3; number++) made.push(await exported(ALL, { classes: [term('Problem')] }));
    const fourth = await send(ALL, 'POST', `/apps/${ALL}/exports`);
    expect(fourth.status).toBe(429);
    expect(Number(fourth.headers.get('Retry-After'))).toBeGreaterThan(80_000);
    const files = await filesOf(ALL);
    expect(files).toHaveLength(3);
    expect(files.every((file) => existsSync(file))).toBe(true);
    for (const each of made) await cancel(ALL, each);
    for (const { address, files: own } of made) {
      expect((await send(ALL, 'GET', pathOf(address))).status).toBe(404);
      expect((await send(ALL, 'GET', pathOf(own[0]?.address ?? ''))).status).toBe(404);
    }
    expect(await (await send(ALL, 'GET', `/apps/${ALL}/exports`)).json()).toEqual({ exports: [] });
    await expect.poll(() => files.some((file) => existsSync(file))).toBe(false);
  });

  it('goes with its app, as soon as that is removed', async () => {
    const id = 'leaves@apps.example.org';
    await install(background(id));
    const made = await exported(id, { classes: [term('Problem')] });
    const files = await filesOf(id);
    expect(files.map((file) => existsSync(file))).toEqual([true]);
    await withStore((store, accounts) =>
      store.write({}, (tx) => {
        accounts.removeApp(tx, id);
      }),
    );
    expect((await send(id, 'GET', pathOf(made.address))).status).toBe(401);
    expect((await send(id, 'GET', pathOf(made.files[0]?.address ?? ''))).status).toBe(401);
    await expect.poll(() => files.some((file) => existsSync(file))).toBe(false);
  });

  it.each([
    ['a format that is none', 422, { format: 'csv' }],
    ['a revision that is none', 422, { since: '1' }],
    ['a revision that never was', 404, { since: 99_999_999 }],
    ['a class that is none', 422, { classes: ['http://example.org/Nothing'] }],
    ['a class of which records say nothing', 422, { classes: [`${sp.User}`] }],
    ['no class', 422, { classes: [] }],
    ['a member that is none', 422, { until: 1 }],
    ['a list', 400, []],
  ])('is refused for %s', async (_, status, body) => {
    const response = await send(ALL, 'POST', `/apps/${ALL}/exports`, body);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      status,
      'application/problem+json',
    ]);
  });
});

const term = (name: string): string => sp.Statement.replace('Statement', name);

/** The paths of the stored files of the exports of an app. */
const filesOf = (app: string): Promise<string[]> =>
  withStore(async (store, accounts) => {
    const documents = openDocumentStore(store.directory);
    return accounts
      .listExports(app)
      .filter(({ state }) => state === 'done')
      .flatMap(({ files }) => files.map(({ key }) => documents.path(key.sha256)));
  });
