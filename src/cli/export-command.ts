import { InvalidArgumentError, Option, type Command } from 'commander';
import { loadOntology } from '../model/ontology/directory.js';
import { formatNames, type RdfFormat } from '../rdf/formats.js';
import { exportChanges, exportRdf } from '../records/export-data.js';
import { graphsAfter } from '../store/past-graphs.js';
import { historyBegins, revisionAt, undoneUntil } from '../store/past.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { CommandError, UsageError } from './command-errors.js';
import { withData } from './open-data.js';
import { recordId } from './argument-values.js';
import { write } from './output.js';
import { readSettings } from './read-settings.js';

interface Options {
  readonly record?: string;
  readonly format: RdfFormat;
  readonly at?: number;
  readonly since?: number;
}

/** `chartgraph export`: prints records, users and app manifests, or one record, as RDF. */
export function define(command: Command): void {
  command
    .option('--record <id>', 'only this record', recordId)
    .addOption(
      new Option('--format <fmt>', 'nquads and trig keep the named graphs')
        .choices(formatNames)
        .default('nquads'),
    )
    .option('--at <time>', 'as it was then, such as 2026-03-01T12:00:00Z', time)
    .option('--since <revision>', 'only what has changed since, as nquads or trig with comments', revision)
    .option('--purpose <text>', 'why, for the access log')
    .option('--ontology <dir>', 'the ontology of the data instead of the shipped one')
    .action(async ({ record, format, at, since }: Options) => {
      if (at !== undefined && since !== undefined) throw new UsageError('Give --at or --since, not both.');
      if (since !== undefined && format !== 'nquads' && format !== 'trig')
        throw new UsageError('--since writes nquads or trig: the other formats do not tell graphs apart.');
      const settings = readSettings(command.optsWithGlobals());
      await withData(settings, async ({ primary, base }) => {
        const { ontology } = await loadOntology(settings.ontology);
        if (record === undefined) await primary.directory.checkPages();
        const options = { ontology, base, format, recordId: record };
        const parts =
          since !== undefined && (format === 'nquads' || format === 'trig')
            ? exportChanges({ ...options, format, primary, since })
            : exportRdf({ ...options, primary: at === undefined ? primary : pastOf(primary, at) });
        for await (const part of parts) await write(part);
      });
    });
}

function pastOf(primary: PrimaryStore, at: number): ReturnType<typeof graphsAfter> {
  const { directory } = primary;
  const { found, until } = directory.read((tx) => ({
    found: revisionAt(tx, at),
    until: undoneUntil(tx, at),
  }));
  if (found !== undefined && until !== undefined)
    throw new CommandError(
      `That time was undone when a backup was restored; ask for ${new Date(until).toISOString()} or a later one.`,
    );
  if (found !== undefined) return graphsAfter(primary, found);
  const begins = directory.read(historyBegins);
  throw new CommandError(
    begins
      ? `History is kept since ${new Date(begins.at).toISOString()}; ask for that time or a later one.`
      : 'This data directory keeps no history.',
  );
}

function time(given: string): number {
  const at = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/u.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It is a time with its zone, such as 2026-03-01T12:00:00Z.');
  return at;
}

function revision(given: string): number {
  if (!/^\d{1,15}$/u.test(given)) throw new InvalidArgumentError('It is the number of a change.');
  return Number(given);
}
