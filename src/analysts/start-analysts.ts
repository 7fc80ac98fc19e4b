import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { withdrawAnalysts } from './local-analysts.js';
import type { AnalystNews, AnalystOrder } from './analyst-process.js';

/** Characters of a folder name that leave room for a socket's name. */
const MAX_FOLDER_LENGTH = 75;
/** A process that dies within this many milliseconds of listening is not restarted at once. */
const RESTART_DELAY_MS = 1000;

export interface AnalystSocket {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a socket or pipe that only this account can reach. @param data the data directory */
export async function analystSocket(data: string): Promise<AnalystSocket> {
  // mkdtemp restricts the folder to this account. The path of a socket may have 103 bytes, too few for some data
  // directories.
  const folder = await newFolder([tmpdir(), data]);
  const isPipe = process.platform === 'win32';
  const path = isPipe ? join('\\\\.\\pipe', folder.replaceAll(/[:\\/]/g, '-')) : join(folder, 'analysts');
  return {
    path,
    remove: async () => {
      await withdrawAnalysts(data);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a folder in the first place that is writable and has a short name. @throws Error when none is */
async function newFolder(places: readonly string[]): Promise<string> {
  for (const place of places) {
    if (place.length > MAX_FOLDER_LENGTH) continue;
    const folder = await mkdtemp(join(place, 'chartgraph-')).catch(() => undefined);
    if (folder !== undefined) return folder;
  }
  throw new Error(
    'There is no place for the socket of analysts: set TMPDIR to a folder, or say --analysts off.',
  );
}

/** Starts the process for queries, and again whenever it dies. Returns at once. @returns a function that ends it */
export function startAnalysts(order: AnalystOrder, log: Logger): () => Promise<void> {
  let child: ChildProcess | undefined;
  let stopping = false;
  let ended: Promise<void> = Promise.resolve();
  const start = async (): Promise<void> => {
    // A killed process leaves its socket behind.
    if (process.platform !== 'win32') await rm(order.socket, { force: true });
    if (stopping) return;
    const started = fork(join(import.meta.dirname, 'analyst-process.js'));
    let since = Date.now();
    child = started;
    started.on('message', (news: AnalystNews) => {
      if ('failed' in news) log.error(news.failed, 'the data of analysts could not be brought to memory');
      else if (news.state === 'waiting') started.send(order);
      else if (news.state === 'listening') since = Date.now();
      else log.info('analysts can ask');
    });
    // Messages to a dead process are lost, which does no harm.
    started.on('error', () => undefined);
    ended = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        resolve();
        if (stopping) return;
        log.error({ code, signal }, 'the process of analysts died and is replaced');
        setTimeout(() => void start(), Date.now() < since + RESTART_DELAY_MS ? RESTART_DELAY_MS : 0).unref();
      });
    });
  };
  void start();
  return async () => {
    stopping = true;
    child?.kill('SIGKILL');
    await ended;
  };
}
