import { join } from 'node:path';
import { pino } from 'pino';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { keyOf, openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import type { ClosedTo } from '../../src/access/accounts/closed-classes.js';
import { openStatements } from '../../src/analysts/open-statements.js';
import { mirrorSource } from '../../src/analysts/mirror/mirror-source.js';
import { closeClasses, openClasses, type Closing } from '../../src/records/closable.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { SALT } from '../../src/services/exports/exported-resources.js';
import { ExportRunner } from '../../src/services/exports/export-runner.js';
import { DueDeliveries } from '../../src/services/webhooks/due-deliveries.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { CapacityWatch } from '../../src/store/capacity.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { Follower, paces } from '../../src/store/follower.js';
import { undivided } from '../../src/store/parts.js';
import { pastStores } from '../../src/store/past-store.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { shippedModel } from '../authoring/shipped-model.js';
import { folder } from '../cli/run.js';
import { seededCopy } from '../setup/seeded-copy.js';

const base = 'http://localhost:7000';
const RECORD = '1000001';
const UI_APP = 'demo-ui@apps.example.org';
const BACKGROUND_APP = 'demo-background@apps.example.org';
const medications = `${base}/records/${RECORD}/medications/`;
const problems = `${base}/records/${RECORD}/problems/`;

const model = await shippedModel();
const { ontology, queries } = model;
let data: string;
let directory: DataDirectory;
let primary: PrimaryStore;
let accounts: Accounts;
beforeEach(async () => {
  data = await seededCopy();
  directory = await openDataDirectory(data);
  primary = openPrimaryStore(directory, base);
  accounts = openAccounts(directory, keyOf(directory));
});
afterEach(() => directory.close());

const closing = (iri: string, ...to: ClosedTo[]): Closing => ({ record: RECORD, classes: [iri], to });
const close = (iri: string, ...to: ClosedTo[]): Promise<void> =>
  closeClasses({ primary, ontology, accounts }, closing(iri, ...to));
const open = (iri: string, ...to: ClosedTo[]): Promise<boolean> =>
  openClasses({ primary, ontology, accounts }, closing(iri, ...to));
const touch = async (place: string): Promise<void> => {
  const [name = ''] = primary.names(place);
  const quads = primary.graph(name) ?? [];
  for (const some of [[], quads]) await primary.write({ replace: [{ name, quads: some }] });
};

describe('what is closed', () => {
  it('is told to no webhook, until it is open again', async () => {
    const { id: token } = await accounts.issueToken({ app: UI_APP, user: 'clinician', record: RECORD });
    const { subscription } = await accounts.subscribe({
      ...{ app: UI_APP, token, user: 'clinician', record: RECORD, url: 'http://localhost:8000/told' },
      position: primary.revision(''),
    });
    const due = new DueDeliveries({ primary, ontology, accounts, clock: Date.now });
    await close(sp.Medication, 'user clinician');
    expect(due.of(subscription)).toBeUndefined();
    await touch(medications);
    expect(due.of(subscription)).toBeUndefined();
    await touch(problems);
    const told = due.of(subscription);
    expect(told).toMatchObject({ revision: primary.revision(`/records/${RECORD}/problems`) });
    await close(sp.Problem, `app ${UI_APP}`);
    expect(due.of(subscription)).toBeUndefined();
    await open(sp.Problem, `app ${UI_APP}`);
    expect(due.of(subscription)).toEqual(told);
  });

  it.each<ClosedTo>(['all', `app ${BACKGROUND_APP}`])('to %s is in no export of the app', async (to) => {
    const documents = openDocumentStore(directory);
    const accessLog = await openAccessLog(data);
    const exported = async (): Promise<string> => {
      const begun = await accounts.beginExport({
        ...{ app: BACKGROUND_APP, format: 'nquads', epoch: directory.epoch },
        revision: primary.revision(''),
      });
      const runner = new ExportRunner({
        ...{ primary, ontology, queries, base, accounts, accessLog, documents },
        ...{ past: pastStores(primary, undefined), log: pino({ level: 'silent' }) },
      });
      await runner.look();
      await runner.close();
      const { files = [] } = accounts.bulkExport(begun?.id ?? '') ?? {};
      const texts = files.map(async ({ key }) =>
        gunzipSync((await documents.read(key)).subarray(SALT)).toString(),
      );
      return (await Promise.all(texts)).join('');
    };
    expect(await exported()).toContain(problems);
    await close(sp.Problem, to);
    const text = await exported();
    expect(text).not.toContain(problems);
    expect(text).toContain(`${base}/records/1000002/problems/`);
    await accessLog.close();
  });

  it('since an export was asked for keeps its files from the app', async () => {
    const before = Date.now();
    expect(accounts.isClosedSince(BACKGROUND_APP, before)).toBe(false);
    await close(sp.Problem, `app ${UI_APP}`);
    expect(accounts.isClosedSince(BACKGROUND_APP, before)).toBe(false);
    await close(sp.Problem, 'all');
    expect(accounts.isClosedSince(BACKGROUND_APP, before)).toBe(true);
    expect(accounts.isClosedSince(BACKGROUND_APP, Date.now() + 1)).toBe(false);
  });

  it.each<[ClosedTo, boolean]>([
    ['all', false],
    ['user clinician', false],
    [`app ${UI_APP}`, true],
  ])('to %s leaves the level that names people, and comes back', async (to, isShown) => {
    const follower = new Follower({
      ...{ primary: openStatements(primary, ontology), partition: undivided, pace: paces.starting },
      capacity: new CapacityWatch(8_000_000, () => undefined),
    });
    const isThere = (place: string): boolean => {
      while (follower.step() !== 'current');
      return follower.workingSet.ask(`ASK { GRAPH ?g { ?s ?p ?o } FILTER(STRSTARTS(STR(?g), "${place}")) }`);
    };
    expect(isThere(problems)).toBe(true);
    await close(sp.Problem, to);
    expect([isThere(problems), isThere(medications)]).toEqual([isShown, true]);
    await touch(problems);
    expect(isThere(problems)).toBe(isShown);
    await open(sp.Problem, to);
    expect(isThere(problems)).toBe(true);
  });

  it('is not sent to a mirror that names people, and stays in one that does not', async () => {
    const sent = (level: 'identified' | 'deidentified'): string => {
      const source = mirrorSource({ directory, primary, ontology, digest: 'a', version: '1', level });
      return JSON.stringify([...source.all(0).chunks]);
    };
    const count = (text: string): number => text.match(/terms#Problem/gu)?.length ?? 0;
    const before = { identified: count(sent('identified')), deidentified: count(sent('deidentified')) };
    await close(sp.Problem, 'all');
    expect(sent('identified')).not.toContain(problems);
    expect(count(sent('identified'))).toBeLessThan(before.identified);
    expect(count(sent('deidentified'))).toBe(before.deidentified);
  });

  it('stays closed when a backup from before is restored, which holds it all', async () => {
    const file = join(folder(), 'backup');
    await writeBackup(directory, file);
    await close(sp.Problem, 'all');
    await restoreBackup(directory, file);
    expect(accounts.closedTo(RECORD, { user: 'clinician' })).toEqual([sp.Problem]);
    expect(primary.names(problems).length).toBeGreaterThan(0);
  });

  it('is forgotten with the record', async () => {
    await close(sp.Problem, 'all');
    await removeRecord(primary, base, RECORD);
    expect(accounts.closures(RECORD)).toEqual([]);
  });
});

describe('who is held back', () => {
  it.each<[ClosedTo, Record<string, boolean>]>([
    [
      'all',
      { 'clinician -': true, 'person -': false, '- app': true, 'clinician app': true, 'person app': true },
    ],
    [
      'user clinician',
      { 'clinician -': true, 'person -': false, '- app': false, 'clinician app': true, 'person app': false },
    ],
    [
      `app ${UI_APP}`,
      { 'clinician -': false, 'person -': false, '- app': true, 'clinician app': true, 'person app': true },
    ],
  ])('by what is closed to %s', async (to, wanted) => {
    await close(sp.Problem, to);
    const held = Object.keys(wanted).map((each) => {
      const [user, app] = each.split(' ').map((id) => (id === '-' ? undefined : id));
      const classes = accounts.closedTo(RECORD, { user, app: app && UI_APP });
      return [each, classes.length > 0];
    });
    expect(Object.fromEntries(held)).toEqual(wanted);
  });

  it('is a clinician again when the emergency is over', async () => {
    await close(sp.Problem, 'all');
    await accounts.openInEmergency('clinician', RECORD, 'why');
    expect(accounts.partClosed(RECORD, 'clinician')).toEqual({ openUntil: expect.any(Number) });
    const later = openAccounts(directory, keyOf(directory), () => Date.now() + 9 * 60 * 60 * 1000);
    expect(later.partClosed(RECORD, 'clinician')).toBe('closed');
    expect(later.closedTo(RECORD, { user: 'clinician' })).toEqual([sp.Problem]);
  });
});
