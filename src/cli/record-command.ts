import type { Command } from 'commander';
import type { ClosedRecord } from '../accounts/close-record.js';
import { loadOntology } from '../ontology/directory.js';
import { listRecords } from '../records/list-records.js';
import { removeRecord } from '../records/remove-record.js';
import { commandConcerns } from './command-entries.js';
import { requireData, withData } from './open-data.js';
import { CommandError } from './command-errors.js';
import { recordId } from './argument-values.js';
import { count, print, printJson, printTable } from './output.js';
import { readSettings } from './settings.js';

/** `chartgraph record list` and `record remove`. */
export function define(command: Command): void {
  command
    .command('list')
    .description('list the records with their sizes')
    .option('--ontology <dir>', 'the ontology that says what a statement is, instead of the shipped one')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const settings = readSettings(list.optsWithGlobals());
      requireData(settings);
      const { ontology } = await loadOntology(settings.ontology);
      const records = await withData(settings, ({ primary, base }) => [
        ...listRecords(primary, ontology, base),
      ]);
      if (json) return printJson(records);
      const rows = records.map(({ record_id: id, statements, quads }) => [
        id,
        String(statements),
        String(quads),
      ]);
      return printTable(['record', 'statements', 'quads'], rows);
    });

  command
    .command('remove')
    .description('remove a record with everything beneath it, and the access of apps and people to it')
    .argument('<id>', 'the record', recordId)
    .option('--purge', 'remove what the history holds of it, too; it is in backups that were made before')
    .action(async (id: string, { purge = false }: { purge?: boolean }, remove: Command) => {
      const settings = readSettings(remove.optsWithGlobals());
      if (purge) commandConcerns({ record: id, purpose: 'purge of the history' });
      const { existed, ...access } = await withData(settings, ({ primary, base }) =>
        removeRecord(primary, base, id, purge),
      );
      const closed = closedSentence(access);
      if (!existed)
        throw new CommandError(`There is no record ${id}${purge ? ', and no history of one' : ''}.${closed}`);
      await print(`Removed record ${id}${purge ? ' and its history' : ''}.${closed}`);
    });
}

/** What else became of a record, after a space; nothing where nobody had access to it. */
function closedSentence({ tokens, users, exports }: ClosedRecord): string {
  const ended = [
    ...(tokens > 0 ? [`${count(tokens, 'token')} revoked`] : []),
    ...(users > 0 ? [`taken from ${count(users, 'user')}`] : []),
    ...(exports > 0 ? [`${count(exports, 'export')} ended`] : []),
  ];
  return ended.length > 0 ? ` Access to it has ended: ${ended.join(', ')}.` : '';
}
