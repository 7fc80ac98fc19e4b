import { pino, type Logger } from 'pino';

const LOG_BYTES = 15_000;

/**
 * Creates the log of a process: JSON lines on standard error, gathered and written between turns of the event loop,
 * since a write per line would dominate the cost of a request. Only SIGKILL loses gathered lines.
 */
export function containerLog(level = 'info'): Logger {
  const stderr = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_BYTES,
    periodicFlush: 200,
    // The length of a growing text is computed for each line; bytes avoid that.
    contentMode: 'buffer',
  });
  // The types know the other mode alone.
  const bytes = stderr as unknown as { write(line: Buffer): void };
  const destination = {
    // Looked up each time: pino replaces it when nobody reads any more.
    write: (line: string): void => bytes.write(Buffer.from(line)),
    flushSync: (): void => stderr.flushSync(),
  };
  return pino({ name: 'chartgraph', level }, destination);
}
