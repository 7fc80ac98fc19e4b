import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClosedTo } from '../../../src/access/accounts/closed-classes.js';
import type * as Main from '../../../src/main.js';
import type { ClassModel } from '../../../src/model/ontology/model.js';
import { UI_APP } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';
import type { Credentials } from '../container.js';
import { RECORD, startClosed, type ClosedContainer } from './closed-container.js';

// Only what has been built has programs for threads: without them each answer of FHIR tries in vain to start one.
const { startContainer } = (await import(
  new URL('../../../dist/main.js', import.meta.url).href
)) as typeof Main;

let container: ClosedContainer;
const browsers = new Map<string, PlainBrowser>();
const signed = new Map<string, Credentials>();
const bearers = new Map<string, string>();
beforeAll(async () => {
  container = await startClosed(startContainer);
  for (const user of ['clinician', 'person']) {
    const browser = await container.browser(user);
    browser.headers.set('Accept-Encoding', 'identity');
    browsers.set(user, browser);
    signed.set(user, await container.token(RECORD, UI_APP, user));
    const { directory, accounts } = container;
    const asked = { app: UI_APP, user, record: RECORD, scope: 'patient/*.rs' };
    bearers.set(user, (await directory.transact((tx) => accounts.putBearer(tx, asked))).token);
  }
}, 300_000);
afterAll(() => container.stop());

const opened = async (user: string, path: string): Promise<string> =>
  (await browsers.get(user)?.open(path))?.html ?? '';
const called = async (user: string, path: string): Promise<string> =>
  (
    await container.request(path, {
      as: signed.get(user),
      headers: { Accept: 'application/n-triples', 'Accept-Encoding': 'identity' },
    })
  ).text();
const fhir = async (user: string, path: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${bearers.get(user)}`, 'Accept-Encoding': 'identity' };
  return (await container.request(`/fhir/${path}`, { headers })).text();
};
/** One after another: where many wait for this process, the server ends those that it takes for slow. */
const all = async <T>(asked: readonly T[], ask: (each: T) => Promise<string>): Promise<string> => {
  const texts: string[] = [];
  for (const each of asked) texts.push(await ask(each));
  return texts.join('\n');
};

const paths = (isOne: boolean): string[] =>
  container.ontology.calls
    .filter(
      ({ method, path, scope }) =>
        method === 'GET' && scope === 'record' && !/subscription|smart_app|changes/u.test(path),
    )
    .filter(({ path }) => isOne === /_id\}.*\{/u.test(path))
    .map(({ path }) => path.replace('{record_id}', RECORD));
const own = (iri: string): string[] =>
  container
    .statements(iri)
    .slice(0, 2)
    .map((name) => name.slice(container.url.length));

const doors: Record<string, (user: string, iri: string) => Promise<string>> = {
  lists: (user) => all(paths(false), (path) => called(user, path)),
  'its statements': (user, iri) => all(own(iri), (path) => called(user, path)),
  changes: (user) => called(user, `/records/${RECORD}/changes`),
  'FHIR searches': (user) =>
    all(['Encounter', 'Condition', 'Observation', 'DocumentReference'], (type) => fhir(user, type)),
  'FHIR everything': (user) => fhir(user, `Patient/${RECORD}/$everything?_count=1000`),
  overview: (user) => opened(user, `/account/records/${RECORD}`),
  trends: (user) => opened(user, `/account/trends/${RECORD}`),
  download: (user) => opened(user, `/account/exports/${RECORD}`),
  'its page': (user, iri) => all(own(iri).slice(0, 1), (path) => opened(user, `/account${path}`)),
  'other pages': (user) => all(paths(false), (path) => opened(user, `/account${path}`)),
};
const pages: readonly (keyof typeof doors)[] = ['overview', 'trends', 'download', 'its page', 'other pages'];

interface Column {
  readonly user: string;
  readonly to: readonly ClosedTo[];
  readonly isInEmergency?: true;
  /** Whether the class is seen in pages, and by an app. */
  readonly pages: boolean;
  readonly app: boolean;
}
const columns: Record<string, Column> = {
  'clinician, all': { user: 'clinician', to: ['all'], pages: false, app: false },
  'clinician, themself': { user: 'clinician', to: ['user clinician'], pages: false, app: false },
  'clinician, another': { user: 'clinician', to: ['user other'], pages: true, app: true },
  'clinician, app': { user: 'clinician', to: [`app ${UI_APP}`], pages: true, app: false },
  'emergency, all': { user: 'clinician', to: ['all'], isInEmergency: true, pages: true, app: false },
  'emergency, themself': {
    user: 'clinician',
    to: ['user clinician'],
    isInEmergency: true,
    pages: true,
    app: true,
  },
  'patient, all': { user: 'person', to: ['all'], pages: true, app: false },
  'patient, app': { user: 'person', to: [`app ${UI_APP}`], pages: true, app: false },
};

/** What only statements of each class say, and a door shows. */
async function shownBy(door: string, user: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await all(
    container.classes.slice(0, isOfClass.has(door) ? undefined : 1),
    async ({ iri }) => (await doors[door]?.(user, iri)) ?? '',
  );
  return new Map(
    container.classes.map(({ iri, name }) => [
      name,
      (secrets.get(iri) ?? []).filter((secret) => text.includes(secret)),
    ]),
  );
}
const isOfClass: ReadonlySet<string> = new Set(['its statements', 'its page']);
const secrets = new Map<string, readonly string[]>();
const before = new Map<string, ReadonlyMap<string, readonly string[]>>();
beforeAll(async () => {
  for (const { iri } of container.classes) secrets.set(iri, container.secretsOf(iri));
  for (const door of Object.keys(doors))
    for (const user of browsers.keys()) before.set(`${door} ${user}`, await shownBy(door, user));
}, 600_000);
const none = () => new Map(container.classes.map(({ name }) => [name, []]));

it('covers the classes that calls about a record read, except that of whose record it is', () => {
  expect(container.classes.length).toBeGreaterThan(15);
  expect(container.classes.map(({ name }) => name)).not.toContain('Demographics');
  for (const { iri } of container.classes) expect(secrets.get(iri)?.length).toBeGreaterThan(0);
});

it.each(Object.keys(doors))('%s shows something where nothing is closed', (door) => {
  for (const user of browsers.keys()) {
    const seen = [...(before.get(`${door} ${user}`) ?? [])].filter(([, shown]) => shown.length > 0);
    expect(seen.length).toBeGreaterThan(door === 'trends' ? 0 : 3);
  }
});

describe.each(Object.entries(columns))(
  'every class is closed: %s',
  (_, { user, to, isInEmergency, ...column }) => {
    beforeAll(async () => {
      if (isInEmergency) await container.accounts.openInEmergency(user, RECORD, 'why');
      await container.close(container.classes, ...to);
    }, 300_000);
    afterAll(async () => {
      const { accounts, directory } = container;
      await container.openAll();
      await directory.transact((tx) => accounts.endEmergencies(tx, user, [RECORD]));
    }, 300_000);

    it.each(Object.keys(doors))(
      '%s',
      async (door) => {
        const isSeen = pages.includes(door) ? column.pages : column.app;
        expect(await shownBy(door, user)).toEqual(isSeen ? before.get(`${door} ${user}`) : none());
      },
      60_000,
    );
  },
);

/** Pairs of halves: of any two classes, one is in a half without the other, and the other way round. */
const halves = (classes: readonly ClassModel[]): ClassModel[][] =>
  Array.from({ length: Math.ceil(Math.log2(classes.length)) }, (_, place) =>
    [0, 1].map((digit) => classes.filter((_, at) => ((at >> place) & 1) === digit)),
  ).flat();

it('a class that is closed is shown by no door, and those that are not still are', async () => {
  const wrong: string[] = [];
  for (const half of halves(container.classes)) {
    await container.close(half, 'all');
    const closed = new Set(half.flatMap(({ iri }) => container.closedWith(iri)));
    for (const door of ['lists', 'changes', 'overview', 'download']) {
      const shown = await shownBy(door, 'clinician');
      for (const { iri, name } of container.classes) {
        const some = shown.get(name) ?? [];
        if (closed.has(iri) ? some.length > 0 : door === 'lists' && some.length === 0)
          wrong.push(`${door}, ${[...closed].join(' ')} closed: ${name}: ${some.slice(0, 3).join(' | ')}`);
      }
    }
    await container.openAll();
  }
  expect(wrong).toEqual([]);
}, 900_000);
