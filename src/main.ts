import { existsSync } from 'node:fs';
import { openAccessLog } from './access-log/access-log.js';
import { ACCESS_LOG_DAYS } from './access-log/access-log-days.js';
import { keyOf, openAccounts } from './accounts/accounts.js';
import { TOKEN_LIFETIME } from './accounts/tokens.js';
import { openGrants } from './accounts/grants.js';
import { checkedModels } from './checked-models.js';
import type { ContainerSettings, RunningContainer, ServingProcess } from './container-settings.js';
import { readBrowserProgram } from './browser-program.js';
import { describeContainer, describeWorkbench } from './served-descriptions.js';
import { openDataDirectory } from './disk/data-directory.js';
import { openDocumentStore } from './disk/document-files.js';
import { storeSize } from './disk/store-file.js';
import { holdForServing, joinServing } from './disk/lock.js';
import { openNonces } from './disk/nonces.js';
import { analystClient } from './http/analysts/analyst-client.js';
import { createApp } from './http/app.js';
import { proxies } from './http/client-address.js';
import { longGraphs } from './http/handlers/long-graphs.js';
import { QueryQueue } from './http/respond/query-queue.js';
import { LIMITS, listen, type Limits } from './http/server.js';
import { Streams } from './http/streams.js';
import { containerLog } from './metrics/container-log.js';
import { createMetrics } from './metrics/container-metrics.js';
import { startMetrics } from './metrics/metrics-listener.js';
import { auditTo } from './oauth/audit.js';
import { createVerification } from './oauth/verify.js';
import { positionsWhenAsked } from './ontology/check/positions.js';
import { CommitWatch } from './store/commit-watch.js';
import { openEmbeddedStore } from './store/embedded.js';
import { memoryShare, quadsIn } from './store/capacity.js';
import { SHARED } from './store/parts.js';
import { pastStores } from './store/past-store.js';
import { openPrimaryStore } from './store/primary-store.js';
import { prepareDirectory } from './prepare-directory.js';
import { readModel, type Model } from './read-model.js';
import { agingChores, Closing, nowAndThen, sharedChores, tokenChores } from './chores.js';
import { analystSocket, startAnalysts } from './start-analysts.js';
import { startDeliveries } from './start-deliveries.js';
import { startExamples } from './start-examples.js';
import { startExports } from './start-exports.js';
import { startWorkers } from './workers.js';
import { POST_QUOTA } from './records/posted/posted-quota.js';
import { publishContainer } from './records/publish.js';
import { recordPartition } from './records/record-partition.js';
import { deriveIndex } from './records/search-index.js';

export type { ContainerSettings, RunningContainer } from './container-settings.js';

/**
 * Starts a container: takes the data directory, loads the seed into an empty one, and serves, in this process or
 * in as many others as the settings ask for.
 * @throws Error in one clear sentence when anything stands in the way
 */
export async function startContainer(settings: ContainerSettings): Promise<RunningContainer> {
  const log = settings.log ?? containerLog(settings.logLevel);
  // What cannot be served leaves no directory behind.
  const first = existsSync(settings.data) ? undefined : await readModel(settings);
  const steps = new Closing();
  try {
    const { data, store, seal } = settings;
    const directory = await openDataDirectory(data, { create: true, store, seal });
    steps.add(() => directory.close());
    await settings.madeDirectory?.();
    steps.add(await holdForServing(settings.data));
    const checked = checkedModels(settings.data, directory.accountKey, settings.version);
    const model = first ?? (await readModel(settings, checked));
    if (first) await checked.add(first.digest);
    await prepareDirectory(directory, settings, model.ontology, log);
    // This process alone indexes the access log and drops what is too old; those that serve only append.
    const accessLog = await openAccessLog(settings.data);
    steps.add(() => accessLog.close());
    const days = settings.accessLogDays ?? ACCESS_LOG_DAYS;
    const aging = agingChores(log, { directory, accessLog, days });
    steps.add(nowAndThen(log, ...aging, ...sharedChores(directory, accessLog)));
    const { workers = 1, analysts } = settings;
    const socket = analysts && (await analystSocket(settings.data));
    if (socket) steps.add(() => socket.remove());
    const forAnalysts = socket && { analystSocket: socket.path };
    const served = { ...settings, ...forAnalysts, checkedModel: model.digest };
    const serving = workers > 1 ? await startWorkers(workers, served, log) : await serve(served, model);
    steps.add(() => serving.close());
    const { ontology, queries } = model;
    const accounts = openAccounts(directory, keyOf(directory));
    const primary = openPrimaryStore(directory, serving.url);
    const deliveries = startDeliveries({ primary, ontology, accounts, accessLog, log }, settings);
    steps.add(() => deliveries.close());
    steps.add(startExports({ primary, ontology, queries, accounts, accessLog, log }));
    // After all that apps wait for.
    if (socket) {
      const { memoryBytes = memoryShare(), limits } = analysts;
      const { data, store } = settings;
      await socket.publish(serving.url);
      steps.add(
        startAnalysts(
          {
            ...{ data, store, memoryBytes, limits },
            ontology: settings.ontology,
            base: serving.url,
            socket: socket.path,
          },
          log,
        ),
      );
    }
    const { examples, port } = settings;
    if (examples) {
      steps.add(await startExamples({ ...examples, primary, accounts, ontology, anyPort: port === 0 }, log));
    }
    const gather = deliveries.gatherWith(serving.gather);
    const metrics = settings.metrics && (await startMetrics(settings.metrics, gather));
    if (metrics) steps.add(() => metrics.close());
    return { url: serving.url, metricsUrl: metrics?.url, close: () => steps.run() };
  } catch (error) {
    await steps.run();
    throw error;
  }
}

/**
 * Serves a data directory that is prepared already: listens, and fills a working set meanwhile.
 * @throws Error in one clear sentence when anything stands in the way
 */
export async function serve(settings: ContainerSettings, given?: Model): Promise<ServingProcess> {
  const log = settings.log ?? containerLog(settings.logLevel);
  const isChecked = (digest: string): Promise<boolean> => Promise.resolve(digest === settings.checkedModel);
  const model = given ?? (await readModel(settings, { has: isChecked }));
  const { ontology, quads: ontologyQuads, queries, digest } = model;
  const steps = new Closing();
  try {
    steps.add(joinServing(settings.data));
    const directory = await openDataDirectory(settings.data, { store: settings.store });
    steps.add(() => directory.close());
    // Who asks meanwhile is told that the container is starting, unless another process can answer instead.
    const limits = limitsOf(settings);
    const early = settings.listenLast ? undefined : await listen(settings.host, settings.port, limits);
    if (early) steps.add(() => early.stop());
    const base = settings.baseUrl ?? `http://localhost:${early?.port ?? settings.port}`;
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
        log.warn({ quads, planned }, 'apps and whatever else is no record near what memory is planned for'),
    });
    steps.add(() => store.close());
    // Other processes answer meanwhile: who asks for what all share shall not have to wait.
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
    const { analystSocket: socket } = settings;
    const program = socket === undefined ? undefined : await readBrowserProgram();
    const analysts = socket !== undefined &&
      program && { client: analystClient(socket, base), script: program.path };
    const app = createApp({
      analysts: analysts || undefined,
      site: {
        name: settings.name,
        description: settings.description,
        base,
        basePath: pathname.replace(/\/$/, ''),
        secure: protocol === 'https:',
        hasAnalysts: socket !== undefined,
      },
      program: { ontology, queries, analyses: model.analyses, digest },
      data: {
        store,
        primary: store.primary,
        past: pastStores(store.primary, derive),
        documents: openDocumentStore(directory),
        epoch: () => directory.epoch,
        current: directory.current,
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
        store,
        base,
        tokenLifetime: settings.tokenLifetime ?? TOKEN_LIFETIME,
        secondFactorRoles: new Set(settings.secondFactorRoles),
        audit: auditTo(log, accessLog, metrics),
      },
      oauthDebug: settings.oauthDebug ?? false,
      // What is not answered is not described.
      descriptions: [
        ...(program ? describeWorkbench(model, program) : []),
        ...describeContainer(socket === undefined ? { ...model, analyses: new Map() } : model, {
          base,
          name: settings.name,
          description: settings.description,
          version: settings.version,
          containerAccess: settings.containerAccess,
          onFault: (error) =>
            log.warn({ error: String(error) }, 'the documentation has no examples: its seed cannot be read'),
        }),
      ],
      containerAccess: settings.containerAccess,
      corsOrigins: settings.corsOrigins ?? [],
      trustProxy: settings.trustProxy ?? [],
      cacheBytes: settings.cacheBytes ?? CACHE_BYTES,
      senderBudget: settings.senderBudget ?? SENDER_BUDGET,
      postQuota: settings.postQuota ?? POST_QUOTA,
      textLimit: settings.textLimit ?? TEXT_LIMIT,
      accessLog,
      metrics,
      streams,
      queue,
      longGraphs: longOnes,
      locate: positionsWhenAsked(model.files),
      log,
    });
    const handle = app.callback();
    const server = early ?? (await listen(settings.host, settings.port, limits));
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

/** Connections of one address, unless the settings say otherwise: some hundred browsers behind one router. */
const CONNECTIONS = 1000;
/** A two-hundredth of the time of a process: what others wait for it stays out of their p99. */
const SENDER_BUDGET = 5;
const TEXT_LIMIT = 1024 * 1024;

/**
 * The limits of this process. Connections are dealt out to the processes in turn, so that each holds its share of what
 * an address may have, and all of them together never more.
 */
function limitsOf({ connections = CONNECTIONS, workers = 1, trustProxy = [] }: ContainerSettings): Limits {
  return {
    ...LIMITS,
    maxOfAddress: Math.max(1, Math.floor(connections / workers)),
    isProxy: proxies(trustProxy),
  };
}

/** What each process keeps of answers, unless the settings say otherwise. */
const CACHE_BYTES = 64 * 1024 * 1024;
