import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { RecordedEntry } from '../access/log/access-entry.js';
import { attemptKey, gathered, type GatheredEntry } from '../access/log/gathered-entries.js';
import { type AccessFilter, guardedRow } from '../access/log/read-entries.js';
import { openAccessLog, verifyAccessLog, type AccessLog } from '../access/log/access-log.js';
import { entryQuads } from '../access/log/entry-graph.js';
import { sharedAnchor } from '../access/log/shared-anchor.js';
import type { Checkpoint } from '../access/log/verify-chain.js';
import { putFile } from '../store/disk/small-files.js';
import { accessPrefixes, prefixes } from '../rdf/vocabulary.js';
import { writeRdf } from '../rdf/write.js';
import { CommandError, UsageError } from './command-errors.js';
import { limitNumber, recordId, readText } from './argument-values.js';
import { baseOf, requireData } from './open-data.js';
import { count, print, printJson, printTable, write } from './output.js';
import { readSettings, type Settings } from './read-settings.js';

/** Milliseconds until it is looked for new entries. */
const POLL_MS = 500;

type ReadOptions = AccessFilter & { all?: boolean; json?: boolean; csv?: boolean; format?: 'turtle' };

export function define(command: Command): void {
  command
    .option('--record <id>', 'who looked at this record, or changed it', recordId)
    .option('--user <id>', 'what this user did, or this account on the command line')
    .option('--app <id>', 'what this app did')
    .option('--since <time>', 'from this date or time on, such as 2026-01-31 or 2026-01-31T08:00Z', time)
    .option('--limit <number>', 'only so many, the newest', limitNumber)
    .option(
      '--all',
      'each refused request in a row of the table; without it those of a sender and day share one',
    )
    .addOption(new Option('--json', 'print the entries as JSON').conflicts(['csv', 'format']))
    .addOption(new Option('--csv', 'print the entries as CSV').conflicts('format'))
    .addOption(new Option('--format <fmt>', 'print the entries as RDF (PROV-O)').choices(['turtle']))
    .action(async ({ all, json, csv, format, ...filter }: ReadOptions) => {
      const settings = readSettings(command.optsWithGlobals());
      const isTable = !json && !csv && format === undefined;
      const rows = await readAll(settings, filter, isTable && !all ? attemptKey : () => undefined);
      const entries = rows.map(({ entry }) => entry);
      if (json) return printJson(entries.map(auditRow));
      if (csv)
        return write(
          [auditColumns, ...entries.map((entry) => cellsOf(entry, auditColumns))].map(guardedRow).join(''),
        );
      if (format) return write(await turtle(entries, await baseOf(settings)));
      return printTable(
        [...shownColumns, 'times'],
        rows.map(({ entry, times }) => [...cellsOf(entry, shownColumns), times > 1 ? String(times) : '']),
      );
    });

  command
    .command('verify')
    .description('check that no entry was changed, moved, added or taken away')
    .option('--checkpoint <file>', 'what audit checkpoint printed earlier; - reads it from stdin')
    .option('--json', 'print the result as JSON')
    .action(async ({ checkpoint: file }: { checkpoint?: string }, verify: Command) => {
      refuseFilters(command, verify);
      // commander gives --json, which audit has too, to the parent command.
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
    .command('follow')
    .description('print each entry as a line of JSON, and go on with what is recorded; for log shippers')
    .option('--position <file>', 'keeps the number of the last entry printed, to go on there next time')
    .action(async ({ position }: { position?: string }, own: Command) => {
      refuseFilters(command, own);
      await follow(readSettings(own.optsWithGlobals()), position);
    });

  command
    .command('checkpoint')
    .description('print where the log stands now, to be kept in another place for audit verify')
    .action(async (_options: object, checkpoint: Command) => {
      refuseFilters(command, checkpoint);
      const found = await withLog(readSettings(checkpoint.optsWithGlobals()), (log) => log.checkpoint());
      await printJson({ ...found, time: new Date().toISOString() });
    });
}

/**
 * Prints entries as they come, a line of JSON each, until it is ended. The file is written when a line is handed over, so
 * that a line may come twice and none is left out.
 */
async function follow(settings: Settings, file: string | undefined): Promise<void> {
  await withLog(settings, async (log) => {
    const given = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
    const follower = await log.follow(Number(/^\d{1,15}$/u.exec(given.trim())?.[0] ?? 0));
    for (;;) {
      const entries = follower.next();
      for (const entry of entries) await print(JSON.stringify(auditRow(entry)));
      const last = entries.at(-1);
      if (last === undefined) await wait(POLL_MS);
      else if (file !== undefined) await putFile(file, `${last.number}\n`);
    }
  });
}

/** @throws UsageError for filters: the whole log is checked */
function refuseFilters(audit: Command, own: Command): void {
  const given = Object.keys(audit.opts()).filter((name) => name !== 'json');
  if (given.length === 0) return;
  const options = given.map((name) => `--${name}`).join(' and ');
  throw new UsageError(`audit ${own.name()} is about the whole log; leave ${options} out.`);
}

/** Returns the log position last sent to the shared store, if there is one. */
async function anchor(settings: Settings): Promise<Checkpoint | undefined> {
  const { store } = settings;
  if (store === undefined) return undefined;
  return sharedAnchor(store, await withLog(settings, (log) => log.checkpoint().chain));
}

/** Reads entries, oldest first; those of one key share a row. */
function readAll(
  settings: Settings,
  { limit, ...filter }: AccessFilter,
  keyOf: (entry: RecordedEntry) => string | undefined,
): Promise<GatheredEntry[]> {
  return withLog(settings, async (log) =>
    (await gathered(log.read({ ...filter, newestFirst: true }), keyOf, limit)).reverse(),
  );
}

async function withLog<T>(settings: Settings, work: (log: AccessLog) => T | Promise<T>): Promise<T> {
  requireData(settings);
  const log = await openAccessLog(settings.data);
  try {
    return await work(log);
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
    // Reported below.
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

/** The cells of an entry, in the order of the columns: the most wanted first. */
const cells = {
  time: ({ time }) => time,
  // For a command, the actor is the operating system's account; the user is whom it is about.
  actor: ({ account, user }) => account ?? user,
  app: ({ app }) => app,
  action: ({ action }) => action,
  call: ({ call }) => call,
  resource: ({ resource }) => resource,
  record: ({ record }) => record,
  purpose: ({ purpose }) => purpose,
  outcome: ({ outcome }) => outcome,
  revision: ({ revision }) => revision,
  number: ({ number }) => number,
  user: ({ user }) => user,
  on_behalf_of: ({ onBehalfOf }) => onBehalfOf,
  token_id: ({ tokenId }) => tokenId,
  address: ({ address }) => address,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  request_id: ({ requestId }) => requestId,
  dropped: ({ dropped }) => dropped?.through,
  level: ({ level }) => level,
  to: ({ to }) => to,
  rows: ({ rows }) => rows,
  milliseconds: ({ milliseconds }) => milliseconds,
  query: ({ query }) => query,
} as const satisfies Record<string, (entry: RecordedEntry) => string | number | undefined>;

type Column = keyof typeof cells;

const auditColumns = Object.keys(cells) as Column[];

const shownColumns: readonly Column[] = [
  'time',
  'actor',
  'app',
  'action',
  'record',
  'resource',
  'outcome',
  'status',
  'address',
  'purpose',
];

function auditRow(entry: RecordedEntry): Record<string, string | number | null> {
  return Object.fromEntries(auditColumns.map((name) => [name, cells[name](entry) ?? null]));
}

function cellsOf(entry: RecordedEntry, columns: readonly Column[]): string[] {
  return columns.map((name) => String(cells[name](entry) ?? ''));
}
