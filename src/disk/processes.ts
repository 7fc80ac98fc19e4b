import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';

/** Names the time since this machine was started: it changes with every boot. */
export function bootId(): string {
  const id = readIfThere('/proc/sys/kernel/random/boot_id');
  // Elsewhere the time of the start, in steps of ten minutes because clocks are set while a machine runs.
  return id?.trim() ?? `up-${Math.round((Date.now() / 1000 - uptime()) / 600)}`;
}

/**
 * Names the PID namespace of this process (pid_namespaces(7)): only in one and the same do process ids tell processes
 * apart. The same everywhere on systems that have no such thing.
 */
export function pidNamespace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'the only one';
  }
}

/** Tells a process from a later one with the same number; undefined where the system does not say. */
export function processStart(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** Whether a process with this number runs, whoever owns it. One that is dead and not yet waited for does not. */
export function isRunning(pid: number): boolean {
  // proc(5): Z is a zombie, X dead. Both keep their number, and their start time, until the parent has waited for them.
  const state = statFields(pid)?.[0];
  if (state === 'Z' || state === 'X') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process that a thread belongs to; undefined where the system does not say. */
export function processOfThread(thread: number): number | undefined {
  const group = /^Tgid:\s*(\d+)$/m.exec(readIfThere(`/proc/${thread}/status`) ?? '')?.[1];
  return group === undefined ? undefined : Number(group);
}

/** The fields of proc(5) `stat` from the third, the state, on: the name in parentheses before it may hold anything. */
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
