import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Microseconds of the processor that a process has taken (proc(5): fields 14 and 15, in hundredths of a second). */
export function processorTimeOf(pid) {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}

/** How long a server may take for what it does after it began to answer, in milliseconds. */
const LONGEST = 10 * 60 * 1000;

/**
 * Waits until a process and those that it started take next to nothing of the processor: after a start the process of
 * analysts makes its own copy of the data, which takes a core from whatever is measured meanwhile.
 */
export async function untilQuiet(pid) {
  const end = performance.now() + LONGEST;
  let before = timeOfAll(pid);
  for (let quiet = 0; quiet < 3;) {
    await wait(200);
    const now = timeOfAll(pid);
    quiet = now - before <= 20_000 ? quiet + 1 : 0;
    before = now;
    if (performance.now() > end)
      throw new Error(`the server is still busy after ${LONGEST / 60_000} minutes`);
  }
}

/** The same as `processorTimeOf`, with all processes that it started. */
export function timeOfAll(pid) {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + timeOfAll(child), processorTimeOf(pid));
  } catch (error) {
    // A thread or a process that ends meanwhile takes no more time.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;
    throw error;
  }
}

/** Microseconds of the processor that the ended children of this process have taken (fields 16 and 17). */
export function timeOfEnded() {
  const line = readFileSync('/proc/self/stat', 'utf8');
  const [user, system] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) * 10_000;
}

/**
 * What the processors of this machine have done together, in microseconds (proc(5), /proc/stat): nothing, and waited for
 * other machines that share them.
 */
export function machineTime() {
  const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/\s+/);
  const [user, nice, system, idle, wait, irq, softirq, stolen] = times.map((time) => Number(time) * 10_000);
  return { all: user + nice + system + idle + wait + irq + softirq + stolen, idle: idle + wait, stolen };
}
