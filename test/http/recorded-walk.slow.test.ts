import { createServer, type Server } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Parser } from 'n3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { adminReads, alike, bounded, pageReads, signedReads } from '../../bench/lib/read-paths.mjs';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { analystPaths, HEAD_FIELD } from '../../src/analysts/analyst-messages.js';
import type { descriptionRoutes as DescriptionRoutes } from '../../src/http/descriptions.js';
import type { Route } from '../../src/http/request-context.js';
import type { routing as Routing } from '../../src/http/route.js';
import { PathTemplate } from '../../src/model/ontology/path-template.js';
import { lastRevision } from '../../src/store/change-log.js';
import type { TableName } from '../../src/store/disk/tables.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { groupedBy } from '../../src/rdf/by-key.js';
import { SALT } from '../../src/services/exports/exported-resources.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { entriesOf } from '../access/log/opened-log.js';
import { temporaryFolder } from '../store/disk/temporary.js';
import type { Credentials } from './container.js';
import { BACKGROUND_APP, startFlowContainer, UI_APP, type FlowContainer } from './oauth/flow-container.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';

/** The routes that the container serves, as it finds them. */
const table = vi.hoisted(() => {
  // A file that ran before in this process may have imported what is replaced here.
  vi.resetModules();
  return { routes: [] as readonly Route[], described: new Set<Route>() };
});
vi.mock('../../src/http/route.js', async (original) => {
  const real = await original<{ readonly routing: typeof Routing }>();
  const routing: typeof Routing = (site, routes, ...more) => {
    table.routes = routes.filter((route) => !table.described.has(route));
    return real.routing(site, routes, ...more);
  };
  return { ...real, routing };
});
// Descriptions of the program get no data; their examples are of the seed that is shipped.
vi.mock('../../src/http/descriptions.js', async (original) => {
  const real = await original<{ readonly descriptionRoutes: typeof DescriptionRoutes }>();
  const descriptionRoutes: typeof DescriptionRoutes = (...given) => {
    const made = real.descriptionRoutes(...given);
    for (const route of made) table.described.add(route);
    return made;
  };
  return { ...real, descriptionRoutes };
});

const seed = resolve(import.meta.dirname, '..', '..', 'seed');
const OWN = '1000004';
const OTHER = '1000006';

/** As many words of each record are looked for. */
const WORDS = 80;
const files = readdirSync(join(seed, 'records'));
const seeds = new Map(
  files.map((name) => [name.replace('.ttl', ''), readFileSync(join(seed, 'records', name), 'utf8')]),
);

/** Texts that one record alone holds: names, numbers, titles, values. @param common holds those of others */
function wordsOfRecords(common: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [record, text] of seeds) {
    const others = [common, ...[...seeds.values()].filter((each) => each !== text)];
    const literals = new Parser().parse(text).flatMap(({ object: { termType, value } }) => {
      const isTelling = value.length > 6 && value.length < 60 && /[a-z]{3}|^\d{3}-\d{4}$/.test(value);
      return termType === 'Literal' && isTelling ? value : [];
    });
    let left = WORDS;
    for (const word of new Set(literals)) {
      if (left === 0) break;
      if (others.some((each) => each.includes(word))) continue;
      found.set(word, record);
      left--;
    }
  }
  return found;
}

/** The users of the seed who have no name of a patient. */
const users = (
  JSON.parse(readFileSync(join(seed, 'users.json'), 'utf8')) as { user_id: string; family_name: string }[]
).filter(({ user_id }) => user_id !== 'person');

interface Seen {
  readonly id: string;
  readonly text: string;
}

interface Role {
  readonly name: string;
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  readonly records: readonly string[];
  readonly isBrowser?: boolean;
  takes(route: Route): boolean;
  send(method: string, path: string, accept: string): Promise<Seen>;
}

let container: FlowContainer;
let analysts: Server;
let names: string[];
let words: Map<string, string>;
let roles: Role[];
beforeAll(async () => {
  // In place of the process of analysts: it answers each query with a name.
  const socket = join(await temporaryFolder(afterAll), 'analysts.sock');
  const head = {
    mediaType: 'text/tab-separated-values',
    rows: 1,
    isCut: false,
    warnings: [],
    ms: 1,
    id: '1',
    revision: 1,
  };
  analysts = createServer((request, response) => {
    const isQuery = request.url === analystPaths.query;
    response.setHeader(HEAD_FIELD, encodeURIComponent(JSON.stringify(head)));
    response.end(isQuery ? `?name\n"${wordOf(OTHER)}"\n` : '[]');
  });
  await new Promise<void>((done) => analysts.listen(socket, done));
  container = await startFlowContainer({ analystSocket: socket, senderBudget: 1000 });
  const { accounts, directory, url } = container;
  const ontology = await (await fetch(`${url}/ontology`, { headers: { Accept: 'text/turtle' } })).text();
  words = wordsOfRecords(ontology + readFileSync(join(seed, 'users.json'), 'utf8'));
  names = [...openPrimaryStore(directory, url).names()].map((name) => name.slice(url.length));
  const key = await openDocumentStore(directory).put([Buffer.alloc(SALT), gzipSync(wordOf(OTHER))]);
  const exported = { app: BACKGROUND_APP, format: 'ndjson', revision: 1, epoch: directory.epoch } as const;
  const job = await accounts.beginExport(exported);
  names.push(
    `/apps/${BACKGROUND_APP}/exports/${job?.id}`,
    `/apps/${BACKGROUND_APP}/exports/${job?.id}/files/1`,
  );
  await accounts.changeExport(job?.id ?? '', (now) => ({
    ...now,
    state: 'done',
    updated: Date.now(),
    files: [{ class: sp.LabResult, key, count: 1 }],
  }));
  roles = [
    unsigned(),
    ...(await Promise.all([
      signer('person', UI_APP, [OWN, OTHER]),
      signer('clinician', UI_APP, [OTHER]),
      signer(undefined, BACKGROUND_APP, [OTHER]),
      bearer(),
      ...['person', 'clinician', 'admin', 'analyst'].map(browsing),
    ])),
  ];
  const [token] = await Promise.all([container.token(OWN, UI_APP, 'person')]);
  const note = `Says ${wordOf(OWN)}`;
  await container.request(`/records/${OWN}/apps/${UI_APP}/scratchpad`, {
    method: 'PUT',
    as: token,
    body: note,
  });
});
afterAll(async () => {
  await container.stop();
  analysts.close();
});

const wordOf = (record: string): string => [...words].find(([, each]) => each === record)?.[0] ?? '';

async function fetched(path: string, init: RequestInit): Promise<Seen> {
  const response = await fetch(container.url + path, { ...init, redirect: 'manual' });
  const id = response.headers.get('X-Request-Id') ?? '';
  if (!response.headers.get('Content-Type')?.includes('event-stream'))
    return { id, text: await response.text() };
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return { id, text: Buffer.from(first?.value ?? []).toString('utf8') };
}

function unsigned(): Role {
  return {
    name: 'nobody',
    records: [OWN],
    takes: () => true,
    send: (method, path, accept) => fetched(path, { method, headers: { Accept: accept } }),
  };
}

async function signer(user: string | undefined, app: string, records: readonly string[]): Promise<Role> {
  const as: Credentials =
    user === undefined
      ? { consumerKey: app, consumerSecret: container.secrets[app] ?? '' }
      : await container.token(records[0], app, user);
  return {
    name: `${app} for ${user}`,
    ...{ user, app, records },
    takes: ({ credentials }) => credentials.startsWith('signature') || credentials === 'request token',
    send: (method, path, accept) => {
      const Authorization = signRequest({ method, url: container.url + path, ...as });
      return fetched(path, { method, headers: { Accept: accept, Authorization } });
    },
  };
}

async function bearer(): Promise<Role> {
  const asked = { user: 'analyst', purpose: 'a test', isIdentified: true, lifetime: 3_600_000 };
  const { token } = await container.accounts.issueAnalystToken(asked);
  return {
    ...{ name: 'a token of an analyst', user: 'analyst', records: [OWN] },
    takes: ({ credentials }) => credentials === 'analyst',
    send: (method, path, accept) =>
      fetched(path, { method, headers: { Accept: accept, Authorization: `Bearer ${token}` } }),
  };
}

async function browsing(user: string): Promise<Role> {
  const browser = await container.browser(user);
  const page = await browser.open('/account/security');
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  return {
    name: `${user} in a browser`,
    isBrowser: true,
    user,
    records: user === 'person' ? [OWN, OTHER] : [OTHER],
    takes: ({ credentials, method, call }) =>
      credentials === 'session' || credentials === 'analyst' || (method === 'GET' && call?.answer === 'rdf'),
    send: async (method, path, accept) => {
      const [to = '', query = ''] = path.split('?');
      const fields = `${query}&csrf=${csrf}&decision=allow&wording=another`;
      const init = method === 'POST' ? { method, body: new URLSearchParams(fields) } : { method };
      const answer = await browser.open(method === 'POST' ? to : path, {
        ...init,
        headers: { Accept: accept },
      });
      return { id: answer.headers.get('X-Request-Id') ?? '', text: answer.html };
    },
  };
}

/** A path of a route for a record: one that is stored, else one that is made up. */
function pathOf({ path }: Route, record: string): string {
  const [, account = '', rest = path] = /^(\/account)?(\/.*)$/.exec(path) ?? [];
  const template = PathTemplate.of(rest);
  const stored = names
    .map((name) => [name, template.match(name)] as const)
    .filter(([, found]) => found && (found['record_id'] ?? record) === record)
    .map(([name]) => account + name);
  const ids: Record<string, string> = {
    record_id: record,
    smart_app_id: UI_APP,
    user_id: 'clinician',
    name: 'problems',
    type: 'Patient',
    id: record,
  };
  const app = path.includes('background') || path.includes('exports') ? BACKGROUND_APP : UI_APP;
  const made = PathTemplate.of(path).fill(
    Object.fromEntries(
      template.parameters.map((name) => [name, ids[name] ?? (/app_id|descriptor/.test(name) ? app : '1')]),
    ),
  );
  return stored[0] ?? made;
}

/** Queries of a route that show what it may show to a role. */
async function queriesOf(
  { method, credentials, call, path }: Route,
  record: string,
  role: Role,
): Promise<string[]> {
  const isReader = role.user !== undefined && role.records[0] === record;
  if (call) {
    if (role.isBrowser) return ['explain'];
    if (method !== 'GET' || !isReader) return [''];
    if (call.answer === 'document') return ['', 'format=raw', 'format=combined', 'format=metadata'];
    if (call.answer === 'changes') return ['', 'since=0'];
    return call.cardinality === 'single' ? [''] : ['', `at=${encodeURIComponent(new Date().toISOString())}`];
  }
  if (path === '/oauth/authorize') {
    const { oauth_token: token } = await container.requestToken(UI_APP);
    return ['', `&record_id=${record}`, '&family_name=S'].map((more) => `oauth_token=${token}${more}`);
  }
  if (path === '/sparql') return [`query=${encodeURIComponent('SELECT * { ?s ?p ?o } LIMIT 1')}`];
  if (credentials !== 'session' || method !== 'GET') return [`record_id=${record}`];
  if (/document|image|photograph/.test(path)) return ['', 'format=raw'];
  if (path.includes('accesses')) return ['', 'format=csv'];
  return path === '/account' || path.endsWith('launch')
    ? ['', 'family_name=S', `medical_record_number=${record}`]
    : [''];
}

interface Shown extends Seen {
  readonly role: Role;
  readonly at: string;
}

/** Asks every route for all that a role may ask it for. */
async function* walk(role: Role): AsyncGenerator<Shown> {
  // Whoever signs out sees no more.
  const isLast = ({ path }: Route): number => Number(path === '/logout');
  for (const route of table.routes.filter(role.takes).sort((a, b) => isLast(a) - isLast(b))) {
    const records = route.path.includes('{record_id}') ? role.records : role.records.slice(0, 1);
    for (const record of records) {
      for (const query of await queriesOf(route, record, role)) {
        const at = pathOf(route, record) + (query && `?${query}`);
        const accept =
          query === 'since=0' ? 'text/event-stream' : role.isBrowser ? 'text/html, */*;q=0.5' : '*/*';
        yield { role, at: `${route.method} ${at}`, ...(await role.send(route.method, at, accept)) };
      }
    }
  }
}

/** The records and users that an answer shows words of, as entries name them. */
function shownBy({ role, text }: Shown): { records: string[]; users: string[] } {
  const found = [...words].filter(([word]) => text.includes(word)).map(([, record]) => record);
  const records = [...new Set(found)];
  const isNamedIn = (name: string): boolean => records.some((record) => seeds.get(record)?.includes(name));
  const others = users.filter(
    ({ user_id: id, family_name: name }) => id !== role.user && text.includes(name) && !isNamedIn(name),
  );
  return { records, users: others.map(({ user_id }) => `/users/${user_id}`) };
}

/** All that requests can change, but when a session was last used. */
function stateOf(): string {
  const changing = ['tokens', 'requests', 'consents', 'allowances', 'analystTokens', 'savedQueries'] as const;
  const { directory } = container;
  return directory.read((tx) =>
    JSON.stringify([
      lastRevision(tx),
      ...[...changing, 'subscriptions', 'exports', 'users', 'posted', 'idempotency'].map((table) =>
        Array.from(tx.range(table as TableName), ({ key, value }) => [key, value]),
      ),
      tx.count('sessions'),
    ]),
  );
}

it('every route that reads has a figure in bench/turns.mjs, or is named beside them', () => {
  const of = { record: OWN, document: `/records/${OWN}/documents/1` };
  const all = [signedReads(of, ''), pageReads(of), adminReads].flatMap((each) => Object.values(each));
  const measured = all.map((path) => path.replace(/\?.*/, ''));
  const named = [...alike.map(([form]) => form), ...bounded.map(([form]) => form)];
  const reading = table.routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  expect(
    reading.filter(
      (path) =>
        !measured.some((each) => PathTemplate.of(path).match(each)) && !named.some((form) => form.test(path)),
    ),
  ).toEqual([]);
  expect(named.filter((form) => !reading.some((path) => form.test(path)))).toEqual([]);
});

it('HEAD changes nothing, whoever asks for it', { timeout: 600_000 }, async () => {
  const changed: string[] = [];
  let asked = 0;
  for (const role of roles.filter(({ user }) => user === 'person' || user === 'clinician')) {
    for (const route of table.routes.filter((each) => each.method === 'GET' && role.takes(each))) {
      const [record = OWN] = role.records;
      const [query = ''] = await queriesOf(route, record, role);
      const at = pathOf(route, record) + (query && `?${query}`);
      const before = stateOf();
      await role.send('HEAD', at, '*/*');
      asked++;
      if (stateOf() !== before) changed.push(`${role.name}: HEAD ${at}`);
    }
  }
  expect(changed).toEqual([]);
  expect(asked).toBeGreaterThan(100);
});

it(
  'what any route shows of people stands in the access log, with who saw it',
  { timeout: 600_000 },
  async () => {
    const log = await openAccessLog(container.data);
    const after = (await entriesOf(log)).length;
    const all: Shown[] = [];
    for (const role of roles) for await (const each of walk(role)) all.push(each);
    const entries = groupedBy((await entriesOf(log)).slice(after), ({ requestId }) => requestId ?? '');
    await log.close();
    const unrecorded = all.flatMap((each) => {
      const { user, app, name } = each.role;
      const own = (entries.get(each.id) ?? []).filter(
        (entry) => entry.user === user && entry.app === app && entry.outcome === 'done',
      );
      const isSearch = (kind: string): boolean =>
        own.some(({ action, call }) => action === 'query' || call?.endsWith(`#search_${kind}`));
      const { records, users: named } = shownBy(each);
      return [
        ...records.filter((of) => !isSearch('records') && !own.some(({ record }) => record === of)),
        ...named.filter((of) => !isSearch('users') && !own.some(({ resource }) => resource === of)),
      ].map((what) => `${name}: ${each.at} shows ${what}`);
    });
    expect(unrecorded).toEqual([]);
    // Enough is shown for the walk to tell.
    const seen = (name: string): number =>
      all.filter((each) => each.role.name === name && shownBy(each).records.length > 0).length;
    for (const name of [`${UI_APP} for person`, 'person in a browser', 'clinician in a browser'])
      expect(seen(name)).toBeGreaterThan(15);
    for (const name of [
      'nobody',
      `${BACKGROUND_APP} for undefined`,
      'a token of an analyst',
      'analyst in a browser',
    ])
      expect(seen(name)).toBeGreaterThan(0);
  },
);
