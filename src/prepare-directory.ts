import type { Logger } from 'pino';
import { keyOf, openAccounts } from './accounts/accounts.js';
import { exportedContents } from './accounts/bulk-exports.js';
import type { ContainerSettings } from './container-settings.js';
import type { DataDirectory } from './disk/data-directory.js';
import { servedBase, storeServedBase } from './disk/served-base.js';
import { sweepDocuments } from './disk/sweep-documents.js';
import type { Ontology } from './ontology/model.js';
import { referencedContents } from './records/documents/content-key.js';
import { loadSeed } from './records/seed.js';
import { listForSearches } from './records/search-rows.js';
import { HISTORY_DAYS, keepHistory, storedHistory } from './store/history.js';
import { openPrimaryStore } from './store/primary-store.js';

/** What is stored is relative to the base, so any base serves to load it. */
const ANY_BASE = 'http://localhost';
/** Records and the like between two words about them. */
const TOLD_EVERY = 10_000;

/**
 * What is done with a data directory before it is served: what an older version has stored, or a change of the data key
 * that was interrupted has left, is sealed; how long history is kept, and the URL for commands, is stored; what searches
 * find is listed, unless it is already; an empty one gets the seed; files that no document and no export names are
 * removed.
 */
export async function prepareDirectory(
  directory: DataDirectory,
  settings: Pick<ContainerSettings, 'seed' | 'baseUrl' | 'port' | 'history'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  const { history = HISTORY_DAYS, port } = settings;
  if (directory.read(storedHistory)?.keep !== history)
    await directory.transact((tx) => keepHistory(tx, history, Date.now()));
  // A free port is another one at each start.
  const base = settings.baseUrl ?? (port === 0 ? undefined : `http://localhost:${port}`);
  if (directory.read(servedBase) !== base) await directory.transact((tx) => storeServedBase(tx, base));
  await sealAll(directory, log);
  await listAll(directory, settings, ontology, log);
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

async function listAll(
  directory: DataDirectory,
  { baseUrl: base = ANY_BASE }: Pick<ContainerSettings, 'baseUrl'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  let next = TOLD_EVERY;
  await listForSearches(directory, base, ontology, (done) => {
    if (done < next) return;
    log.info({ done }, 'what searches find is listed');
    next = done + TOLD_EVERY;
  });
}

async function seed(
  directory: DataDirectory,
  settings: Pick<ContainerSettings, 'seed' | 'baseUrl'>,
  ontology: Ontology,
  log: Logger,
): Promise<void> {
  const base = settings.baseUrl ?? ANY_BASE;
  const accounts = openAccounts(directory, keyOf(directory));
  // Completes the index of tokens; those that are too old go in their time, with the chores.
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
