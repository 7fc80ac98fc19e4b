/** What ends a command from outside; SIGHUP comes when its terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
