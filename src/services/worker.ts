import cluster from 'node:cluster';
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { PortTakenError } from '../http/server.js';
import { serve } from '../main.js';
import { answerMetricsRequests } from './metrics/worker-metrics.js';
import type { Watched } from './watch-primary.js';
import type { WorkerNews, WorkerOrder } from './workers.js';

/** Milliseconds after which a stopping worker is killed; acknowledged data is on disk. */
const STOP_WITHIN_MS = 4800;
const ORPHAN_STOPS_WITHIN_MS = 600;

/**
 * Ends this process without exit handlers: LMDB's handler joins its writing thread, which may wait for this one while
 * it holds the lock that all writers need. The store is as after any other kill.
 */
const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');

// Entry of a worker process: serves what the first process orders, until that ends or says so.
const tell = (news: WorkerNews): void => {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
};

process.on('uncaughtException', (error) => {
  const { name, stack } = error;
  // Omit the message: it may quote stored data.
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
// When the first process dies, Node.js would end this one in the middle of a write, and LMDB would wait for it forever.
if (cluster.worker) {
  cluster.worker.exitedAfterDisconnect = true;
  // Messages that cannot be sent no longer matter.
  cluster.worker.on('error', () => undefined);
}
// A terminal signal reaches the whole group; the first process decides when to stop.
process.on('SIGINT', () => undefined);
// Messages sent before the listener exists would be lost.
tell({ waiting: true });

async function run(order: WorkerOrder): Promise<void> {
  try {
    const container = await serve(order);
    answerMetricsRequests(container.metrics);
    const stop = (within: number, end: () => void): void => {
      setTimeout(endAtOnce, within).unref();
      void container.close().finally(end);
    };
    process.once('SIGTERM', () => stop(STOP_WITHIN_MS, () => process.exit(0)));
    stopOrphan = () => stop(ORPHAN_STOPS_WITHIN_MS, endAtOnce);
    tell({ ready: container.url });
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    tell({ failed, isPortTaken: error instanceof PortTakenError });
    process.exitCode = 1;
    stopOrphan = () => undefined;
    process.disconnect();
  }
}
