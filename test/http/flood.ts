import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const child = join(import.meta.dirname, 'flood-child.mjs');

/** What became of the connections of a flood. */
export interface Told {
  readonly connected: number;
  /** Closed without an answer. */
  readonly refused: number;
  readonly answered: number;
  /** Answered and open, now and at most. */
  readonly open: number;
  readonly most: number;
}

export interface Flood {
  told(): Promise<Told>;
  /** Waits until what is told fits. */
  until(fits: (told: Told) => boolean): Promise<Told>;
  stop(): void;
}

/**
 * Opens connections from addresses of this machine in a process of its own.
 * @param first what each sends at once: `\n` for the end of a line, `*N` at the end for N bytes more
 */
export async function flood(
  url: string,
  { count, from, first = '' }: { count: number; from: readonly string[]; first?: string },
): Promise<Flood> {
  const args = [child, new URL(url).port, String(count), from.join(','), first];
  // A descriptor for each connection, and some for Node.js; a shell raises the limit as far as it may.
  const process_ = spawn(
    'sh',
    ['-c', 'ulimit -n "$(ulimit -H -n)"; exec "$0" "$@"', process.execPath, ...args],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  await once(process_, 'message');
  const told = async (): Promise<Told> => {
    const answer = once(process_, 'message') as Promise<[Told]>;
    process_.send('tell');
    return (await answer)[0];
  };
  return {
    told,
    async until(fits) {
      for (;;) {
        const now = await told();
        if (fits(now)) return now;
        await pause(50);
      }
    },
    stop: () => end(process_),
  };
}

function end(process_: ChildProcess): void {
  process_.kill('SIGKILL');
}
