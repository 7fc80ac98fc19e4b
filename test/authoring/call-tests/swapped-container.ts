import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openAccessLog } from '../../../src/access/log/access-log.js';
import { keyOf, openAccounts } from '../../../src/access/accounts/accounts.js';
import { openGrants } from '../../../src/access/accounts/grants.js';
import { runningContainer, type Asked } from '../../../src/authoring/call-tests/ask.js';
import type { Suite } from '../../../src/authoring/call-tests/suite.js';
import { issueTokens } from '../../../src/cli/ontology/scratch-container.js';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../../src/store/documents/document-files.js';
import { openNonces } from '../../../src/store/disk/nonces.js';
import { createApp } from '../../../src/http/app.js';
import { services } from '../../../src/services/services-feature.js';
import { longGraphs } from '../../../src/http/handlers/long-graphs.js';
import { Streams } from '../../../src/http/admission/streams.js';
import { QueryQueue } from '../../../src/http/respond/query-queue.js';
import { createMetrics } from '../../../src/http/container-metrics.js';
import { auditTo } from '../../../src/access/oauth/audit.js';
import { createVerification } from '../../../src/access/oauth/verify.js';
import type { Ontology } from '../../../src/model/ontology/model.js';
import type { QueryTemplate } from '../../../src/model/query/template.js';
import { storedManifest } from '../../../src/records/app-graph.js';
import { recordPartition } from '../../../src/records/record-partition.js';
import { recordIri } from '../../../src/records/resource-paths.js';
import { deriveIndex } from '../../../src/records/search-index.js';
import { CommitWatch } from '../../../src/store/commit-watch.js';
import { pastStores } from '../../../src/store/past-store.js';
import { openEmbeddedStore } from '../../../src/store/embedded-store.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { allSettings } from '../../../src/http/serve-settings.js';
import { containerSettings } from '../../setup/container-settings.js';
import { seededCopy } from '../../setup/seeded-copy.js';

/** What a container serves. */
export interface Served {
  readonly ontology: Ontology;
  readonly queries: ReadonlyMap<string, QueryTemplate>;
}

/** A container over the shipped seed whose ontology and queries can be swapped while it runs. */
export interface SwappedContainer extends Asked {
  /** Serves these from now on. With another index the data is read again. */
  serve(model: Served, hasOtherIndex: boolean): Promise<void>;
  /** Removes what tests added, so that the next ones meet the seed. */
  tidy(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one, on a free port. It caches nothing: what another model answered must not be seen. */
export async function startSwappedContainer(suite: Suite, model: Served): Promise<SwappedContainer> {
  const data = await seededCopy();
  const directory = await openDataDirectory(data);
  const nonces = await openNonces(data);
  const accessLog = await openAccessLog(data);
  const server = createServer();
  // Client and server share this process, so that a connection may be idle for as long as the other one computes.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const primary = openPrimaryStore(directory, base);
  const before = new Set(primary.names());
  const log = pino({ level: 'silent' });
  const key = keyOf(directory);
  const [accounts, grants] = [openAccounts(directory, key), openGrants(directory, key)];
  const queue = new QueryQueue();
  const settings = allSettings({
    ...containerSettings(data),
    cacheBytes: 0,
    senderBudget: 1_000_000,
    postQuota: 1_000_000_000,
    textLimit: 1024,
  });
  const metrics = createMetrics({
    calls: [],
    queued: () => 0,
    workingSetQuads: () => 0,
    storeBytes: () => 0,
    accessLog: () => accessLog.numbers(),
    exports: () => [],
  });
  const verify = createVerification({ accounts, nonces, baseUrl: base });
  const open = ({ ontology }: Served) =>
    openEmbeddedStore({
      directory,
      base,
      derive: deriveIndex(ontology),
      partition: recordPartition(ontology),
    });
  const usual = await open(model);
  let store = usual;
  let handle: ReturnType<ReturnType<typeof createApp>['callback']> | undefined;
  server.on('request', (request, response) => void handle?.(request, response));
  const served = await issueTokens({ data }, base, suite);

  return {
    ...runningContainer(base, served),
    async serve({ ontology, queries }, hasOtherIndex) {
      if (store !== usual) await store.close();
      store = hasOtherIndex ? await open({ ontology, queries }) : usual;
      const audit = auditTo(log, accessLog, metrics);
      const app = createApp({
        site: { name: 'Mutant', description: '', base, basePath: '', secure: false, hasAnalysts: false },
        program: { ontology, queries, quads: [], analyses: new Map(), digest: '' },
        data: {
          store,
          primary: store.primary,
          documents: openDocumentStore(directory),
          past: pastStores(store.primary, deriveIndex(ontology)),
        },
        verify,
        verifyRequestToken: verify,
        flow: {
          directory,
          accounts,
          grants,
          base,
          settings,
          audit,
          manifestOf: (id) => storedManifest(store, id),
          hasRecord: (id) => store.has(recordIri(base, id)),
        },
        settings,
        features: [services],
        onClose: () => undefined,
        accessLog,
        metrics,
        longGraphs: longGraphs(ontology, base),
        streams: new Streams(new CommitWatch(directory), metrics),
        queue,
        locate: () => undefined,
        log,
      });
      handle = app.callback();
    },
    async tidy() {
      const added = primary.names().filter((name) => !before.has(name) && name.includes('/records/'));
      if (added.length > 0) await primary.write({ removeUnder: added });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (store !== usual) await store.close();
      await usual.close();
      await nonces.close();
      await accessLog.close();
      await directory.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
