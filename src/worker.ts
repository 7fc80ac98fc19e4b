import cluster from 'node:cluster';
import { serve } from './main.js';
import { answerMetricsRequests } from './metrics/worker-metrics.js';
import type { WorkerNews, WorkerOrder } from './workers.js';

/** A worker that is not done after this many milliseconds ends at once: what it has acknowledged is on disk. */
const STOP_WITHIN = 4800;

// The entry of one worker process: it serves what the first process orders, until that ends or says so.
const tell = (news: WorkerNews): void => {
  // The first process may be gone already; that is noticed elsewhere.
  if (process.connected) process.send?.(news);
};

process.once('message', (order: WorkerOrder) => {
  void run(order);
});
// When the first process dies, Node.js would end this one in the middle of a write, and LMDB wait for it for ever.
if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
// A signal from the terminal reaches the whole group; the first process decides when to stop.
process.on('SIGINT', () => undefined);
// What is sent before a listener is there would be lost.
tell({ waiting: true });

async function run(order: WorkerOrder): Promise<void> {
  try {
    const container = await serve({ ...order, onFill: (filled, of) => tell({ filled, of }) });
    answerMetricsRequests(container.metrics);
    const stop = (): void => {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_WITHIN).unref();
      void container.close().finally(() => process.exit(0));
    };
    process.once('SIGTERM', stop);
    process.once('disconnect', stop);
    // The first process may have died while this one filled its working set.
    if (!process.connected) stop();
    tell({ ready: container.url });
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  }
}
