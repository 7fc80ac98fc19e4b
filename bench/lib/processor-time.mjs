import { readFileSync } from 'node:fs';

/** Microseconds of the processor that a process has taken (proc(5): fields 14 and 15, in hundredths of a second). */
export function processorTimeOf(pid) {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}
