import type { Logger } from 'pino';
import { keyOf, openAccounts } from '../access/accounts/accounts.js';
import { beginCareIndex, careDigest, isCareIndexOf } from '../access/accounts/care-index.js';
import { exportedContents } from '../access/accounts/bulk-exports.js';
import type { AllSettings } from '../http/serve-settings.js';
import type { DataDirectory } from '../store/disk/data-directory.js';
import { clinicianMode, keepClinicianMode } from '../store/disk/clinician-mode.js';
import { servedBase, storeServedBase } from '../store/disk/served-base.js';
import { sweepDocuments } from '../store/documents/sweep-documents.js';
import type { Ontology } from '../model/ontology/model.js';
import type { Model } from '../model/read-model.js';
import { referencedContents } from '../records/documents/content-key.js';
import { loadSeed } from '../records/seed.js';
import { listForSearches } from '../records/search-rows.js';
import { keepHistory, storedHistory } from '../store/history.js';
import { openPrimaryStore } from '../store/primary-store.js';

/** Stored data is relative to the base, so any base works for loading. */
const ANY_BASE = 'http://localhost';
const PROGRESS_EVERY = 10_000;

/**
 * Prepares a data directory for serving: seals values left by an older version or an interrupted change of the data
 * key; stores the length of history, which records clinicians open, and the URL for commands; builds missing search lists; loads the seed into an empty
 * directory; empties an index of care that other queries made; removes files that no document or export refers to.
 */
export async function prepareDirectory(
  directory: DataDirectory,
  settings: Pick<AllSettings, 'seed' | 'baseUrl' | 'port' | 'history' | 'clinicians' | 'version'>,
  { ontology, digest }: Pick<Model, 'ontology' | 'digest'>,
  log: Logger,
): Promise<void> {
  const { history, port, clinicians } = settings;
  if (clinicians !== undefined && directory.read(clinicianMode) !== clinicians)
    await directory.transact((tx) => keepClinicianMode(tx, clinicians));
  if (directory.read(storedHistory)?.keep !== history)
    await directory.transact((tx) => keepHistory(tx, history, Date.now()));
  // A free port differs at each start.
  const base = settings.baseUrl ?? (port === 0 ? undefined : `http://localhost:${port}`);
  if (directory.read(servedBase) !== base) await directory.transact((tx) => storeServedBase(tx, base));
  await sealAll(directory, log);
  await listAll(directory, settings, ontology, log);
  await seed(directory, settings, ontology, log);
  const care = careDigest(keyOf(directory), settings.version, digest);
  if (!directory.read((tx) => isCareIndexOf(tx, care)))
    await directory.transact((tx) => beginCareIndex(tx, care));
  await sweepDocuments(directory, (tx) => new Set([...referencedContents(tx), ...exportedContents(tx)]));
}

async function sealAll(directory: DataDirectory, log: Logger): Promise<void> {
  if (!directory.hasOthers) return;
  let next = 0;
  await directory.resealAll((done, total) => {
    if (done < next) return;
    log.info({ done, total }, 'values are sealed');
    next = done + total / 10;
  });
}

async function listAll(
  directory: DataDirectory,
  { baseUrl: base = ANY_BASE }: Pick<AllSettings, 'baseUrl'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  let next = PROGRESS_EVERY;
  await listForSearches(directory, base, ontology, (done) => {
    if (done < next) return;
    log.info({ done }, 'what searches find is listed');
    next = done + PROGRESS_EVERY;
  });
}

async function seed(
  directory: DataDirectory,
  settings: Pick<AllSettings, 'seed' | 'baseUrl'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  const base = settings.baseUrl ?? ANY_BASE;
  const accounts = openAccounts(directory, keyOf(directory));
  // Completes the token index; the chores remove expired tokens later.
  await accounts.purgeExpired(0);
  if (settings.seed === false) return;
  const report = await loadSeed({
    dir: settings.seed,
    primary: openPrimaryStore(directory, base, { command: 'serve' }),
    accounts,
    ontology,
    base,
  });
  if (report) log.info({ records: report.records, apps: report.apps, users: report.users }, 'seed loaded');
}
