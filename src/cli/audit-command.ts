import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import type { RecordedEntry } from '../access-log/access-entry.js';
import type { AccessFilter } from '../access-log/access-filter.js';
import { openAccessLog, verifyAccessLog } from '../access-log/access-log.js';
import { entryQuads } from '../access-log/entry-graph.js';
import type { Checkpoint } from '../access-log/verify-chain.js';
import { accessPrefixes, prefixes } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import { auditColumns, auditRow, cellsOf, shownColumns } from './audit-rows.js';
import { CommandError, UsageError } from './command-errors.js';
import { guardedRow } from '../access-log/guarded-csv.js';
import { limitNumber, recordId } from './argument-values.js';
import { baseOf, requireData } from './open-data.js';
import { count, print, printJson, printTable, write } from './output.js';
import { readText } from './read-text.js';
import { readSettings, type Settings } from './settings.js';

interface ReadOptions {
  record?: string;
  user?: string;
  app?: string;
  since?: number;
  limit?: number;
  json?: boolean;
  csv?: boolean;
  format?: 'turtle';
}

/** `chartgraph audit`, `audit verify` and `audit checkpoint`. */
export function define(command: Command): void {
  command
    .option('--record <id>', 'who looked at this record, or changed it', recordId)
    .option('--user <id>', 'what this user did, or this account on the command line')
    .option('--app <id>', 'what this app did')
    .option('--since <time>', 'from this date or time on, such as 2026-01-31 or 2026-01-31T08:00Z', time)
    .option('--limit <number>', 'only so many, the newest', limitNumber)
    .addOption(new Option('--json', 'print the entries as JSON').conflicts(['csv', 'format']))
    .addOption(new Option('--csv', 'print the entries as CSV').conflicts('format'))
    .addOption(new Option('--format <fmt>', 'print the entries as RDF (PROV-O)').choices(['turtle']))
    .action(async ({ json, csv, format, ...filter }: ReadOptions) => {
      const settings = readSettings(command.optsWithGlobals());
      const entries = await readAll(settings, filter);
      if (json) return printJson(entries.map(auditRow));
      if (csv)
        return write(
          [auditColumns, ...entries.map((entry) => cellsOf(entry, auditColumns))].map(guardedRow).join(''),
        );
      if (format) return write(await turtle(entries, await baseOf(settings)));
      return printTable(
        shownColumns,
        entries.map((entry) => cellsOf(entry, shownColumns)),
      );
    });

  command
    .command('verify')
    .description('check that no entry was changed, moved, added or taken away')
    .option('--checkpoint <file>', 'what audit checkpoint printed earlier; - reads it from stdin')
    .option('--json', 'print the result as JSON')
    .action(async ({ checkpoint: file }: { checkpoint?: string }, verify: Command) => {
      refuseFilters(command, verify);
      // commander gives --json, which audit has too, to the outer command.
      const options = verify.optsWithGlobals<{ json?: boolean }>();
      const settings = readSettings(options);
      requireData(settings);
      const kept = file === undefined ? await anchor(settings) : await readCheckpoint(file);
      const { brokenAt, ...found } = verifyAccessLog(settings.data, kept);
      if (options.json) await printJson({ ...found, broken_at: brokenAt ?? null });
      else if (found.intact) await print(`${count(found.entries, 'entry', 'entries')}, intact.`);
      if (found.intact) return;
      const place = found.file === undefined ? '' : ` (${found.file}, line ${found.line})`;
      throw new CommandError(`The access log is broken at entry ${brokenAt}${place}: ${found.reason}.`);
    });

  command
    .command('checkpoint')
    .description('print where the log stands now, to be kept in another place for audit verify')
    .action(async (_options: object, checkpoint: Command) => {
      refuseFilters(command, checkpoint);
      const settings = readSettings(checkpoint.optsWithGlobals());
      requireData(settings);
      const log = await openAccessLog(settings.data);
      try {
        await printJson({ ...log.checkpoint(), time: new Date().toISOString() });
      } finally {
        await log.close();
      }
    });
}

/** @throws UsageError for options that choose entries, where the whole log is looked at */
function refuseFilters(audit: Command, own: Command): void {
  const given = Object.keys(audit.opts()).filter((name) => name !== 'json');
  if (given.length === 0) return;
  const options = given.map((name) => `--${name}`).join(' and ');
  throw new UsageError(`audit ${own.name()} is about the whole log; leave ${options} out.`);
}

/** Where the log stood when this gateway last told the shared store, which whoever shortens it cannot change. */
async function anchor({ data, store }: Settings): Promise<Checkpoint | undefined> {
  if (store === undefined) return undefined;
  const { openPostgresStore } = await import('../disk/shared/postgres-store.js');
  const log = await openAccessLog(data);
  const { chain } = log.checkpoint();
  await log.close();
  const shared = await openPostgresStore(store);
  try {
    const known = await shared.anchorOf(chain);
    return known && { chain, ...known };
  } finally {
    await shared.close();
  }
}

async function readAll(settings: Settings, { limit, ...filter }: AccessFilter): Promise<RecordedEntry[]> {
  requireData(settings);
  const log = await openAccessLog(settings.data);
  try {
    const entries: RecordedEntry[] = [];
    const newestFirst = limit !== undefined;
    for await (const entry of log.read({ ...filter, limit, newestFirst })) entries.push(entry);
    return newestFirst ? entries.reverse() : entries;
  } finally {
    await log.close();
  }
}

function turtle(entries: readonly RecordedEntry[], base: string): Promise<string> {
  const quads = entries.flatMap((entry) => entryQuads(entry, base));
  return writeRdf(quads, 'turtle', { prefixes: { ...prefixes, ...accessPrefixes } });
}

async function readCheckpoint(file: string): Promise<Checkpoint> {
  const json = await (file === '-' ? text(process.stdin) : readText(file));
  try {
    const { chain, entries, hash } = JSON.parse(json) as Partial<Checkpoint>;
    if (typeof chain === 'string' && typeof hash === 'string' && Number.isInteger(entries))
      return { chain, entries: Number(entries), hash };
  } catch {
    // Said below.
  }
  throw new CommandError(`${file} holds no checkpoint; give what chartgraph audit checkpoint printed.`);
}

function time(given: string): number {
  const milliseconds = /^\d{4}-\d\d-\d\d(?:T|$)/u.test(given) ? Date.parse(given) : NaN;
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new UsageError(
    `--since must be a date or time such as 2026-01-31T08:00Z, not ${JSON.stringify(given)}.`,
  );
}
