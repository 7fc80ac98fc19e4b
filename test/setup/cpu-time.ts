import { readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time that the main thread of this process has had: unlike a clock, it stands still while
 * others use the machine. A clock where the system does not tell.
 */
export function ownTime(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Milliseconds of processor time that all threads of this process have had. */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
