import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AccessEntry } from '../access-log/access-entry.js';
import type { AccessLog } from '../access-log/access-log.js';
import { inspectDirectory } from '../disk/marker.js';
import { readSettings } from './settings.js';

/** What a command is about. */
export type Subject = Pick<AccessEntry, 'record' | 'user' | 'app' | 'tokenId' | 'purpose' | 'level' | 'to'>;

/** Commands that touch no data of the container, or only check the log itself. Every other one is recorded. */
const unrecorded = /^(?:sign|validate|ontology|endpoint)(?: |$)|^audit (?:verify|checkpoint)$/u;

/** What the first argument of a command is the id of. */
const argumentOf: Readonly<Record<string, keyof Subject>> = {
  'record remove': 'record',
  'app remove': 'app',
  'user add': 'user',
  'user password': 'user',
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

/** Says what the running command turned out to be about: it gets an entry for each. */
export function commandConcerns(...subjects: readonly Subject[]): void {
  concerned.push(...subjects);
}

/** The command that runs, for the history of what it changes. */
export function runningCommand(): string | undefined {
  return running?.action;
}

/**
 * Records that a command begins, before it does anything; where there is no data directory yet, `commandMadeDirectory`
 * does, if the command makes one. Called for every command by the program, so that none can forget it.
 * @throws AccessLogError when the log cannot be written: then the command does nothing
 */
export async function commandBegins(command: Command): Promise<void> {
  const action = nameOf(command);
  if (unrecorded.test(action)) return;
  const dir = directoryOf(command);
  running = { action, dir, subject: subjectOf(action, command), log: undefined };
  concerned = [];
  await commandMadeDirectory();
}

/**
 * Records that the running command begins, unless that is recorded: it may be ended in the middle of what it stores.
 * @throws AccessLogError when the log cannot be written: then the command does nothing
 */
export async function commandMadeDirectory(): Promise<void> {
  const command = running;
  if (!command || command.log) return;
  // A log that cannot be opened is told once, and not again at the end.
  running = undefined;
  command.log = await logOf(command.dir);
  command.log?.recordNow({ ...entryOf(command), outcome: 'begun' });
  running = command;
}

/** Records how the command ended. */
export async function commandEnds(outcome: 'done' | 'failed'): Promise<void> {
  if (!running) return;
  const { dir, log: opened, subject } = running;
  const entry = { ...entryOf(running), outcome };
  running = undefined;
  const log = opened ?? (await logOf(dir));
  const subjects = concerned.length === 0 ? [subject] : concerned;
  for (const each of subjects) void log?.record({ ...entry, ...each }).catch(() => undefined);
  await log?.close();
}

/** The data directory that a command works on: `migrate` is given one in the place of a store. */
function directoryOf(command: Command): string {
  const { from, to } = command.opts<{ from?: string; to?: string }>();
  const named =
    nameOf(command) === 'migrate' ? [from, to].find((store) => !store?.includes('://')) : undefined;
  return named === undefined ? readSettings(command.optsWithGlobals()).data : resolve(named);
}

/** `token issue`: the names from below the program down to the command. */
function nameOf(command: Command): string {
  const names = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}

function subjectOf(action: string, command: Command): Subject {
  // Its options are a filter: whoever asks what somebody did has done nothing with them.
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

/** Who sits at the command line, as the operating system knows them. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The log of a data directory; what is none is refused by the command itself. */
async function logOf(dir: string): Promise<AccessLog | undefined> {
  const state = await inspectDirectory(dir).catch(() => undefined);
  if (state !== 'ready') return undefined;
  // Loaded only when it is needed, so that `--help` and `sign` stay quick.
  const { openAccessLog } = await import('../access-log/access-log.js');
  return openAccessLog(dir);
}
