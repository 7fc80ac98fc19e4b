import { resolve } from 'node:path';
import type { Command } from 'commander';
import { accountName } from '../access/log/account-name.js';
import type { AccessEntry } from '../access/log/access-entry.js';
import type { AccessLog } from '../access/log/access-log.js';
import { inspectDirectory } from '../store/disk/marker.js';
import { readSettings } from './read-settings.js';

export type Subject = Pick<AccessEntry, 'record' | 'user' | 'app' | 'tokenId' | 'purpose' | 'level' | 'to'>;

/** Commands that touch no data, or only check the log. All others are recorded. */
const unrecorded = /^(?:sign|validate|ontology|endpoint)(?: |$)|^audit (?:verify|checkpoint)$/u;

/** What the first argument of a command identifies. */
const argumentOf: Readonly<Record<string, keyof Subject>> = {
  'record remove': 'record',
  'record close': 'record',
  'record open': 'record',
  'record closed': 'record',
  'app remove': 'app',
  'user add': 'user',
  'user change': 'user',
  'user grant': 'user',
  'user link': 'user',
  'user ungrant': 'user',
  'user password': 'user',
  'user second-factor': 'user',
  'user remove': 'user',
  'token revoke': 'tokenId',
};

interface Running {
  readonly action: string;
  readonly dir: string;
  readonly subject: Subject;
  log: AccessLog | undefined;
}

let running: Running | undefined;
let concerned: Subject[] = [];

/** Names what the running command is about; each gets an entry. */
export function commandConcerns(...subjects: readonly Subject[]): void {
  concerned.push(...subjects);
}

/** Returns the running command, for the history. */
export function runningCommand(): string | undefined {
  return running?.action;
}

/** Records that a command begins. @throws AccessLogError when that fails; the command then does nothing */
export async function commandBegins(command: Command): Promise<void> {
  const action = nameOf(command);
  if (unrecorded.test(action)) return;
  const dir = directoryOf(command);
  running = { action, dir, subject: subjectOf(action, command), log: undefined };
  concerned = [];
  await commandMadeDirectory();
}

/** Records the beginning after a command has created its data directory: it may be interrupted while it stores data. */
export async function commandMadeDirectory(): Promise<void> {
  const command = running;
  if (!command || command.log) return;
  // Failing to open the log is reported once, not again at the end.
  running = undefined;
  command.log = await logOf(command.dir);
  command.log?.recordNow({ ...entryOf(command), outcome: 'begun' });
  running = command;
}

/** Records how the command ended, by its exit code. */
export async function commandEnds(code: number): Promise<void> {
  if (!running) return;
  const { dir, log: opened, subject } = running;
  const entry = { ...entryOf(running), outcome: code === 0 ? ('done' as const) : ('failed' as const) };
  running = undefined;
  const log = opened ?? (await logOf(dir));
  const subjects = concerned.length === 0 ? [subject] : concerned;
  for (const each of subjects) void log?.record({ ...entry, ...each }).catch(() => undefined);
  await log?.close();
}

/** Returns the data directory of a command; `migrate` takes one in place of a store. */
function directoryOf(command: Command): string {
  const { from, to } = command.opts<{ from?: string; to?: string }>();
  const named =
    nameOf(command) === 'migrate' ? [from, to].find((store) => !store?.includes('://')) : undefined;
  return named === undefined ? readSettings(command.optsWithGlobals()).data : resolve(named);
}

/** Returns the names below the program, such as `token issue`. */
function nameOf(command: Command): string {
  const names = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}

function subjectOf(action: string, command: Command): Subject {
  // The options of audit are a filter: its user did not act.
  if (action === 'audit') return {};
  const { record, user, app, purpose, level, update } = command.opts<Record<string, unknown>>();
  const argument = argumentOf[action];
  const options = Object.entries({ record, user, app, purpose, level, to: update }).filter(
    (option): option is [keyof Subject, string] => typeof option[1] === 'string',
  );
  return {
    ...Object.fromEntries(options),
    ...(argument === undefined ? {} : { [argument]: command.args[0] }),
  };
}

function entryOf({ action, subject }: Running) {
  return { action, account: accountName(), ...subject };
}

/** Opens the log of a data directory. The command itself rejects anything else. */
async function logOf(dir: string): Promise<AccessLog | undefined> {
  const state = await inspectDirectory(dir).catch(() => undefined);
  if (state !== 'ready') return undefined;
  const { openAccessLog } = await import('../access/log/access-log.js');
  return openAccessLog(dir);
}
