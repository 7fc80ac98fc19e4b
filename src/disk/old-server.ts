import { DataDirectoryError } from './data-directory-error.js';
import type { Environment } from './environment.js';
import { bootId, isRunning, processStart } from './processes.js';

/** What servers up to version 0.2, which know no locks of files, leave in the store. */
interface OldHolder {
  readonly pid: number;
  readonly start: string | undefined;
  readonly boot: string;
}

/** @throws DataDirectoryError when a server of version 0.2 runs on a directory, which would not understand what we write */
export function refuseOldServer(dir: string, { tables }: Environment): void {
  const holder = tables.serving.get('holder') as OldHolder | undefined;
  if (holder?.boot !== bootId() || !isRunning(holder.pid) || holder.start !== processStart(holder.pid))
    return;
  throw new DataDirectoryError(
    `A server of an older version (process ${holder.pid}) is running on ${dir}: stop it first.`,
  );
}
