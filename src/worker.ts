import { serve } from './main.js';
import type { WorkerNews, WorkerOrder } from './workers.js';

// The entry of one worker process: it serves what the first process orders, until that ends or says so.
const tell = (news: WorkerNews): void => {
  process.send?.(news);
};

process.once('message', (order: WorkerOrder) => {
  void run(order);
});
// A signal from the terminal reaches the whole group; the first process decides when to stop.
process.on('SIGINT', () => undefined);
// What is sent before a listener is there would be lost.
tell({ waiting: true });

async function run(order: WorkerOrder): Promise<void> {
  try {
    const container = await serve(order);
    const stop = (): void => {
      void container.close().finally(() => process.exit(0));
    };
    process.once('SIGTERM', stop);
    process.once('disconnect', stop);
    // The first process may have died while this one filled its replica.
    if (!process.connected) stop();
    tell({ ready: container.url });
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  }
}
