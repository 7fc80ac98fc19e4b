import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Megabytes of memory that a process has for itself, garbage included; Linux only. */
export function megabytesOf(pid) {
  return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** The same of a process and all that it started. */
export function megabytesOfAll(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + megabytesOfAll(child), megabytesOf(pid));
  } catch (error) {
    // A thread or a process that ends meanwhile holds nothing any more.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;
    throw error;
  }
}

/**
 * Megabytes of memory of its own that this process holds, after its garbage is collected (needs --expose-gc).
 * @param flavor 'last-resort': without the pages that V8 keeps for its next objects and gives back when it rests, or
 * when memory is short; 'regular': with them
 */
export async function ownMegabytes(flavor = 'last-resort') {
  for (let round = 0; round < 3; round++) {
    globalThis.gc({ type: 'major', execution: 'sync', flavor });
    await wait(100);
  }
  try {
    // The pages of LMDB's file are the system's cache and not counted here.
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  } catch {
    return process.memoryUsage().rss / 2 ** 20;
  }
}
