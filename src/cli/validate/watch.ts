import { existsSync, readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** How long nothing must change before work begins again, in milliseconds: editors write a file in several steps. */
const QUIET = 150;

/** How long after one look at all files the next comes, in milliseconds; many files are looked at less often. */
const LOOK = 500;

/**
 * Calls `work` at once, and again each time something below one of the paths has changed; changes while it works are
 * seen when it is done. Editors save in many ways: in place, by a new file renamed over the old one, by deleting and
 * creating. Folders are watched, never files, as a watcher of a file stays with the file that was replaced; and names,
 * sizes and times of all files are compared now and then, as the events of a recursive watcher get lost on Linux.
 * Resolves at the first SIGINT or SIGTERM.
 * @param paths files and folders; those that are not there are waited for in their folders
 */
export async function watchPaths(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let fail: (error: unknown) => void = () => undefined;
  const stopped = new Promise<void>((resolve, reject) => {
    fail = reject;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  let seen = stateOf(paths);
  const run = (): void => {
    seen = stateOf(paths);
    running = running.then(work).catch(fail);
  };
  let looking: NodeJS.Timeout | undefined;
  const lookAgain = (): void => {
    const began = performance.now();
    look();
    looking = setTimeout(lookAgain, Math.max(LOOK, 20 * (performance.now() - began)));
  };
  const look = (): void => {
    if (timer !== undefined || stateOf(paths) === seen) return;
    timer = setTimeout(() => {
      timer = undefined;
      run();
    }, QUIET);
  };
  try {
    // What a watcher tells is only a reason to look; it may fail where a folder goes away, and looking goes on.
    for (const { folder, recursive } of foldersOf(paths))
      watchers.push(watch(folder, { recursive }, look).on('error', () => undefined));
    run();
    looking = setTimeout(lookAgain, LOOK);
    await stopped;
  } finally {
    clearTimeout(looking);
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    await running;
  }
}

/** The folders to watch: a folder with all that is beneath it, of a file the folder in which it stands. */
function foldersOf(paths: readonly string[]): { folder: string; recursive: boolean }[] {
  return paths
    .map((path) => {
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
      return { folder: isFolder ? path : dirname(resolve(path)), recursive: isFolder };
    })
    .filter(({ folder }) => existsSync(folder));
}

/** Names, sizes, times and numbers of all files at or below the paths, as one text. */
function stateOf(paths: readonly string[]): string {
  return paths.flatMap((path) => stateBelow(path)).join('\n');
}

function stateBelow(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [`${path} is not there`];
  if (!stats.isDirectory()) return [`${path} ${stats.size} ${stats.mtimeMs} ${stats.ino}`];
  try {
    // Swap files and backups of editors begin or end in their own ways; what they mean is never read.
    const names = readdirSync(path).filter((name) => !/^\.|~$|^#.*#$/.test(basename(name)));
    return names.sort().flatMap((name) => stateBelow(join(path, name)));
  } catch {
    // A folder that goes away between two looks.
    return [`${path} is not there`];
  }
}
