import type { Command } from 'commander';
import type { ClosedRecord } from '../access/accounts/accounts.js';
import { loadOntology } from '../model/ontology/directory.js';
import { listRecords } from '../records/record-names.js';
import { removeRecord } from '../records/remove-record.js';
import { commandConcerns } from './command-entries.js';
import { withData } from './open-data.js';
import { CommandError } from './command-errors.js';
import { recordId } from './argument-values.js';
import { count, print, printRows } from './output.js';
import { readSettings } from './read-settings.js';

export function define(command: Command): void {
  command
    .command('list')
    .description('list the records with their sizes')
    .option('--ontology <dir>', 'the ontology that says what a statement is, instead of the shipped one')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const settings = readSettings(list.optsWithGlobals());
      const records = await withData(settings, async ({ primary, base }) => {
        const { ontology } = await loadOntology(settings.ontology);
        return [...listRecords(primary, ontology, base)];
      });
      return printRows(records, json, ['record', 'statements', 'quads'], (record) => [
        record.record_id,
        String(record.statements),
        String(record.quads),
      ]);
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

/** Returns what else was closed with a record, after a space; '' for nothing. */
function closedSentence({ tokens, users, exports }: ClosedRecord): string {
  const ended = [
    ...(tokens > 0 ? [`${count(tokens, 'token')} revoked`] : []),
    ...(users > 0 ? [`taken from ${count(users, 'user')}`] : []),
    ...(exports > 0 ? [`${count(exports, 'export')} ended`] : []),
  ];
  return ended.length > 0 ? ` Access to it has ended: ${ended.join(', ')}.` : '';
}
