import { fork, type ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { isDeepStrictEqual } from 'node:util';
import type { Accounts } from './accounts/accounts.js';
import { manifestProblems, type AppManifest } from './accounts/manifest.js';
import type { Examples } from './container-settings.js';
import type { Ontology } from './ontology/model.js';
import { appGraph, appManifestIri, manifestIn } from './records/app-graph.js';
import { demoDataTest } from './records/demo-data.js';
import { recordsStart } from './records/resource-paths.js';
import { readSeedApps } from './records/seed.js';
import type { PrimaryStore } from './store/primary-store.js';

/** How often it is looked whether other records have come, in milliseconds. */
const LOOK = 250;
/** The keys of a manifest that hold an address of the app. */
const ADDRESSES = ['index', 'icon', 'oauth_callback'] as const;

/** Where the example apps belong. */
export interface ExampleSettings extends Examples {
  readonly primary: PrimaryStore;
  readonly accounts: Accounts;
  readonly ontology: Ontology;
  /** Whether the container was given any free port: then the apps take any as well. */
  readonly anyPort: boolean;
}

/**
 * What the process is told: where the container is, where to listen, and the secrets of the apps by their ids. Without
 * them it answers with a page that says why the apps are not there.
 */
interface ExampleOrder {
  readonly container: string;
  readonly port: number;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** What it says: that it can be told, where it listens, or that an answer failed. */
type ExampleNews = { readonly waiting: true } | { readonly port: number } | { readonly failed: string };

/**
 * Serves the example apps in a process of their own, as long as the container holds the invented patients of the seed
 * and nobody else: what they read they show to whoever opens them. Their manifests get the port that was free. Beside
 * other records a page stands in their place, so that no button leads nowhere. It resolves once they answer, or cannot.
 * @returns what ends them
 * @throws Error where they are asked for and cannot be served
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
  if (!isDemoData()) {
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
  await primary.write({ replace: manifests.map((manifest) => appGraph(at(port, manifest), primary.base)) });
  log.info({ url: `http://localhost:${port}` }, 'the example apps are served');
  let isClosed = false;
  let endLast = end;
  const stopLooking = whenOthersCome(primary, isDemoData, () => {
    log.warn('the example apps have ended: the container holds other records than the demo data now');
    void end().then(() => {
      if (isClosed) return;
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
  /** Where it listens; undefined when it ended instead. */
  readonly port: number | undefined;
  end(): Promise<void>;
}

async function startExampleProcess(
  program: string,
  order: ExampleOrder,
  log: Logger,
): Promise<ExampleProcess> {
  // Of the environment it needs nothing, and may hold secrets of the container.
  const child = fork(program, { env: {}, execArgv: [] });
  let isWanted = order.secrets !== undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve();
      if (isWanted) log.error({ code, signal }, 'the process of the example apps died');
    });
  });
  child.on('message', (news: ExampleNews) => {
    if ('failed' in news) log.error({ error: news.failed }, 'an example app could not answer');
  });
  const port = await listening(child, order);
  return {
    port,
    end: () => {
      isWanted = false;
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** The port of apps; 0, for any, where none of them has an address. */
function portOf(manifests: readonly AppManifest[]): number {
  const address = manifests.find(({ index }) => index !== undefined)?.index;
  return address === undefined ? 0 : Number(new URL(address).port);
}

/** The apps of the seed that are installed as it has them, but for the port that they were given before. */
async function installed({ seed, primary, accounts }: ExampleSettings): Promise<AppManifest[]> {
  const known = new Set(accounts.listApps().map(({ id }) => id));
  const apps = (await readSeedApps(seed)).filter(({ id }) => known.has(id));
  return apps.filter((manifest) => {
    const stored = manifestIn(primary.graph(appManifestIri(primary.base, manifest.id)) ?? []);
    return (
      manifestProblems(stored).length === 0 &&
      isDeepStrictEqual(at(1, stored as AppManifest), at(1, manifest))
    );
  });
}

/** The port that the process listens on; undefined when it ended instead. */
function listening(child: ChildProcess, order: ExampleOrder): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve(undefined));
    // What it cannot be sent any more is of no use to anybody.
    child.on('error', () => undefined);
    child.on('message', (news: ExampleNews) => {
      if ('waiting' in news) child.send(order);
      else if ('port' in news) resolve(news.port);
    });
  });
}

/** A manifest whose addresses have another port. */
function at(port: number, manifest: AppManifest): AppManifest {
  const moved = ADDRESSES.flatMap((key) => {
    const address = manifest[key];
    if (address === undefined) return [];
    const url = new URL(address);
    url.port = String(port);
    return [[key, url.href]];
  });
  return { ...manifest, ...Object.fromEntries(moved) } as AppManifest;
}

/** Looks at every change of records, of whichever process. @returns what ends that */
function whenOthersCome(primary: PrimaryStore, isDemoData: () => boolean, then: () => void): () => void {
  const path = recordsStart('').replace(/\/$/, '');
  // The first look is always one: something may have come since it was asked.
  let seen = -1;
  const timer = setInterval(() => {
    const revision = primary.revision(path);
    if (revision === seen) return;
    seen = revision;
    if (isDemoData()) return;
    clearInterval(timer);
    then();
  }, LOOK);
  return () => clearInterval(timer);
}
