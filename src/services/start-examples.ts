import { fork, type ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import type { Accounts } from '../access/accounts/accounts.js';
import { manifestProblems, type AppManifest } from '../access/accounts/manifest.js';
import type { Examples } from '../http/serve-settings.js';
import type { Ontology } from '../model/ontology/model.js';
import { appGraph, appManifestIri, manifestIn } from '../records/app-graph.js';
import { isExample, noteUnserved, servedAt } from '../records/example-apps.js';
import { demoDataTest, readSeedApps } from '../records/seed.js';
import { recordsStart } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';

const POLL_MS = 250;

export interface ExampleSettings extends Examples {
  readonly primary: PrimaryStore;
  readonly accounts: Accounts;
  readonly ontology: Ontology;
  readonly anyPort: boolean;
}

/** The order sent to the process. Without secrets it serves a page that explains why the apps are missing. */
interface ExampleOrder {
  readonly container: string;
  readonly port: number;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Its messages: it is ready for the order, its port, or a failed answer. */
type ExampleNews = { readonly waiting: true } | { readonly port: number } | { readonly failed: string };

/**
 * Serves the example apps in a separate process while the container holds only the seed's invented patients, since the
 * apps show what they read to everyone. Updates their manifests with the actual port. Beside other records it serves an
 * explanatory page instead, so that no button leads nowhere. Resolves once the apps answer, or cannot.
 * @returns a function that stops them
 * @throws Error when they are requested and cannot be served
 */
export async function startExamples(settings: ExampleSettings, log: Logger): Promise<() => Promise<void>> {
  const { primary, accounts, seed, ontology, isAsked } = settings;
  const none = (reason: string): (() => Promise<void>) => {
    if (isAsked) throw new Error(`The example apps cannot be served: ${reason}; start with --no-examples.`);
    log.info(`the example apps are not served: ${reason}`);
    return () => Promise.resolve();
  };
  const manifests = await installed(settings);
  if (manifests.length === 0) return none('none of them is installed as the seed has it');
  const isDemoData = await demoDataTest(primary, { dir: seed, ontology });
  const startProcess = (order: Omit<ExampleOrder, 'container'>): Promise<ExampleProcess> =>
    startExampleProcess(settings.program, { ...order, container: primary.base }, log);
  const note = (unserved: readonly AppManifest[]): Promise<void> =>
    primary.directory.transact((tx) => {
      noteUnserved(tx, unserved);
    });
  if (!isDemoData()) {
    await note(manifests);
    none('the container holds other records than the demo data');
    const stored = manifests.map(({ id }) =>
      manifestIn(primary.graph(appManifestIri(primary.base, id)) ?? []),
    );
    return (await startProcess({ port: portOf(stored as AppManifest[]) })).end;
  }
  const secrets = primary.directory.read((tx) =>
    Object.fromEntries(manifests.map(({ id }) => [id, accounts.appCredentials(tx, id)?.secret ?? ''])),
  );
  const { port, end } = await startProcess({
    port: settings.anyPort ? 0 : portOf(manifests),
    secrets,
  });
  if (port === undefined) return none('their process ended');
  await primary.write({
    replace: manifests.map((manifest) => appGraph(servedAt(port, manifest), primary.base)),
  });
  await note([]);
  log.info({ url: `http://localhost:${port}` }, 'the example apps are served');
  let isClosed = false;
  let endLast = end;
  const stopLooking = whenOthersCome(primary, isDemoData, () => {
    log.warn('the example apps have ended: the container holds other records than the demo data now');
    void end().then(async () => {
      if (isClosed) return;
      await note(manifests);
      const notice = startProcess({ port });
      endLast = async () => (await notice).end();
    });
  });
  return async () => {
    isClosed = true;
    stopLooking();
    await endLast();
  };
}

interface ExampleProcess {
  readonly port: number | undefined;
  end(): Promise<void>;
}

async function startExampleProcess(
  program: string,
  order: ExampleOrder,
  log: Logger,
): Promise<ExampleProcess> {
  // It needs nothing of the environment, which may hold secrets of the container.
  const child = fork(program, { env: {}, execArgv: [] });
  let shouldRun = order.secrets !== undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve();
      if (shouldRun) log.error({ code, signal }, 'the process of the example apps died');
    });
  });
  child.on('message', (news: ExampleNews) => {
    if ('failed' in news) log.error({ error: news.failed }, 'an example app could not answer');
  });
  const port = await listening(child, order);
  return {
    port,
    end: () => {
      shouldRun = false;
      child.kill('SIGKILL');
      return ended;
    },
  };
}

function portOf(manifests: readonly AppManifest[]): number {
  const address = manifests.find(({ index }) => index !== undefined)?.index;
  return address === undefined ? 0 : Number(new URL(address).port);
}

/** Returns the seed's apps that are installed unchanged except for the port. */
async function installed({ seed, primary, accounts }: ExampleSettings): Promise<AppManifest[]> {
  const known = new Set(accounts.listApps().map(({ id }) => id));
  const apps = (await readSeedApps(seed)).filter(({ id }) => known.has(id));
  return apps.filter((manifest) => {
    const stored = manifestIn(primary.graph(appManifestIri(primary.base, manifest.id)) ?? []);
    return manifestProblems(stored).length === 0 && isExample(stored as AppManifest, manifest);
  });
}

function listening(child: ChildProcess, order: ExampleOrder): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve(undefined));
    // An order that cannot be sent no longer matters.
    child.on('error', () => undefined);
    child.on('message', (news: ExampleNews) => {
      if ('waiting' in news) child.send(order);
      else if ('port' in news) resolve(news.port);
    });
  });
}

/** Watches all changes of records, by any process. @returns a function that stops watching */
function whenOthersCome(primary: PrimaryStore, isDemoData: () => boolean, then: () => void): () => void {
  const path = recordsStart('').replace(/\/$/, '');
  // Always check once: records may have come since the last check.
  let seen = -1;
  const timer = setInterval(() => {
    const revision = primary.revision(path);
    if (revision === seen) return;
    seen = revision;
    if (isDemoData()) return;
    clearInterval(timer);
    then();
  }, POLL_MS);
  return () => clearInterval(timer);
}
