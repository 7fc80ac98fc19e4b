import { existsSync, watch, type FSWatcher } from 'node:fs';

/** How long nothing must change before work begins again, in milliseconds: editors write a file in several steps. */
const QUIET = 150;

/**
 * Calls `work` at once, and again each time something below one of the paths has changed; changes while it works are
 * seen when it is done. Resolves at the first SIGINT or SIGTERM.
 * @param paths files and folders; those that are not there are left out
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
  const run = (): void => {
    running = running.then(work).catch(fail);
  };
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, QUIET);
  };
  try {
    for (const path of paths.filter((path) => existsSync(path)))
      watchers.push(watch(path, { recursive: true }, changed).on('error', fail));
    run();
    await stopped;
  } finally {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    await running;
  }
}
