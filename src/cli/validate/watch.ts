import { existsSync, readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Milliseconds without changes before work begins again: editors write a file in several steps. */
const QUIET = 150;

/** Milliseconds between two comparisons of all files; more if there are many. */
const LOOK = 500;

/**
 * Calls `work` now and whenever something below a path changes, until SIGINT or SIGTERM. It watches folders, since a
 * watcher stays with a file that an editor has replaced, and compares all files now and then, since recursive watchers
 * lose events on Linux. It waits for missing paths.
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
    // Events only trigger a comparison. A watcher may fail when its folder disappears; comparisons continue.
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

/** Returns the folders to watch; for a file, its folder. */
function foldersOf(paths: readonly string[]): { folder: string; recursive: boolean }[] {
  return paths
    .map((path) => {
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
      return { folder: isFolder ? path : dirname(resolve(path)), recursive: isFolder };
    })
    .filter(({ folder }) => existsSync(folder));
}

function stateOf(paths: readonly string[]): string {
  return paths.flatMap((path) => stateBelow(path)).join('\n');
}

function stateBelow(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [`${path} is not there`];
  if (!stats.isDirectory()) return [`${path} ${stats.size} ${stats.mtimeMs} ${stats.ino}`];
  try {
    // Ignores swap files and backups of editors, which have their own prefixes and suffixes.
    const names = readdirSync(path).filter((name) => !/^\.|~$|^#.*#$/.test(basename(name)));
    return names.sort().flatMap((name) => stateBelow(join(path, name)));
  } catch {
    // The folder disappeared after the last comparison.
    return [`${path} is not there`];
  }
}
