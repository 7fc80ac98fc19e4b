// Loaded before the program into each process of a server: says how long the turns of its event loop took since it was
// asked last, and what it put on V8's heap, in a file named by its process id, when it gets SIGUSR2.
import { closeSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** How often the loop is looked at, in milliseconds: the histogram has that much in each of its values. */
const EVERY = 1;

const folder = process.env.BENCH_LOOP_DELAYS;
const delays = monitorEventLoopDelay({ resolution: EVERY });
/** Milliseconds of processor time: the most between two looks, and all since it was told last. */
let [busiest, busy] = [0, 0];

/** Looks at each millisecond how much processor time this thread has had, where the system tells that. */
function watchThread() {
  let file;
  try {
    // Nanoseconds on a processor, nanoseconds of waiting for one, turns (Linux, proc(5)).
    file = openSync(`/proc/self/task/${process.pid}/schedstat`);
  } catch {
    return;
  }
  const bytes = Buffer.alloc(80);
  const used = () =>
    Number(bytes.latin1Slice(0, readSync(file, bytes, 0, bytes.length, 0)).split(' ')[0]) / 1e6;
  let last = used();
  setInterval(() => {
    const now = used();
    busiest = Math.max(busiest, now - last);
    busy += now - last;
    last = now;
  }, EVERY).unref();
  process.on('exit', () => closeSync(file));
}

const spaceOf = ({ heapSpaceStatistics }, wanted) =>
  heapSpaceStatistics.find(({ spaceName }) => spaceName === wanted)?.spaceUsedSize ?? 0;

/** Counts what the garbage collector sees, from now on. @returns what tells it, in bytes */
function countBytes() {
  const profiler = new GCProfiler();
  let used = getHeapStatistics().used_heap_size;
  profiler.start();
  return () => {
    let [allocated, outlived] = [0, 0];
    for (const { gcType, beforeGC, afterGC } of profiler.stop().statistics) {
      allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - used);
      used = afterGC.heapStatistics.usedHeapSize;
      // What was there at two collections in a row is taken for what will stay.
      if (gcType === 'Scavenge')
        outlived += Math.max(0, spaceOf(afterGC, 'old_space') - spaceOf(beforeGC, 'old_space'));
    }
    allocated += Math.max(0, getHeapStatistics().used_heap_size - used);
    return { allocated, outlived };
  };
}

let bytes;

function tell() {
  const milliseconds = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - EVERY);
  const [p99, most] = [delays.percentile(99), delays.max].map(milliseconds);
  const found = { p99, most, busiest, busy, ...bytes() };
  bytes = countBytes();
  delays.reset();
  [busiest, busy] = [0, 0];
  const file = join(folder, `${process.pid}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(found));
  renameSync(`${file}.new`, file);
}

if (isMainThread) {
  delays.enable();
  bytes = countBytes();
  watchThread();
  process.on('SIGUSR2', tell);
  writeFileSync(join(folder, String(process.pid)), '');
}
