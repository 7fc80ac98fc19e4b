import { isOfCommit } from '../store/disk/disk-space.js';

/** Prints one line on stderr. All errors are reported here. */
export function complain(message: string): void {
  process.stderr.write(`chartgraph: ${message}\n`);
}

/** Resolves when the text is handed over, so that large results wait for a slow reader. The stream reports errors. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

export function print(line: string): Promise<void> {
  return write(`${line}\n`);
}

export function printJson(value: unknown): Promise<void> {
  return print(JSON.stringify(value, null, 2));
}

/** Prints an aligned table. Control characters become `\uXXXX`: data must not control the terminal. */
export async function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const lines = [headings, ...rows].map((row) => row.map(visible));
  // Not Math.max(...lines): a call has a limit on arguments.
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, (line[column] ?? '').length), 0),
  );
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  await print(text.join('\n'));
}

/** Prints rows as JSON if requested, else as a table. */
export function printRows<T>(
  rows: readonly T[],
  json: boolean | undefined,
  headings: readonly string[],
  cellsOf: (row: T) => readonly string[],
): Promise<void> {
  return json ? printJson(rows) : printTable(headings, rows.map(cellsOf));
}

/** Shows control, bidi and line-ending characters as `\uXXXX`. */
export function visible(cell: string): string {
  return cell.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a count with its noun: `1 record`, `2 records`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `chartgraph query | head` closes the pipe early, which is not an error: ends the command after `beforeEnd`. */
export function endQuietlyOnBrokenPipe(beforeEnd: () => Promise<void>): void {
  let ending = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!ending) void beforeEnd().finally(() => process.exit());
      ending = true;
    });
  }
}

/** LMDB prints the error of a commit, with its stack, before throwing it: hides this output. */
export function sayCommitErrorsOnce(): void {
  const { error: printError } = console;
  Object.assign(console, {
    error: (...printed: unknown[]) => {
      if (!isOfCommit(printed[0])) printError(...printed);
    },
  });
}

/** Ignores a closed pipe: a service outlives the reader of its first line. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => undefined);
  }
}

const codes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;
export type Colour = keyof typeof codes;

export type Paint = (colour: Colour, text: string) => string;

/** Makes a colour function (ECMA-48 §8.3.117): only for a terminal that is not dumb, and never with NO_COLOR. */
export function paintOn(stream: { isTTY?: boolean }, env = process.env): Paint {
  const isPlain = stream.isTTY !== true || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return isPlain ? (_, text) => text : (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m`;
}

/** Starts a progress bar on stderr, or a counter if the total is unknown; nothing in a pipe. */
export async function startProgress(
  label: string,
  total?: number,
): Promise<{ at(done: number): void; stop(): void }> {
  if (!process.stderr.isTTY) return { at: () => undefined, stop: () => undefined };
  const { default: library } = await import('cli-progress');
  const bar = new library.SingleBar({
    format: total === undefined ? `${label} {value}` : `${label} {bar} {value}/{total}`,
    stream: process.stderr,
    clearOnComplete: true,
    // Keeps cursor and wrapping on, since a signal may end the process at any time. With wrapping on, the library
    // cuts the line to the terminal's width.
    hideCursor: false,
    linewrap: true,
  });
  bar.start(total ?? 0, 0);
  return { at: (done) => bar.update(done), stop: () => bar.stop() };
}

export async function withProgress<T>(
  label: string,
  total: number | undefined,
  work: (at: (done: number) => void) => Promise<T>,
): Promise<T> {
  const progress = await startProgress(label, total);
  return work(progress.at).finally(() => progress.stop());
}

/** Yields items one after the other, with a progress bar. */
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
