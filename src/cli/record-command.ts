import type { Command } from 'commander';
import type { ClosedRecord } from '../access/accounts/accounts.js';
import { closuresIn, type ClosedTo } from '../access/accounts/closed-classes.js';
import { loadOntology } from '../model/ontology/directory.js';
import type { Ontology } from '../model/ontology/model.js';
import { closableClasses, closeClasses, openClasses } from '../records/closable.js';
import { listRecords } from '../records/record-names.js';
import { removeRecord } from '../records/remove-record.js';
import { commandConcerns } from './command-entries.js';
import { withAccounts, withData } from './open-data.js';
import { CommandError } from './command-errors.js';
import { accountIds, recordId } from './argument-values.js';
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

  for (const act of ['close', 'open'] as const) {
    const isClosing = act === 'close';
    command
      .command(act)
      .description(
        isClosing
          ? 'close classes of a record to all clinicians and apps, or to some of them'
          : 'open classes of a record again to those to whom they were closed',
      )
      .argument('<id>', 'the record', recordId)
      .requiredOption('--class <name...>', 'the classes, such as Problem')
      .option('--user <id...>', 'clinicians', accountIds)
      .option('--app <id...>', 'apps', accountIds)
      .action(async (id: string, { class: names, user = [], app = [] }: ClosingOptions, own: Command) => {
        const settings = readSettings(own.optsWithGlobals());
        const { ontology } = await loadOntology(settings.ontology);
        const named = [
          ...user.map((each) => `user ${each}` as const),
          ...app.map((each) => `app ${each}` as const),
        ];
        const to: readonly ClosedTo[] = named.length === 0 ? ['all'] : named;
        const purpose = `${names.join(', ')}, to ${to.join(', ')}`;
        commandConcerns({ record: id, purpose });
        const classes = names.map((name) => classNamed(ontology, name));
        await withAccounts(settings, async (open) => {
          const closing = { record: id, classes, to };
          if (isClosing) return closeClasses({ ...open, ontology }, closing);
          if (!(await openClasses({ ...open, ontology }, closing)))
            throw new CommandError('That is not closed: chartgraph record closed lists what is.');
        });
        await print(
          `${isClosing ? 'Closed' : 'Opened'} ${names.join(', ')} of record ${id} to ${to.join(', ')}.`,
        );
      });
  }

  command
    .command('closed')
    .description('list what patients have closed, and to whom')
    .argument('[id]', 'the record; otherwise of all records', recordId)
    .option('--ontology <dir>', 'the ontology that names the classes, instead of the shipped one')
    .option('--json', 'print the list as JSON')
    .action(async (id: string | undefined, { json }: { json?: boolean }, own: Command) => {
      const settings = readSettings(own.optsWithGlobals());
      const { ontology } = await loadOntology(settings.ontology);
      const rows = await withData(settings, ({ directory }) =>
        directory
          .read((tx) => closuresIn(tx, id))
          .map(({ record, class: iri, to, at }) => ({
            ...{ record, class: ontology.classes.get(iri)?.name ?? iri, to },
            since: new Date(at).toISOString(),
          })),
      );
      return printRows(rows, json, ['record', 'class', 'to', 'since'], Object.values);
    });
}

interface ClosingOptions {
  class: string[];
  user?: string[];
  app?: string[];
}

/** @throws CommandError for a class that cannot be closed */
function classNamed(ontology: Ontology, name: string): string {
  const closable = closableClasses(ontology);
  const found = closable.find((model) => model.name === name || model.iri === name);
  if (found) return found.iri;
  const names = closable.map((model) => model.name).sort();
  throw new CommandError(`${JSON.stringify(name)} cannot be closed; the classes are ${names.join(', ')}.`);
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
