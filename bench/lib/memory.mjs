import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Megabytes of memory that a process has for itself, garbage included; Linux only. */
export function megabytesOf(pid) {
  return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
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
