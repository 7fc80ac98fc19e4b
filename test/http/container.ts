import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { startContainer, type ContainerSettings } from '../../src/main.js';
import type { Folders } from '../../src/model/ontology/directory.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { containerSettings } from '../setup/container-settings.js';
import { seededCopy } from '../setup/seeded-copy.js';
import { seededGateway } from '../setup/seeded-gateway.js';
import { recordCalls } from './called.js';

/** Credentials of an app with an access token. */
export interface Credentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
}

/** A container on a free port with a data directory of its own, and what a test does with it. */
export interface TestContainer {
  readonly url: string;
  /** Where its numbers are, if the settings ask for them. */
  readonly metricsUrl: string | undefined;
  readonly data: string;
  /** The database of which `data` holds a copy, where tests are run on PostgreSQL. */
  readonly store: string | undefined;
  /** Sends a request, signed when credentials are given. The path stands below the base URL. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  /** Issues an access token as the command line does. */
  token(record: string | undefined, app?: string, user?: string): Promise<Credentials>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  readonly method?: string;
  readonly as?: Credentials | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/**
 * Starts a container on the shipped ontology, queries and seed, unless the settings say otherwise.
 * @param start that of what has been built, where threads are to be run
 */
export async function startTestContainer(
  settings: Partial<ContainerSettings> = {},
  start = startContainer,
): Promise<TestContainer> {
  const isShipped = settings.seed === undefined && settings.ontology === undefined;
  const shared = isShipped && settings.data === undefined ? await seededGateway() : undefined;
  const data =
    settings.data ??
    shared?.data ??
    (isShipped ? await seededCopy() : await mkdtemp(join(tmpdir(), 'chartgraph-')));
  const store = settings.store ?? shared?.store;
  const all = { ...containerSettings(data), ...settings, store };
  const container = await start(all);
  const used = use({ url: container.url, metricsUrl: container.metricsUrl, data, store }, all.ontology);
  return {
    ...used,
    stop: async () => {
      await container.close();
      await used.stop();
      if (settings.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

let shared: Promise<TestContainer> | undefined;

/** A container on what is shipped, one for all test files of this process that read from it and write nothing. */
export async function sharedContainer(): Promise<TestContainer> {
  return use(await (shared ??= startTestContainer()), containerSettings('').ontology);
}

type Place = Pick<TestContainer, 'url' | 'metricsUrl' | 'data' | 'store'>;

/** A container as one test file uses it, which is over when it writes down what it called. */
function use({ url, metricsUrl, data, store }: Place, ontology: Folders): TestContainer {
  const called = recordCalls(ontology);
  return {
    url,
    metricsUrl,
    data,
    store,
    request: async (path, options = {}) => {
      const response = await send(url, path, options);
      called.saw(options.method ?? 'GET', path, response.status);
      return response;
    },
    token: (record, app = 'demo-ui@apps.example.org', user = 'clinician') =>
      issue({ data, store }, { record, app, user }),
    stop: () => called.write(),
  };
}

async function send(
  base: string,
  path: string,
  { method = 'GET', as, headers = {}, body }: RequestOptions,
): Promise<Response> {
  // Server and client share this process: after a test has kept it busy for long, the server first ends the connections
  // that were idle, and the client takes note, before one of them is used again.
  await turn();
  await turn();
  const url = base + path;
  const authorization = as ? { Authorization: signRequest({ method, url, ...as }) } : {};
  return fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...authorization, ...headers },
    body: body ?? null,
  });
}

async function issue(
  { data, store }: { data: string; store: string | undefined },
  { record, app, user }: { record: string | undefined; app: string; user: string },
): Promise<Credentials> {
  const directory = await openDataDirectory(data, { store });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    const issued = await accounts.issueToken({ app, user, ...(record === undefined ? {} : { record }) });
    const consumerSecret = directory.read((tx) => accounts.appCredentials(tx, app)?.secret ?? '');
    return { consumerKey: app, consumerSecret, token: issued.token, tokenSecret: issued.secret };
  } finally {
    await directory.close();
  }
}
