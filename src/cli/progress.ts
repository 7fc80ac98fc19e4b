import type { SingleBar } from 'cli-progress';

/** How far long work has come. */
export interface Progress {
  /** Moves on to `done` of the total. */
  at(done: number): void;
  stop(): void;
}

const silent: Progress = { at: () => undefined, stop: () => undefined };

/** A progress bar on stderr where that is a terminal, a mere count where no total is known; nothing in a pipe. */
export async function startProgress(label: string, total?: number): Promise<Progress> {
  if (!process.stderr.isTTY) return silent;
  const { default: library } = await import('cli-progress');
  const bar: SingleBar = new library.SingleBar({
    format: total === undefined ? `${label} {value}` : `${label} {bar} {value}/{total}`,
    stream: process.stderr,
    clearOnComplete: true,
    // A signal may end the process at any moment: the terminal is left as it was only where nothing was switched off.
    // With wrapping on, the library cuts the line to the width of the terminal.
    hideCursor: false,
    linewrap: true,
  });
  bar.start(total ?? 0, 0);
  return {
    at: (done) => bar.update(done),
    stop: () => bar.stop(),
  };
}

/** Things one after the other, with a progress bar meanwhile. */
export async function* inProgress<T>(label: string, all: readonly T[]): AsyncGenerator<T> {
  const progress = await startProgress(label, all.length);
  try {
    for (const [done, each] of all.entries()) {
      progress.at(done);
      yield each;
    }
  } finally {
    progress.stop();
  }
}
