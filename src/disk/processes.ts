import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Names the time since this machine was started: it changes with every boot. */
export function bootId(): string {
  const id = readIfThere('/proc/sys/kernel/random/boot_id');
  // Elsewhere the time of the start, in steps of ten minutes because clocks are set while a machine runs.
  return id?.trim() ?? `up-${Math.round((Date.now() / 1000 - uptime()) / 600)}`;
}

/** Tells a process from a later one with the same number; undefined where the system does not say. */
export function processStart(pid: number): string | undefined {
  const line = readIfThere(`/proc/${pid}/stat`);
  // proc(5): the name in parentheses may hold anything; the start time is field 22, so the 20th after it.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19];
}

/** Whether a process with this number runs, whoever owns it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
