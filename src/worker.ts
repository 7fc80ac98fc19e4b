import cluster from 'node:cluster';
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { PortTakenError } from './http/server.js';
import { serve } from './main.js';
import { answerMetricsRequests } from './metrics/worker-metrics.js';
import type { Watched } from './watch-primary.js';
import type { WorkerNews, WorkerOrder } from './workers.js';

/** A worker that is not done after this many milliseconds ends at once: what it has acknowledged is on disk. */
const STOP_WITHIN = 4800;
/** A worker whose first process is gone does not even wait that long. */
const ORPHAN_STOPS_WITHIN = 600;

/**
 * Ends this process with no exit handlers: LMDB's join its writing thread, which may wait for this one, and hold the
 * lock that all writers need meanwhile. The store is as after any other kill.
 */
const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');

// The entry of one worker process: it serves what the first process orders, until that ends or says so.
const tell = (news: WorkerNews): void => {
  // The first process may be gone already, which the call or the channel finds out later; that is noticed elsewhere.
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
};

process.on('uncaughtException', (error) => {
  const { name, stack } = error;
  // Nothing of the message: it may quote what was stored.
  const where = stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  try {
    writeSync(
      2,
      `${JSON.stringify({ level: 60, pid: process.pid, error: name, where, msg: 'a worker failed' })}\n`,
    );
  } finally {
    endAtOnce();
  }
});
let stopOrphan = endAtOnce;
process.once('disconnect', () => stopOrphan());
const watched: Watched = { primary: Number(process.argv[2]) };
new Worker(new URL('./watch-primary.js', import.meta.url), { workerData: watched }).unref();
process.once('message', (order: WorkerOrder) => {
  void run(order);
});
// When the first process dies, Node.js would end this one in the middle of a write, and LMDB wait for it for ever.
if (cluster.worker) {
  cluster.worker.exitedAfterDisconnect = true;
  // What it cannot send any more is of no use to anybody.
  cluster.worker.on('error', () => undefined);
}
// A signal from the terminal reaches the whole group; the first process decides when to stop.
process.on('SIGINT', () => undefined);
// What is sent before a listener is there would be lost.
tell({ waiting: true });

async function run(order: WorkerOrder): Promise<void> {
  try {
    const container = await serve(order);
    answerMetricsRequests(container.metrics);
    const stop = (within: number, end: () => void): void => {
      setTimeout(endAtOnce, within).unref();
      void container.close().finally(end);
    };
    process.once('SIGTERM', () => stop(STOP_WITHIN, () => process.exit(0)));
    stopOrphan = () => stop(ORPHAN_STOPS_WITHIN, endAtOnce);
    tell({ ready: container.url });
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    tell({ failed, isPortTaken: error instanceof PortTakenError });
    process.exitCode = 1;
    stopOrphan = () => undefined;
    process.disconnect();
  }
}
