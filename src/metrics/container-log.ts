import { pino, type Logger } from 'pino';

/** How many bytes of the log are gathered before they are written, if that takes less than a fifth of a second. */
const LOG_BYTES = 15_000;

/**
 * The log of a process, on standard error, as JSON lines. They are gathered and written between turns of the event loop:
 * a write for each would cost a request more than all the rest. What is gathered is written before the process ends, by
 * a signal or by an error; only SIGKILL loses it.
 */
export function containerLog(level = 'info'): Logger {
  const stderr = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_BYTES,
    periodicFlush: 200,
    // It measures a text that grows line by line anew with each line, and bytes never.
    contentMode: 'buffer',
  });
  // The types know the other mode alone.
  const bytes = stderr as unknown as { write(line: Buffer): void };
  const destination = {
    // Looked up each time: when nobody reads any more, another one takes its place.
    write: (line: string): void => bytes.write(Buffer.from(line)),
    flushSync: (): void => stderr.flushSync(),
  };
  return pino({ name: 'chartgraph', level }, destination);
}
