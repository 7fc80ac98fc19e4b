import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClosedTo } from '../../../src/access/accounts/closed-classes.js';
import { UI_APP } from '../oauth/flow-container.js';
import type { PlainBrowser } from '../oauth/plain-browser.js';
import type { Credentials } from '../container.js';
import { RECORD, startClosed, type ClosedContainer } from './closed-container.js';

let container: ClosedContainer;
const browsers = new Map<string, PlainBrowser>();
const signed = new Map<string, Credentials>();
const bearers = new Map<string, string>();
beforeAll(async () => {
  container = await startClosed();
  for (const user of ['clinician', 'person']) {
    browsers.set(user, await container.browser(user));
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
    await container.request(path, { as: signed.get(user), headers: { Accept: 'application/n-triples' } })
  ).text();
const fhir = async (user: string, path: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${bearers.get(user)}` };
  return (await container.request(`/fhir/${path}`, { headers })).text();
};
const all = async (texts: readonly Promise<string>[]): Promise<string> =>
  (await Promise.all(texts)).join('\n');

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
  lists: (user) => all(paths(false).map((path) => called(user, path))),
  'its statements': (user, iri) => all(own(iri).map((path) => called(user, path))),
  changes: (user) => called(user, `/records/${RECORD}/changes`),
  'FHIR searches': (user) =>
    all(['Encounter', 'Condition', 'Observation', 'DocumentReference'].map((type) => fhir(user, type))),
  'FHIR everything': (user) => fhir(user, `Patient/${RECORD}/$everything?_count=1000`),
  overview: (user) => opened(user, `/account/records/${RECORD}`),
  trends: (user) => opened(user, `/account/trends/${RECORD}`),
  download: (user) => opened(user, `/account/exports/${RECORD}`),
  'its page': (user, iri) =>
    all(
      own(iri)
        .slice(0, 1)
        .map((path) => opened(user, `/account${path}`)),
    ),
  'other pages': (user) => all(paths(false).map((path) => opened(user, `/account${path}`))),
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
  'clinician, nobody': { user: 'clinician', to: [], pages: true, app: true },
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
    container.classes
      .map(({ iri }) => iri)
      .map((iri) => doors[door]?.(user, iri) ?? Promise.resolve(''))
      .slice(0, isOfClass.has(door) ? undefined : 1),
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
      if (to.length > 0) for (const { iri } of container.classes) await container.close(iri, ...to);
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

it('a class that is closed alone is shown by no door, and others still are', async () => {
  const wrong: string[] = [];
  for (const { iri, name } of container.classes) {
    await container.close(iri, 'all');
    const closed = new Set(container.closedWith(iri));
    for (const door of ['lists', 'changes', 'overview', 'download']) {
      const shown = await shownBy(door, 'clinician');
      for (const each of container.classes) {
        const count = shown.get(each.name)?.length ?? 0;
        if (closed.has(each.iri) ? count > 0 : door === 'lists' && count === 0)
          wrong.push(
            `${door}, ${name} closed: ${count} of ${each.name}: ${shown.get(each.name)?.slice(0, 3).join(' | ')}`,
          );
      }
    }
    await container.open(iri, 'all');
  }
  expect(wrong).toEqual([]);
}, 900_000);
