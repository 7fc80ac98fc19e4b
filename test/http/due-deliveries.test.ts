import { expect, onTestFinished, test } from 'vitest';
import { keyOf, openAccounts } from '../../src/accounts/accounts.js';
import { openDataDirectory } from '../../src/disk/data-directory.js';
import { DueDeliveries } from '../../src/http/webhooks/due-deliveries.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { shippedModel } from '../derive/shipped-model.js';
import { seededCopy } from '../setup/seeded-copy.js';

const BASE = 'http://localhost:7000';
const APP = 'told@apps.example.org';
const RECORD = '1000003';

test('subscriptions that were removed are not known any more after a look at all', async () => {
  const directory = await openDataDirectory(await seededCopy());
  onTestFinished(() => directory.close());
  const accounts = openAccounts(directory, keyOf(directory));
  const primary = openPrimaryStore(directory, BASE);
  const origin = 'http://localhost:21500';
  const manifest = {
    ...{ id: APP, name: 'Told', description: 'Is told of changes.', mode: 'ui' as const },
    ...{ index: `${origin}/index.html`, icon: `${origin}/icon.png` },
    requires: { [sp.Medication]: { methods: ['GET'] } },
  };
  await primary.write({ replace: [appGraph(manifest, BASE)] }, (tx) => {
    accounts.putApp(tx, { id: APP, mode: 'ui' });
  });
  const { id: token } = await accounts.issueToken({ app: APP, user: 'clinician', record: RECORD });
  const ids: string[] = [];
  for (let at = 0; at < 4; at++) {
    const { subscription } = await accounts.subscribe({
      ...{ app: APP, token, user: 'clinician', record: RECORD, url: `${origin}/told/${at}` },
      position: primary.revision(''),
    });
    ids.push(subscription.id);
  }
  // The app may not read what has changed, so there is nothing to tell.
  const iri = `${BASE}/records/${RECORD}/clinical_notes/one`;
  await primary.write({
    replace: [{ name: iri, quads: [quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.ClinicalNote))] }],
  });
  const { ontology } = await shippedModel();
  const due = new DueDeliveries({ primary, ontology, accounts, clock: Date.now });
  expect([...due.find()].flat()).toEqual([]);
  expect(due.known).toBe(4);
  for (const id of ids.slice(1)) await accounts.changeSubscription(id, () => undefined);
  // All are looked at again after a rest.
  await expect.poll(() => ([...due.find()].flat(), due.known)).toBe(1);
});
