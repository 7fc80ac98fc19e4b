import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AccessEntry, RecordedEntry } from '../../../src/access/log/access-entry.js';
import type { AccessFilter } from '../../../src/access/log/read-entries.js';
import {
  ACCESS_LOG,
  openAccessLog,
  type AccessLog,
  type AccessLogOptions,
} from '../../../src/access/log/access-log.js';
import { temporaryFolder } from '../../store/disk/temporary.js';

/** An access log in a folder of its own, closed when the test ends. */
export async function openedLog(options: AccessLogOptions = {}, dir?: string): Promise<OpenedLog> {
  const home = dir ?? (await temporaryFolder());
  const log = await openAccessLog(home, options);
  onTestFinished(() => log.close());
  return { log, dir: home };
}

export interface OpenedLog {
  readonly log: AccessLog;
  readonly dir: string;
}

export const reading: AccessEntry = { action: 'read', outcome: 'done', user: 'clinician', record: '1000001' };

/** All entries that a filter asks for. */
export async function entriesOf(log: AccessLog, filter: AccessFilter = {}): Promise<RecordedEntry[]> {
  const found: RecordedEntry[] = [];
  for await (const entry of log.read(filter)) found.push(entry);
  return found;
}

/** The files of the segments, in order. */
export async function segmentFiles(dir: string): Promise<string[]> {
  const names = await readdir(join(dir, ACCESS_LOG));
  return names
    .filter((name) => name.endsWith('.log'))
    .sort()
    .map((name) => join(dir, ACCESS_LOG, name));
}

/** Changes the lines of a file, header included, each without its line feed. */
export function editLines(file: string, edit: (lines: string[]) => string[]): void {
  const lines = readFileSync(file, 'latin1').split('\n').slice(0, -1);
  writeFileSync(file, edit(lines).join('\n') + '\n', 'latin1');
}
