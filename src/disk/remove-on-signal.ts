/** What ends a command from outside; SIGHUP comes when its terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds in which threads of the process end what the work had begun: it may put back what is being removed. */
const SETTLED = 50;

/**
 * Has what some work has begun removed when a signal ends the process meanwhile. The process then ends by that signal, as
 * it does without this. While the work gives way to nothing else, a signal waits.
 * @param remove synchronous, and harmless where nothing was begun yet
 */
export async function removeOnSignal<T>(remove: () => void, work: () => Promise<T>): Promise<T> {
  const forget = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    forget();
    try {
      attempt(remove);
      // The event loop stands still, so nothing new is begun.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED);
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

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // It is tried once more.
  }
}
