import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { keyOf, openAccounts } from '../../src/access/accounts/accounts.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { noRoom } from '../../src/store/disk/disk-space.js';
import { Deliveries } from '../../src/services/webhooks/deliveries.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { shippedModel } from '../authoring/shipped-model.js';
import { seededCopy } from '../setup/seeded-copy.js';
import { startReceiver } from './webhook-receiver.js';

const BASE = 'http://localhost:7000';
const APP = 'told@apps.example.org';
const RECORD = '1000003';

test('a delivery of which it cannot be stored that it was taken is not sent again at once', async () => {
  const data = await seededCopy();
  const directory = await openDataDirectory(data);
  onTestFinished(() => directory.close());
  const accounts = openAccounts(directory, keyOf(directory));
  const primary = openPrimaryStore(directory, BASE);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const manifest = {
    ...{ id: APP, name: 'Told', description: 'Is told of changes.', mode: 'ui' as const },
    ...{ index: `${receiver.origin}/index.html`, icon: `${receiver.origin}/icon.png` },
  };
  await primary.write({ replace: [appGraph(manifest, BASE)] }, (tx) => {
    accounts.putApp(tx, { id: APP, mode: 'ui' });
  });
  const { id: token } = await accounts.issueToken({ app: APP, user: 'clinician', record: RECORD });
  await accounts.subscribe({
    ...{ app: APP, token, user: 'clinician', record: RECORD, url: `${receiver.origin}/told` },
    position: primary.revision(''),
  });
  const iri = `${BASE}/records/${RECORD}/clinical_notes/one`;
  await primary.write({
    replace: [{ name: iri, quads: [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.ClinicalNote))] }],
  });
  const accessLog = await openAccessLog(data);
  onTestFinished(() => accessLog.close());
  const { ontology } = await shippedModel();
  const deliveries = new Deliveries({
    ...{ primary, ontology, accessLog, log: pino({ level: 'silent' }) },
    // As on a disk that is full.
    accounts: { ...accounts, changeSubscription: () => Promise.reject(noRoom('There is no room.', '')) },
  });
  onTestFinished(() => deliveries.close());
  deliveries.start();
  await receiver.delivery(1);
  // Longer than between two looks for what is due.
  await wait(2500);
  expect(receiver.received).toHaveLength(1);
});
