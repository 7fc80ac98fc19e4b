import type { Feature } from '../http/feature.js';
import { openDocumentStore } from '../store/documents/document-files.js';
import { pastStores } from '../store/past-store.js';
import { AuditFeed } from './audit-feed.js';
import { careDigest } from '../access/accounts/care-index.js';
import { keyOf } from '../access/accounts/accounts.js';
import { authorizationOf } from '../http/authorization-header.js';
import { CareFollower } from './care-follower.js';
import { exportHandlers } from './exports/export-handlers.js';
import { ExportRunner } from './exports/export-runner.js';
import { startExamples } from './start-examples.js';
import { Deliveries } from './webhooks/deliveries.js';
import { subscriptionHandlers } from './webhooks/subscription-handlers.js';

/** Background services: webhooks, bulk exports, who cares for whom, and the example apps. */
export const services: Feature = {
  handlers: (parts) => ({ ...subscriptionHandlers(parts), ...exportHandlers(parts) }),

  async beside({ settings, directory, primary, model, accounts, accessLog, log, count }) {
    const { ontology, queries } = model;
    const { webhookNetworks: networks, webhookDelays: delays, examples, port } = settings;
    const deliveries = new Deliveries({ primary, ontology, accounts, accessLog, log, networks, delays });
    deliveries.start();
    count(() => deliveries.numbers());
    const exports = new ExportRunner({
      ...{ primary, ontology, queries, accounts, accessLog, log },
      base: primary.base,
      // Exports query single resources, which need no derived index.
      past: pastStores(primary, undefined),
      documents: openDocumentStore(directory),
    });
    exports.start();
    const key = keyOf(directory);
    const care = new CareFollower({
      ...{ primary, queries: model.access, key, log },
      digest: careDigest(key, settings.version, model.digest),
    });
    care.start();
    const { auditTo, auditCredentials, data } = settings;
    const audit =
      auditTo === undefined
        ? undefined
        : new AuditFeed({
            ...{ accessLog, log, dir: data, base: primary.base, to: auditTo },
            authorization: auditCredentials === undefined ? undefined : authorizationOf(auditCredentials),
          });
    audit?.start();
    if (audit) count(() => audit.numbers());
    const close = async (): Promise<void> => {
      await audit?.close();
      await care.close();
      await exports.close();
      await deliveries.close();
    };
    if (!examples) return close;
    try {
      const anyPort = port === 0;
      const endExamples = await startExamples({ ...examples, primary, accounts, ontology, anyPort }, log);
      return async () => {
        await endExamples();
        await close();
      };
    } catch (error) {
      await close();
      throw error;
    }
  },
};
