import { openAccounts, type Accounts } from '../../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../../src/access/accounts/secret-key.js';
import type { AppManifest } from '../../../src/access/accounts/manifest.js';
import { openGrants, type Grants } from '../../../src/access/accounts/grants.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import type { ContainerSettings, startContainer } from '../../../src/main.js';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import { appGraph } from '../../../src/records/app-graph.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { cheapHash } from '../../setup/cheap-hash.js';
import { startTestContainer, type TestContainer } from '../container.js';
import { PlainBrowser } from './plain-browser.js';

/** The password that every user of a test has. */
export const PASSWORD = 'correct horse battery';
/** Its hash at a low cost: these tests are of what follows after a password was right. */
const passwordHash = cheapHash(PASSWORD);
export const UI_APP = 'demo-ui@apps.example.org';
export const BACKGROUND_APP = 'demo-background@apps.example.org';
/** An app without oauth_callback, whose users copy the verifier. */
export const COPY_APP = 'copy@apps.example.org';
const CALLBACK =
  /^http:\/\/localhost:8000\/medications\/authorized\?oauth_token=([\w-]+)&oauth_verifier=([\w-]+)$/;

/** Token and secret as an answer gives them, beside what else it says. */
export type Answer = Readonly<Record<string, string>>;

export interface FlowContainer extends TestContainer {
  readonly directory: DataDirectory;
  readonly accounts: Accounts;
  readonly grants: Grants;
  readonly secrets: Readonly<Record<string, string>>;
  signed(path: string, app: string, options?: SignedOptions): Promise<Response>;
  requestToken(app?: string, record?: string): Promise<Answer>;
  /** A browser in which a user is signed in. */
  browser(user?: string): Promise<PlainBrowser>;
  /** Opens, and allows. @returns token and verifier of the callback */
  allow(browser: PlainBrowser, requestToken: string): Promise<{ token: string; verifier: string }>;
  exchange(request: Answer, verifier: string, app?: string): Promise<Response>;
  authorizeUrl(requestToken: string): string;
}

export interface SignedOptions {
  readonly method?: string;
  readonly token?: { readonly oauth_token?: string; readonly oauth_token_secret?: string };
  readonly form?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, string>>;
}

const FORM = 'application/x-www-form-urlencoded';

/** A container whose users have passwords, with an app more, and what a test needs to play app and person. */
export async function startFlowContainer(
  settings: Partial<ContainerSettings> = {},
  apps: readonly AppManifest[] = [],
  start?: typeof startContainer,
): Promise<FlowContainer> {
  const container = await startTestContainer(settings, start);
  const directory = await openDataDirectory(container.data, { store: container.store });
  const key = await loadSecretKey(container.data, process.env);
  const accounts = openAccounts(directory, key);
  await prepare(directory, accounts, container.url, [copyApp, ...apps]);
  const secrets = directory.read((tx) =>
    Object.fromEntries(
      accounts.listApps().map(({ id }) => [id, accounts.appCredentials(tx, id)?.secret ?? '']),
    ),
  );

  const signed: FlowContainer['signed'] = (path, app, options = {}) => {
    const { method = 'POST', token, form, extra = {} } = options;
    const url = container.url + path;
    const body = form === undefined ? '' : new URLSearchParams(form).toString();
    const authorization = signRequest({
      method,
      url,
      consumerKey: app,
      consumerSecret: secrets[app] ?? 'unknown',
      ...(token?.oauth_token === undefined ? {} : { token: token.oauth_token }),
      ...(token?.oauth_token_secret === undefined ? {} : { tokenSecret: token.oauth_token_secret }),
      contentType: FORM,
      body,
      extra,
    });
    return fetch(url, {
      method,
      redirect: 'manual',
      headers: { Authorization: authorization, 'Content-Type': FORM },
      ...(method === 'GET' ? {} : { body }),
    });
  };

  const flow: FlowContainer = {
    ...container,
    directory,
    accounts,
    grants: openGrants(directory, key),
    secrets,
    signed,
    async requestToken(app = UI_APP, record) {
      const form = { ...(record === undefined ? {} : { smart_record_id: record }), oauth_callback: 'oob' };
      return answerOf(await signed('/oauth/request_token', app, { form }));
    },
    async browser(user) {
      const browser = new PlainBrowser(container.url);
      if (user !== undefined) await browser.signIn(user, PASSWORD);
      return browser;
    },
    async allow(browser, requestToken) {
      const page = await browser.open(flow.authorizeUrl(requestToken));
      const answer = page.status === 302 ? page : await browser.submit(page, { decision: 'allow' });
      const [, token, verifier] = CALLBACK.exec(answer.headers.get('Location') ?? '') ?? [];
      if (token === undefined || verifier === undefined)
        throw new Error(`not allowed: ${answer.status} ${await answer.text()}`);
      return { token, verifier };
    },
    exchange: (request, verifier, app = UI_APP) =>
      signed('/oauth/access_token', app, { token: request, extra: { oauth_verifier: verifier } }),
    authorizeUrl: (requestToken) => `/oauth/authorize?oauth_token=${requestToken}`,
    async stop() {
      await directory.close();
      await container.stop();
    },
  };
  return flow;
}

/** Reads a form-encoded answer. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return Object.fromEntries(new URLSearchParams(text));
}

const copyApp: AppManifest = {
  id: COPY_APP,
  name: 'Copying app',
  description: 'Has no address to go back to.',
  mode: 'ui',
  index: 'http://localhost:8000/copy/?a=1#top',
  icon: 'http://localhost:8000/copy/icon.png',
};

async function prepare(
  directory: DataDirectory,
  accounts: Accounts,
  base: string,
  apps: readonly AppManifest[],
): Promise<void> {
  await openPrimaryStore(directory, base).write({ replace: apps.map((app) => appGraph(app, base)) }, (tx) => {
    for (const { id, mode } of apps) accounts.putApp(tx, { id, mode });
    for (const user of accounts.listUsers()) accounts.putUser(tx, { ...user, passwordHash });
  });
}
