import { serve } from './main.js';
import type { WorkerFailed, WorkerMessage, WorkerReady } from './workers.js';

// The entry of one worker process: it serves what the first process sends it, until that ends or says so.
process.once('message', (message: WorkerMessage) => {
  void run(message);
});

async function run({ serve: settings }: WorkerMessage): Promise<void> {
  try {
    const container = await serve(settings);
    const stop = (): void => {
      void container.close().finally(() => process.exit(0));
    };
    process.once('SIGTERM', stop);
    process.once('disconnect', stop);
    // A signal from the terminal reaches the whole group; the first process decides when to stop.
    process.on('SIGINT', () => undefined);
    process.send?.({ ready: container.url } satisfies WorkerReady);
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) } satisfies WorkerFailed);
    process.exitCode = 1;
    process.disconnect();
  }
}
