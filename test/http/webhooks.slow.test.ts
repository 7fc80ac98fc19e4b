import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { entriesOf as entriesIn } from '../access/log/opened-log.js';
import { openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import type { AppManifest } from '../../src/access/accounts/manifest.js';
import { bindTokens } from '../../src/access/accounts/tokens.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { allowedAddresses, receiverUrl } from '../../src/services/webhooks/receiver-address.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { patient } from '../cli/patients.js';
import { folder, start } from '../cli/run.js';
import { furnish } from '../setup/furnish.js';
import { writeFileSync } from 'node:fs';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';
import { startReceiver, type Receiver } from './webhook-receiver.js';

const APP = 'told@apps.example.org';
const appAt = (origin: string): AppManifest => ({
  id: APP,
  name: 'Told',
  description: 'Is told of changes.',
  mode: 'ui',
  index: `${origin}/index.html`,
  icon: `${origin}/icon.png`,
});

interface Place {
  readonly data: string;
  readonly store?: string | undefined;
  readonly url: string;
}

/** Works on a data directory as a command does. */
async function withStore<T>(
  { data, store, url }: Place,
  work: (store: PrimaryStore, accounts: Accounts) => Promise<T>,
): Promise<T> {
  const directory = await openDataDirectory(data, { store });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    return await work(openPrimaryStore(directory, url, { command: 'test' }), accounts);
  } finally {
    await directory.close();
  }
}

/** Adds a note to a record. @returns the number of the change */
const note = (place: Place, record: string, name: string): Promise<number> =>
  withStore(place, (store) => {
    const iri = `${place.url}/records/${record}/clinical_notes/${name}`;
    return store.write({
      replace: [
        { name: iri, quads: [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.ClinicalNote))] },
      ],
    });
  });

interface Shown {
  readonly id: string;
  readonly address: string;
  readonly secret?: string;
  readonly since: number;
  readonly failures: number;
  readonly reason?: string;
  readonly dead_letters: readonly {
    readonly since: number;
    readonly revision: number;
    readonly reason: string;
  }[];
}

describe('a subscription to a record', () => {
  const RECORD = '1000003';
  const PATH = `/records/${RECORD}/subscriptions`;
  let container: TestContainer;
  let receiver: Receiver;
  let as: Credentials;
  let made: Shown;

  beforeAll(async () => {
    // Three attempts at once, the third of which is the last.
    container = await startTestContainer({ webhookDelays: [0, 0], metrics: { host: '127.0.0.1', port: 0 } });
  });
  afterAll(() => container.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
    await withStore(container, (store, accounts) =>
      store.write({ replace: [appGraph(appAt(receiver.origin), container.url)] }, (tx) => {
        accounts.putApp(tx, { id: APP, mode: 'ui' });
      }),
    );
    as = await container.token(RECORD, APP);
    const response = await subscribe({ url: `${receiver.origin}/told?from=here` });
    expect(response.status).toBe(201);
    made = (await response.json()) as Shown;
    expect(response.headers.get('Location')).toBe(made.address);
  });
  afterEach(async () => {
    await send('DELETE', `${PATH}/${made.id}`);
    await receiver.stop();
  });

  const send = (method: string, path: string, body?: unknown, by = as, type = 'application/json') =>
    container.request(path, {
      method,
      as: by,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: body === undefined ? {} : { 'Content-Type': type },
    });
  const subscribe = (body: unknown) => send('POST', PATH, body);
  const list = async (by = as) =>
    ((await (await send('GET', PATH, undefined, by)).json()) as { subscriptions: readonly Shown[] })
      .subscriptions;

  it('is told of each change, signed as Standard Webhooks has it, by addresses alone', async () => {
    const first = await note(container, RECORD, 'one');
    const { body, headers, path, data } = await receiver.delivery(1);
    expect(path).toBe('/told?from=here');
    const webhook = new Webhook(made.secret ?? '');
    const told = webhook.verify(body, headers as Record<string, string>) as Record<string, unknown>;
    expect(told).toEqual({
      type: 'record.changed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      data: {
        subscription: made.address,
        record: `${container.url}/records/${RECORD}`,
        since: made.since,
        revision: first,
        changes: `${container.url}/records/${RECORD}/changes?since=${made.since}`,
      },
    });
    expect(() =>
      webhook.verify(body.replace('1000003', '1000004'), headers as Record<string, string>),
    ).toThrow();
    const second = await note(container, RECORD, 'two');
    expect((await receiver.delivery(2)).data).toMatchObject({ since: first, revision: second });
    const changes = await container.request(data.changes.slice(container.url.length), {
      as,
      headers: { Accept: 'application/json' },
    });
    expect(changes.status).toBe(200);
    await expect.poll(async () => (await list())[0]?.since).toBe(second);
    const entries = await entriesOf(made.id);
    expect(
      entries.slice(0, 4).map(({ action, outcome, revision, to }) => [action, outcome, revision, to]),
    ).toEqual(
      [
        ['begun', first],
        ['done', first],
        ['begun', second],
        ['done', second],
      ].map(([outcome, revision]) => ['notify', outcome, revision, `${receiver.origin}/told`]),
    );
  });

  it('is told of nothing that the user of its token was not shown', async () => {
    const shown = await withStore(container, async (store) => {
      const { directory } = store;
      await directory.transact((tx) => bindTokens(tx, APP, new Map([[sp.Allergy, ['GET']]])));
      await note(container, RECORD, 'hidden');
      const iri = `${container.url}/records/${RECORD}/allergies/peanut`;
      const quads = [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.Allergy))];
      return store.write({ replace: [{ name: iri, quads }] });
    });
    expect((await receiver.delivery(1)).data).toMatchObject({ since: made.since, revision: shown });
  });

  it('is made once for an address, its secret is shown once, and it goes on with another token', async () => {
    const again = await send(
      'POST',
      PATH,
      { url: `${receiver.origin}/told?from=here` },
      await container.token(RECORD, APP),
    );
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ id: made.id, since: made.since });
    const all = JSON.stringify(await list());
    expect(made.secret).toMatch(/^whsec_/u);
    expect(all).toContain(made.id);
    expect(all).not.toContain('whsec_');
  });

  it('has an address of the app, and says so to apps that have none', async () => {
    const response = await subscribe({ url: 'https://elsewhere.example.org/told' });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      property: 'url',
      detail: expect.stringMatching(
        /must have the origin of index .* a background app, .* asks for exports/u,
      ),
    });
  });

  it('is told again after a failure, with the same id, and no redirection is followed', async () => {
    const answers = [302, 500];
    receiver.answer = (response) => {
      response.writeHead(answers.shift() ?? 200, { Location: `${receiver.origin}/elsewhere` }).end();
    };
    await note(container, RECORD, 'again');
    await receiver.delivery(3);
    await expect.poll(async () => (await list())[0]?.failures).toBe(0);
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/told?from=here']));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await list())[0]?.dead_letters).toEqual([]);
  });

  it('has a dead letter for what was given up, goes on with what comes next, and tells it again when asked', async () => {
    receiver.answer = (response) => void response.writeHead(503).end();
    const lost = await note(container, RECORD, 'lost');
    await expect.poll(async () => (await list())[0]?.dead_letters.length).toBe(1);
    expect((await list())[0]?.dead_letters).toMatchObject([
      { since: made.since, revision: lost, reason: 'status-503' },
    ]);
    expect(receiver.received).toHaveLength(3);
    receiver.answer = (response) => void response.writeHead(200).end();
    const next = await note(container, RECORD, 'next');
    expect((await receiver.delivery(4)).data).toMatchObject({ since: lost, revision: next });
    const replayed = await send('PUT', `${PATH}/${made.id}`, { since: made.since });
    expect(await replayed.json()).toMatchObject({ since: made.since, failures: 0, dead_letters: [] });
    expect((await receiver.delivery(5)).data).toMatchObject({ since: made.since, revision: next });
  });

  it('ends when its token is revoked, and nothing is told of what came after', async () => {
    await withStore(container, async (store, accounts) => {
      await accounts.revoke(accounts.token(as.token ?? '')?.id ?? '');
      const iri = `${container.url}/records/${RECORD}/clinical_notes/after`;
      await store.write({
        replace: [
          { name: iri, quads: [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.ClinicalNote))] },
        ],
      });
    });
    const other = await container.token(RECORD, APP);
    await expect.poll(() => list(other)).toEqual([]);
    expect(receiver.received).toEqual([]);
    expect(await entriesOf(made.id)).toContainEqual(
      expect.objectContaining({ action: 'subscription.ended' }),
    );
  });

  it('ends with its token while it waits to be tried again, too, and nobody goes on with it', async () => {
    await withStore(container, async (_, accounts) => {
      await accounts.changeSubscription(made.id, (now) => ({ ...now, failures: 1, notBefore: 1e15 }));
      await accounts.revoke(accounts.token(as.token ?? '')?.id ?? '');
    });
    as = await container.token(RECORD, APP);
    expect((await send('PUT', `${PATH}/${made.id}`, { since: made.since })).status).toBe(404);
    const anew = await subscribe({ url: `${receiver.origin}/told?from=here` });
    expect(anew.status).toBe(201);
    const { id, failures } = (await anew.json()) as Shown;
    expect([id === made.id, failures]).toEqual([false, 0]);
    await expect.poll(async () => (await list()).map((each) => each.id)).toEqual([id]);
    const told = await note(container, RECORD, 'anew');
    expect((await receiver.delivery(1)).data).toMatchObject({ revision: told });
    await send('DELETE', `${PATH}/${id}`);
  });

  it('ends when the receiver says that it is gone, or the origin is no longer that of the app', async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    await note(container, RECORD, 'gone');
    await expect.poll(() => list()).toEqual([]);
    await subscribe({ url: `${receiver.origin}/other` });
    await withStore(container, (store) =>
      store.write({ replace: [appGraph(appAt('https://moved.example.org'), container.url)] }),
    );
    await expect.poll(() => list()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('is found among many others, and counted', async () => {
    const others = 300;
    await withStore(container, async (store, accounts) => {
      const token = accounts.token(as.token ?? '')?.id ?? '';
      const position = store.revision('');
      const url = `${receiver.origin}/other`;
      for (let record = 0; record < others; record++)
        await accounts.subscribe({ app: APP, token, record: `x${record}`, url, position });
    });
    const revision = await note(container, RECORD, 'among');
    expect((await receiver.delivery(1)).data).toMatchObject({ revision });
    // The others are to records that do not exist.
    const left = () =>
      withStore(container, (_, accounts) => Promise.resolve(accounts.listSubscriptions().length));
    await expect.poll(left).toBe(1);
    expect((await list()).map(({ id }) => id)).toEqual([made.id]);
    expect(receiver.received).toHaveLength(1);
    const metrics = await (await fetch(container.metricsUrl ?? '')).text();
    expect(metrics).toMatch(/^chartgraph_webhook_deliveries_total\{outcome="taken"\} [1-9]/mu);
    expect(metrics).toMatch(/^chartgraph_webhook_deliveries_total\{outcome="dead"\} 1$/mu);
    expect(metrics).toMatch(/^chartgraph_webhook_dead_letters \d+$/mu);
  });

  it('is for its app alone, and five are the most of an app', async () => {
    const other = await container.token(RECORD);
    expect(await list(other)).toEqual([]);
    for (const method of ['GET', 'DELETE'])
      expect((await send(method, `${PATH}/${made.id}`, undefined, other)).status).toBe(404);
    expect((await send('GET', `${PATH}/${made.id}`)).status).toBe(200);
    const more = [];
    for (const name of ['b', 'c', 'd', 'e', 'f'])
      more.push(await subscribe({ url: `${receiver.origin}/${name}` }));
    expect(more.map(({ status }) => status)).toEqual([201, 201, 201, 201, 409]);
    for (const { id } of await list()) expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['an origin that is not the app’s', 422, () => ({ url: 'https://elsewhere.example.org/told' })],
    ['http to another machine', 422, () => ({ url: 'http://elsewhere.example.org/told' })],
    ['a user in the address', 422, () => ({ url: receiver.origin.replace('//', '//user:secret@') })],
    ['no address', 422, () => ({})],
    ['a member that is none', 422, () => ({ url: receiver.origin, events: [] })],
    ['a revision that never was', 404, () => ({ url: receiver.origin, since: 99_999_999 })],
    ['a revision that is none', 422, () => ({ url: receiver.origin, since: '1' })],
    ['a list', 400, () => []],
    ['what is no JSON', 400, () => '{'],
  ])('is refused for %s', async (_, status, body) => {
    const response = await subscribe(body());
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      status,
      'application/problem+json',
    ]);
  });

  it('that has come to a change which a restore undoes is told at once, and that the change is lost when it asks', async () => {
    const file = join(folder(), 'backup');
    const onDirectory = async (work: (directory: DataDirectory) => Promise<unknown>): Promise<void> => {
      const directory = await openDataDirectory(container.data, { store: container.store });
      await work(directory).finally(() => directory.close());
    };
    await onDirectory((directory) => writeBackup(directory, file));
    const lost = await note(container, RECORD, 'undone');
    await receiver.delivery(1);
    await expect.poll(async () => (await list())[0]?.since).toBe(lost);
    await onDirectory((directory) => restoreBackup(directory, file));
    const { data } = await receiver.delivery(2);
    expect(data.since).toBe(lost);
    expect(data.revision).toBeGreaterThan(lost);
    const changes = await container.request(`/records/${RECORD}/changes?since=${lost}`, { as });
    expect([changes.status, ((await changes.json()) as { since: number }).since]).toEqual([
      404,
      data.revision,
    ]);
    // It goes on from there.
    const next = await note(container, RECORD, 'done');
    expect((await receiver.delivery(3)).data).toMatchObject({ since: data.revision, revision: next });
  });

  it('is refused for another record, without a signature, and for another media type', async () => {
    const body = { url: receiver.origin };
    expect((await send('POST', '/records/1000001/subscriptions', body)).status).toBe(403);
    expect((await container.request(PATH)).status).toBe(401);
    expect((await send('POST', PATH, body, as, 'text/plain')).status).toBe(415);
  });

  async function entriesOf(id: string) {
    const log = await openAccessLog(container.data);
    try {
      const entries = await entriesIn(log, { record: RECORD, newestFirst: true });
      return entries
        .filter(({ resource, action }) => resource?.endsWith(`/${id}`) && !['read', 'write'].includes(action))
        .sort((a, b) => a.number - b.number);
    } finally {
      await log.close();
    }
  }
});

test('a server that is killed while it tells of a change tells it again when it is started', async () => {
  const receiver = await startReceiver();
  const cwd = folder();
  const data = join(cwd, 'data');
  writeFileSync(join(cwd, 'p17.ttl'), patient('First'));
  const [token] = await furnish(data, {
    files: [join(cwd, 'p17.ttl')],
    app: appAt(receiver.origin),
    records: ['17'],
  });
  const place = { data, url: 'http://localhost:7000' };
  const position = await withStore(place, async (store, accounts) => {
    const found = accounts.token(token?.oauth_token ?? '');
    const position = store.revision('');
    const url = `${receiver.origin}/`;
    await accounts.subscribe({ app: APP, token: found?.id ?? '', record: '17', url, position });
    return position;
  });
  const serve = async () => {
    const child = start(['serve', '--no-seed', '--port', '0', '--workers', '1', '--analysts', 'off'], {
      cwd,
    });
    await new Promise<void>((ready) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('Chartgraph ready')) ready();
      });
    });
    return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  };
  const first = await serve();
  let second: typeof first | undefined;
  try {
    // It is never answered.
    receiver.answer = () => undefined;
    const one = await note(place, '17', 'one');
    const { headers, data: told } = await receiver.delivery(1);
    expect(told).toMatchObject({ since: position, revision: one });
    first.child.kill('SIGKILL');
    await first.ended;
    receiver.answer = (response) => void response.writeHead(200).end();
    second = await serve();
    const again = await receiver.delivery(2);
    expect(again.headers['webhook-id']).toBe(headers['webhook-id']);
    const two = await note(place, '17', 'two');
    expect((await receiver.delivery(3)).data).toMatchObject({ since: one, revision: two });
  } finally {
    first.child.kill('SIGKILL');
    second?.child.kill('SIGTERM');
    await second?.ended;
    await receiver.stop();
  }
});

describe('the address of a receiver', () => {
  const internet = allowedAddresses([], false);
  it.each([
    ['8.8.8.8', true],
    ['2001:4860:4860::8888', true],
    ['::ffff:8.8.8.8', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.31.0.1', false],
    ['192.168.1.1', false],
    ['100.64.0.1', false],
    ['169.254.169.254', false],
    ['168.63.129.16', false],
    ['168.63.129.17', true],
    ['::ffff:a83f:8110', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['::1', false],
    ['::', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:a9fe:a9fe', false],
    ['::10.0.0.1', false],
    ['::ffff:0:10.0.0.1', false],
    ['fec0::1', false],
    ['64:ff9b::a00:1', false],
    ['2002:7f00:1::', false],
    ['fd00::1', false],
    ['fe80::1', false],
  ])('%s may be reached: %s', (address, may) => {
    expect(internet(address)).toBe(may);
  });

  it('may be of a network that the operator names, and of this machine for a container that is only seen there', () => {
    const named = allowedAddresses(['10.0.0.0/8', 'fd00::1'], false);
    expect(['10.1.2.3', 'fd00::1', 'fd00::2', '192.168.0.1', '127.0.0.1'].map(named)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(['127.0.0.1', '::1', '10.0.0.1'].map(allowedAddresses([], true))).toEqual([true, true, false]);
  });

  it.each([
    ['https://app.example.org/told', true, true],
    ['http://localhost:8000/', true, false],
    ['http://127.0.0.1:8000/', true, false],
    ['http://app.example.org/', false, false],
    ['ftp://app.example.org/', false, false],
    ['https://app.example.org/#part', false, false],
    ['told', false, false],
    [`https://app.example.org/${'a'.repeat(1000)}`, false, false],
  ])('%s is one: %s for a demo, %s else', (text, forDemo, else_) => {
    expect([receiverUrl(text, true) !== undefined, receiverUrl(text, false) !== undefined]).toEqual([
      forDemo,
      else_,
    ]);
  });
});
