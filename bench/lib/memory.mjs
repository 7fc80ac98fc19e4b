import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Megabytes of memory that a process has for itself, garbage included; Linux only. */
export function megabytesOf(pid) {
  return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** Megabytes of memory of its own that this process holds, after its garbage is collected (needs --expose-gc). */
export async function ownMegabytes() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await wait(100);
  }
  try {
    // The pages of LMDB's file are the system's cache and not counted here.
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  } catch {
    return process.memoryUsage().rss / 2 ** 20;
  }
}
