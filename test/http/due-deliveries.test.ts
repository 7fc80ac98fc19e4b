import { expect, onTestFinished, test } from 'vitest';
import { keyOf, openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import type { Subscription } from '../../src/access/accounts/subscriptions.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { DueDeliveries } from '../../src/services/webhooks/due-deliveries.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { shippedModel } from '../authoring/shipped-model.js';
import { seededCopy } from '../setup/seeded-copy.js';

const BASE = 'http://localhost:7000';
const APP = 'told@apps.example.org';
const RECORD = '1000003';

interface World {
  readonly accounts: Accounts;
  readonly primary: PrimaryStore;
  readonly ids: readonly string[];
  /** Writes something to the record. */
  write(type: string): Promise<void>;
  dueAt(clock: () => number): Promise<DueDeliveries>;
}

/** An app that may read medications, with subscriptions to a record. */
async function world(subscriptions: number): Promise<World> {
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
  for (let at = 0; at < subscriptions; at++) {
    const { subscription } = await accounts.subscribe({
      ...{ app: APP, token, user: 'clinician', record: RECORD, url: `${origin}/told/${at}` },
      position: primary.revision(''),
    });
    ids.push(subscription.id);
  }
  return {
    ...{ accounts, primary, ids },
    async write(type) {
      const place = type === sp.Medication ? 'medications' : 'clinical_notes';
      const iri = `${BASE}/records/${RECORD}/${place}/one`;
      await primary.write({
        replace: [{ name: iri, quads: [quad(namedNode(iri), namedNode(rdf.type), namedNode(type))] }],
      });
    },
    async dueAt(clock) {
      const { ontology } = await shippedModel();
      return new DueDeliveries({ primary, ontology, accounts, clock });
    },
  };
}

test('subscriptions that were removed are not known any more after a look at all', async () => {
  const { accounts, ids, write, dueAt } = await world(4);
  // The app may not read what has changed, so there is nothing to tell.
  await write(sp.ClinicalNote);
  const due = await dueAt(Date.now);
  expect([...due.find()].flat()).toEqual([]);
  expect(due.known).toBe(4);
  for (const id of ids.slice(1)) await accounts.changeSubscription(id, () => undefined);
  // All are looked at again after a rest.
  await expect.poll(() => ([...due.find()].flat(), due.known)).toBe(1);
});

test('a delivery that failed while the clock was a year ahead is tried again when that is set back', async () => {
  const { accounts, ids, write, dueAt } = await world(1);
  await write(sp.Medication);
  const [id = ''] = ids;
  const ahead = Date.now() + 365 * 24 * 60 * 60 * 1000;
  let now = ahead;
  const due = await dueAt(() => now);
  const isDue = (): boolean => due.of(accounts.subscription(id) as Subscription) !== undefined;
  await accounts.changeSubscription(id, (each) => ({ ...each, failures: 1, notBefore: ahead + 5000 }));
  expect(isDue()).toBe(false);
  now = Date.now();
  expect(isDue()).toBe(true);
});
