// Loaded before the program into each process of a server: says how long the turns of its event loop took since it was
// asked last, in a file named by its process id, when it gets SIGUSR2.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** How often the loop is looked at, in milliseconds: the histogram has that much in each of its values. */
const EVERY = 1;

const folder = process.env.BENCH_LOOP_DELAYS;
const delays = monitorEventLoopDelay({ resolution: EVERY });

function tell() {
  const milliseconds = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - EVERY);
  const found = { p99: milliseconds(delays.percentile(99)), most: milliseconds(delays.max) };
  delays.reset();
  const file = join(folder, `${process.pid}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(found));
  renameSync(`${file}.new`, file);
}

if (isMainThread) {
  delays.enable();
  process.on('SIGUSR2', tell);
  writeFileSync(join(folder, String(process.pid)), '');
}
