import type { Logger } from 'pino';
import { keyOf, openAccounts } from './accounts/accounts.js';
import { exportedContents } from './accounts/bulk-exports.js';
import type { ContainerSettings } from './container-settings.js';
import type { DataDirectory } from './disk/data-directory.js';
import { sweepDocuments } from './disk/sweep-documents.js';
import type { Ontology } from './ontology/model.js';
import { referencedContents } from './records/documents/content-key.js';
import { loadSeed } from './records/seed.js';
import { HISTORY_DAYS, keepHistory, storedHistory } from './store/history.js';
import { openPrimaryStore } from './store/primary-store.js';

/**
 * What is done with a data directory before it is served: what an older version has stored, or a change of the data key
 * that was interrupted has left, is sealed; it is told how long history is kept; an empty one gets the seed; files that no document and no export names are removed.
 */
export async function prepareDirectory(
  directory: DataDirectory,
  settings: Pick<ContainerSettings, 'seed' | 'baseUrl' | 'history'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  const { history = HISTORY_DAYS } = settings;
  if (directory.read(storedHistory)?.keep !== history)
    await directory.transact((tx) => keepHistory(tx, history, Date.now()));
  await sealAll(directory, log);
  await seed(directory, settings, ontology, log);
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

async function seed(
  directory: DataDirectory,
  settings: Pick<ContainerSettings, 'seed' | 'baseUrl'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  // What is stored is relative to the base, so any base serves to load it.
  const base = settings.baseUrl ?? 'http://localhost';
  const accounts = openAccounts(directory, keyOf(directory));
  await accounts.purgeExpired();
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
