import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';

/** Identifies the current boot of this machine. */
export function bootId(): string {
  const id = readIfThere('/proc/sys/kernel/random/boot_id');
  // Fallback: the boot time in steps of ten minutes, because clocks are adjusted at run time.
  return id?.trim() ?? `up-${Math.round((Date.now() / 1000 - uptime()) / 600)}`;
}

/** Identifies the PID namespace (pid_namespaces(7)): process ids are unique only within one. */
export function pidNamespace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'the only one';
  }
}

/** Returns the start time, which tells a process from a later one with the same id; undefined if unavailable. */
export function processStart(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** Tells whether a process runs, under any user; a zombie does not count. */
export function isRunning(pid: number): boolean {
  const state = statFields(pid)?.[0];
  if (state === 'Z' || state === 'X') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the process of a thread; undefined if unavailable. */
export function processOfThread(thread: number): number | undefined {
  const group = /^Tgid:\s*(\d+)$/m.exec(readIfThere(`/proc/${thread}/status`) ?? '')?.[1];
  return group === undefined ? undefined : Number(group);
}

/** Fields of proc(5) `stat` from the third (state) on. The parenthesized name before them may hold any character. */
function statFields(pid: number): string[] | undefined {
  const line = readIfThere(`/proc/${pid}/stat`);
  return line?.slice(line.lastIndexOf(')') + 2).split(' ');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
