import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { publishAnalysts, withdrawAnalysts } from './analysts/local-analysts.js';
import type { AnalystNews, AnalystOrder } from './analyst-process.js';

/** Characters of a folder with room for a socket in it. */
const LONGEST = 75;
/** A process that dies sooner than this many milliseconds after it listened is not replaced at once. */
const PATIENCE = 1000;

/** Where the analyst process listens. */
export interface AnalystSocket {
  readonly path: string;
  /** Says in the data directory where it is, for the commands of whoever may read that. */
  publish(base: string): Promise<void>;
  /** Takes the place away again. */
  remove(): Promise<void>;
}

/**
 * A place that only this account reaches: a socket in a folder of its own, or a pipe with a name that nobody knows.
 * @param data the data directory
 */
export async function analystSocket(data: string): Promise<AnalystSocket> {
  // mkdtemp makes it for this account alone. The path of a socket has 103 bytes at most, so it is not in the directory.
  const folder = await newFolder([tmpdir(), data]);
  const isPipe = process.platform === 'win32';
  const path = isPipe ? join('\\\\.\\pipe', folder.replaceAll(/[:\\/]/g, '-')) : join(folder, 'analysts');
  return {
    path,
    publish: (base) => publishAnalysts(data, { socket: path, base }),
    remove: async () => {
      await withdrawAnalysts(data);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A folder in the first place that can be written to and is short enough. @throws Error when none is */
async function newFolder(places: readonly string[]): Promise<string> {
  for (const place of places) {
    if (place.length > LONGEST) continue;
    const folder = await mkdtemp(join(place, 'chartgraph-')).catch(() => undefined);
    if (folder !== undefined) return folder;
  }
  throw new Error(
    'There is no place for the socket of analysts: set TMPDIR to a folder, or say --analysts off.',
  );
}

/**
 * Starts the process that runs the queries of analysts, and another one whenever it dies. It resolves at once: whoever
 * asks before it listens is told to wait.
 * @returns what ends it
 */
export function startAnalysts(order: AnalystOrder, log: Logger): () => Promise<void> {
  let child: ChildProcess | undefined;
  let stopping = false;
  let ended: Promise<void> = Promise.resolve();
  const start = async (): Promise<void> => {
    // What a socket leaves behind when its process is killed.
    if (process.platform !== 'win32') await rm(order.socket, { force: true });
    if (stopping) return;
    const started = fork(join(import.meta.dirname, 'analyst-process.js'));
    let since = Date.now();
    child = started;
    started.on('message', (news: AnalystNews) => {
      if ('failed' in news)
        log.error({ error: news.failed }, 'the data of analysts could not be brought to memory');
      else if (news.state === 'waiting') started.send(order);
      else if (news.state === 'listening') since = Date.now();
      else log.info('analysts can ask');
    });
    // What it cannot be sent any more is of no use to anybody.
    started.on('error', () => undefined);
    ended = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        resolve();
        if (stopping) return;
        log.error({ code, signal }, 'the process of analysts died and is replaced');
        setTimeout(() => void start(), Date.now() < since + PATIENCE ? PATIENCE : 0).unref();
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
