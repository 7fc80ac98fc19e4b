import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { listen, PortTakenError } from '../http/server.js';
import type { Gather } from './metrics/metrics-listener.js';
import { gatherFromWorkers } from './metrics/worker-metrics.js';
import type { AllSettings } from '../http/serve-settings.js';

/** A running server, in one process or several. */
export interface Serving {
  readonly url: string;
  readonly gather: Gather;
  /** Stops accepting requests, lets running ones end (4 s at most), and closes the data directory. */
  close(): Promise<void>;
}

/** The order sent to a worker process once it is ready for it. */
export type WorkerOrder = Omit<AllSettings, 'log' | 'madeDirectory'>;
/** A worker's messages: it is ready for its order, it serves, or why it cannot. */
export type WorkerNews =
  | { readonly waiting: true }
  | { readonly ready: string }
  | { readonly failed: string; readonly isPortTaken: boolean };

const STOP_WITHIN_MS = 4750;
/** A worker that dies within this many milliseconds of serving is replaced with a delay. */
const RESTART_DELAY_MS = 1000;
const MAX_PORT_TRIES = 3;

/**
 * Serves with several processes that share the port and a primary store; each has its own working set. A worker that
 * dies is replaced: the new one listens once shared data is in memory, and the others answer until then.
 * @throws Error when a worker cannot start
 */
export async function startWorkers(count: number, settings: AllSettings, log: Logger): Promise<Serving> {
  if (settings.port !== 0) return startOn(settings.port, count, settings, log);
  for (let tries = MAX_PORT_TRIES; ; tries--) {
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
  { log: unsendable, madeDirectory: done, ...settings }: AllSettings,
  log: Logger,
): Promise<Serving> {
  // Passed as an argument, since a worker that starts late may already have another parent.
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
      replace(since + RESTART_DELAY_MS > Date.now() ? RESTART_DELAY_MS : 0);
    });
    return url;
  };
  const replace = (delay: number): void => {
    setTimeout(() => {
      if (stopping) return;
      // If no other worker is left, the new one must say itself that it is starting.
      const others = Object.values(cluster.workers ?? {}).length > 0;
      start(others).catch((error: unknown) => {
        if (stopping) return;
        log.fatal({ err: error }, 'a new worker could not start; another one is tried');
        replace(RESTART_DELAY_MS);
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

/** Finds a port for all workers and their successors. Somebody else may take it before they listen. */
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
    // A connection that is handed to a killed worker fails; its exit says the rest.
    worker.on('error', () => undefined);
    worker.once('exit', (code) => {
      reject(new Error(`A worker ended with ${code} before it served.`));
    });
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    // It ends itself earlier unless it hangs.
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN_MS);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    worker.process.kill('SIGTERM');
  });
}
