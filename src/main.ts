import { existsSync } from 'node:fs';
import { openAccessLog } from './access/log/access-log.js';
import { keyOf, openAccounts, type Accounts } from './access/accounts/accounts.js';
import { openGrants } from './access/accounts/grants.js';
import { readModel, type Model } from './model/read-model.js';
import { checkedModels } from './store/disk/checked-model.js';
import { rememberFolders } from './http/layer-folders.js';
import { allSettings, type AllSettings, type ContainerSettings } from './http/serve-settings.js';
import { openDataDirectory } from './store/disk/data-directory.js';
import { openDocumentStore } from './store/documents/document-files.js';
import { storeSize } from './store/disk/store-file.js';
import { holdForServing, joinServing } from './store/disk/lock.js';
import { openNonces } from './store/disk/nonces.js';
import { analysts } from './analysts/analysts-feature.js';
import { authoring } from './authoring/authoring-feature.js';
import { fhir } from './fhir/fhir-feature.js';
import { pages } from './pages/pages-feature.js';
import { services } from './services/services-feature.js';
import type { Feature, HeldContainer } from './http/feature.js';
import type { MetricValues } from './http/container-metrics.js';
import { createApp } from './http/app.js';
import { proxies } from './http/request-context.js';
import { longGraphs } from './http/handlers/long-graphs.js';
import { QueryQueue } from './http/respond/query-queue.js';
import { LIMITS, listen, type Limits } from './http/server.js';
import { Streams } from './http/admission/streams.js';
import { containerLog } from './services/metrics/container-log.js';
import { createMetrics, type Metrics } from './http/container-metrics.js';
import { startMetrics } from './services/metrics/metrics-listener.js';
import { auditTo } from './access/oauth/audit.js';
import { createVerification } from './access/oauth/verify.js';
import { positionsWhenAsked } from './model/check/positions.js';
import { CommitWatch } from './store/commit-watch.js';
import { openEmbeddedStore } from './store/embedded-store.js';
import { memoryShare, quadsIn } from './store/capacity.js';
import { SHARED } from './store/parts.js';
import { pastStores } from './store/past-store.js';
import { openPrimaryStore } from './store/primary-store.js';
import { prepareDirectory } from './services/prepare-directory.js';
import { agingChores, Closing, nowAndThen, sharedChores, tokenChores, walkPages } from './services/chores.js';
import { startWorkers, type Serving } from './services/workers.js';
import { storedManifest } from './records/app-graph.js';
import { publishContainer } from './records/container-manifest.js';
import { recordPartition } from './records/record-partition.js';
import { recordIri } from './records/resource-paths.js';
import { deriveIndex } from './records/search-index.js';

/** What the core is extended with; without one of them a container lacks just that. */
const features: readonly Feature[] = [fhir, analysts, services, pages, authoring];

export type { ContainerSettings } from './http/serve-settings.js';

export interface RunningContainer extends Omit<Serving, 'gather'> {
  /** Where the numbers are, if anywhere. */
  readonly metricsUrl?: string | undefined;
  /** Rejects when a page of the store file proves to be damaged: the container is to be closed. Else it stays pending. */
  readonly damage: Promise<never>;
  readonly accounts: Accounts;
}

export interface ServingProcess extends Serving {
  readonly metrics: Metrics;
}

/**
 * Starts a container: takes the data directory, loads the seed into an empty one, and serves, in this process or
 * in as many others as the settings ask for.
 * @throws Error in one clear sentence when anything stands in the way
 */
export async function startContainer(given: ContainerSettings): Promise<RunningContainer> {
  const settings = allSettings(given);
  const log = settings.log ?? containerLog(settings.logLevel);
  // What cannot be served leaves no directory behind.
  const first = existsSync(settings.data) ? undefined : await readModel(settings);
  if (first) await requirePorts(settings);
  const steps = new Closing();
  try {
    const { data, store, seal } = settings;
    const directory = await openDataDirectory(data, { create: true, store, seal });
    steps.add(() => directory.close());
    await settings.madeDirectory?.();
    steps.add(await holdForServing(settings.data));
    if (!first) await requirePorts(settings);
    const checked = checkedModels(settings.data, directory.accountKey, settings.version);
    const model = first ?? (await readModel(settings, checked));
    if (first) await checked.add(first);
    await rememberFolders(data, settings, model.ontology.prefixes);
    await prepareDirectory(directory, settings, model, log);
    // This process alone indexes the access log and drops what is too old; those that serve only append.
    const accessLog = await openAccessLog(settings.data);
    steps.add(() => accessLog.close());
    const aging = agingChores(log, { directory, accessLog, days: settings.accessLogDays });
    steps.add(nowAndThen(log, ...aging, ...sharedChores(directory, accessLog)));
    let told = settings;
    for (const feature of features) {
      const prepared = await feature.prepare?.(settings);
      if (!prepared) continue;
      steps.add(() => prepared.close());
      told = { ...told, ...prepared.settings };
    }
    const { workers = 1 } = settings;
    const served = { ...told, checkedModel: { digest: model.digest, plans: model.plans } };
    const serving = workers > 1 ? await startWorkers(workers, served, log) : await serve(served, model);
    steps.add(() => serving.close());
    const { damage, stop: stopWalk } = walkPages(log, directory);
    steps.add(stopWalk);
    const sources: (() => Promise<MetricValues>)[] = [];
    const held: HeldContainer = {
      ...{ directory, model, accessLog, log, settings: told },
      primary: openPrimaryStore(directory, serving.url),
      accounts: openAccounts(directory, keyOf(directory)),
      count: (source) => void sources.push(source),
    };
    for (const { beside } of features) if (beside) steps.add(await beside(held));
    const gather = async () => [
      ...(await serving.gather()),
      ...(await Promise.all(sources.map((source) => source()))),
    ];
    const metrics = settings.metrics && (await startMetrics(settings.metrics, gather));
    if (metrics) steps.add(() => metrics.close());
    const { accounts } = held;
    return { url: serving.url, metricsUrl: metrics?.url, accounts, damage, close: () => steps.run() };
  } catch (error) {
    await steps.run();
    throw error;
  }
}

/**
 * Serves a data directory that is prepared already: listens, and fills a working set meanwhile.
 * @throws Error in one clear sentence when anything stands in the way
 */
export async function serve(given: ContainerSettings, known?: Model): Promise<ServingProcess> {
  const settings = allSettings(given);
  const log = settings.log ?? containerLog(settings.logLevel);
  const { checkedModel } = settings;
  const last = checkedModel && {
    plans: checkedModel.plans,
    isOf: (digest: string) => digest === checkedModel.digest,
  };
  const model = known ?? (await readModel(settings, { last: () => Promise.resolve(last) }));
  const { ontology, quads: ontologyQuads, queries, digest } = model;
  const steps = new Closing();
  try {
    steps.add(joinServing(settings.data));
    const directory = await openDataDirectory(settings.data, { store: settings.store });
    steps.add(() => directory.close());
    // Until the start is done, requests get "starting", unless another process can answer instead.
    const { host, port, name, description, version } = settings;
    const limits = limitsOf(settings);
    const early = settings.listenLast ? undefined : await listen(host, port, limits);
    if (early) steps.add(() => early.stop());
    const base = settings.baseUrl ?? `http://localhost:${early?.port ?? port}`;
    const key = keyOf(directory);
    const accounts = openAccounts(directory, key);
    const grants = openGrants(directory, key);
    steps.add(nowAndThen(log, grants.purgeExpired, ...tokenChores(directory, accounts)));
    await publishContainer({
      ...settings,
      primary: openPrimaryStore(directory, base),
      ontology,
      ontologyQuads,
      base,
    });
    const derive = deriveIndex(ontology);
    const store = await openEmbeddedStore({
      directory,
      base,
      derive,
      partition: recordPartition(ontology),
      fillsAhead: true,
      planned: quadsIn((settings.memoryBytes ?? memoryShare()) / (settings.workers ?? 1)),
      onNearCapacity: (quads, planned) =>
        log.warn({ quads, planned }, 'apps and other data outside records nearly fill the planned memory'),
    });
    steps.add(() => store.close());
    // Other processes answer until then, so requests for shared data need not wait.
    if (settings.listenLast) await store.ready([SHARED]);
    const nonces = directory.nonces ?? (await openNonces(settings.data));
    steps.add(() => nonces.close());
    const accessLog = await openAccessLog(settings.data);
    steps.add(() => accessLog.close());
    const queue = new QueryQueue();
    const longOnes = longGraphs(ontology, base, (reason) =>
      log.warn(
        { error: String(reason) },
        'long lists keep the event loop busy: there is no thread to write them',
      ),
    );
    steps.add(() => longOnes.close());
    const metrics = createMetrics({
      calls: ontology.calls.map(({ name }) => name),
      queued: () => queue.length + longOnes.waiting,
      workingSetQuads: () => store.quads,
      storeBytes: () => storeSize(settings.data),
      accessLog: () => accessLog.numbers(),
      exports: () => accounts.listExports(),
    });
    const streams = new Streams(new CommitWatch(directory), metrics);
    const { pathname, protocol } = new URL(base);
    const app = createApp({
      site: {
        ...{ name, description, base },
        basePath: pathname.replace(/\/$/, ''),
        secure: protocol === 'https:',
        hasAnalysts: settings.analystSocket !== undefined,
      },
      // Another version may write other bytes, which no entity tag of this one may name.
      program: {
        ...{ ontology, queries, quads: ontologyQuads, analyses: model.analyses },
        digest: `${version} ${digest}`,
      },
      data: {
        store,
        primary: store.primary,
        past: pastStores(store.primary, derive),
        documents: openDocumentStore(directory),
      },
      verify: createVerification({ accounts, nonces, directory, baseUrl: base }),
      verifyRequestToken: createVerification({
        accounts: {
          credentials: (consumerKey, token) =>
            directory.read((tx) => ({
              app: accounts.appCredentials(tx, consumerKey),
              token: token === undefined ? undefined : grants.requestCredentials(tx, token),
            })),
        },
        nonces,
        directory,
        baseUrl: base,
      }),
      flow: {
        directory,
        accounts,
        grants,
        base,
        settings,
        audit: auditTo(log, accessLog, metrics),
        manifestOf: (id) => storedManifest(store, id),
        hasRecord: (id) => store.has(recordIri(base, id)),
      },
      settings,
      features,
      accessLog,
      metrics,
      streams,
      queue,
      longGraphs: longOnes,
      locate: positionsWhenAsked(model.files),
      log,
      onClose: (step) => steps.add(step),
    });
    const handle = app.callback();
    const server = early ?? (await listen(host, port, limits));
    server.answerWith(
      (request, response) => handle(request, response),
      () => metrics.refused('connections'),
    );
    // Closed first, so that the requests that run still find all they need.
    steps.add(() => server.stop());
    steps.add(() => streams.close());
    return { url: base, metrics, gather: async () => [await metrics.values()], close: () => steps.run() };
  } catch (error) {
    await steps.run();
    throw error;
  }
}

/** Fails before anything is stored or prepared. @throws Error when somebody else has a port that the settings name */
async function requirePorts({ host, port, metrics }: AllSettings): Promise<void> {
  await (await listen(host, port)).stop();
  if (metrics) await (await startMetrics(metrics, () => Promise.resolve([]))).close();
}

/**
 * The limits of this process. Connections are dealt out to the processes in turn, so that each holds its share of what
 * an address may have, and all of them together never more.
 */
function limitsOf({ connections, workers = 1, trustProxy }: AllSettings): Limits {
  return {
    ...LIMITS,
    maxOfAddress: Math.max(1, Math.floor(connections / workers)),
    isProxy: proxies(trustProxy),
  };
}
