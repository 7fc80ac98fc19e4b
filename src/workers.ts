import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { listen, PortTakenError } from './http/server.js';
import type { ContainerSettings, Serving } from './container-settings.js';
import { gatherFromWorkers } from './metrics/worker-metrics.js';

/** What a worker process is sent, once it has said that it waits for it. */
export type WorkerOrder = Omit<ContainerSettings, 'log' | 'madeDirectory'>;
/** What a worker process says: that it can be sent its order, that it serves, or why it cannot. */
export type WorkerNews =
  | { readonly waiting: true }
  | { readonly ready: string }
  | { readonly failed: string; readonly isPortTaken: boolean };

/** A worker that is told to stop and has not ended after this many milliseconds is killed. */
const STOP_WITHIN = 4750;
/** A worker that dies sooner than this many milliseconds after it served is not replaced at once. */
const PATIENCE = 1000;
/** So many free ports are tried where any will do. */
const TRIES = 3;

/**
 * Serves with several processes that share the port: each has a working set of its own, all have one primary store.
 * A worker that dies is replaced; the new one listens when what all share is in memory, until then the others answer.
 * @throws Error when a worker cannot start
 */
export async function startWorkers(
  count: number,
  settings: ContainerSettings,
  log: Logger,
): Promise<Serving> {
  if (settings.port !== 0) return startOn(settings.port, count, settings, log);
  for (let tries = TRIES; ; tries--) {
    try {
      return await startOn(await freePort(settings.host), count, settings, log);
    } catch (error) {
      if (!(error instanceof PortTakenError) || tries === 1) throw error;
    }
  }
}

async function startOn(
  port: number,
  count: number,
  { log: unsendable, madeDirectory: done, ...settings }: ContainerSettings,
  log: Logger,
): Promise<Serving> {
  // Said here and not asked there: a worker that starts late has another parent already.
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'worker.js'), args: [String(process.pid)] });
  let stopping = false;
  const order = { ...settings, port };
  const start = async (listenLast: boolean): Promise<string> => {
    const worker = cluster.fork();
    const url = await serving(worker, { ...order, listenLast });
    const since = Date.now();
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      log.error({ worker: worker.process.pid, code, signal }, 'a worker died and is replaced');
      replace(since + PATIENCE > Date.now() ? PATIENCE : 0);
    });
    return url;
  };
  const replace = (delay: number): void => {
    setTimeout(() => {
      if (stopping) return;
      // Where no other is left, the new one has to say itself that it is starting.
      const others = Object.values(cluster.workers ?? {}).length > 0;
      start(others).catch((error: unknown) => {
        if (stopping) return;
        log.fatal({ err: error }, 'a new worker could not start; another one is tried');
        replace(PATIENCE);
      });
    }, delay);
  };
  const close = async (): Promise<void> => {
    stopping = true;
    await Promise.all(workersNow().map(ended));
  };
  try {
    const [url = ''] = await Promise.all(Array.from({ length: count }, () => start(false)));
    return { url, close, gather: gatherFromWorkers(workersNow) };
  } catch (error) {
    await close();
    throw error;
  }
}

const workersNow = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/**
 * All workers, and those that come after them, must ask for one and the same port, so 0 is settled beforehand. Until
 * they listen somebody else may take it.
 */
async function freePort(host: string): Promise<number> {
  const { port, stop } = await listen(host, 0);
  await stop();
  return port;
}

function serving(worker: Worker, settings: WorkerOrder): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (news: WorkerNews) => {
      if ('waiting' in news) worker.send(settings);
      else if ('ready' in news) resolve(news.ready);
      else reject(news.isPortTaken ? new PortTakenError(news.failed) : new Error(news.failed));
    });
    worker.once('exit', (code) => {
      reject(new Error(`A worker ended with ${code} before it served.`));
    });
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    // It ends itself before that, unless it hangs.
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    worker.process.kill('SIGTERM');
  });
}
