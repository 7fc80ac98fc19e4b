const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const SETTLE_MS = 50;

/** Runs `work`. If a signal ends the process meanwhile, runs `remove` (synchronous) first. */
export async function removeOnSignal<T>(remove: () => void, work: () => Promise<T>): Promise<T> {
  const forget = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    forget();
    try {
      try {
        remove();
      } catch {
        // Tried again below.
      }
      // The event loop is blocked, so nothing new starts.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLE_MS);
      remove();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of signals) process.on(signal, end);
  try {
    return await work();
  } finally {
    forget();
  }
}
