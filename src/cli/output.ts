import { isOfCommit } from '../disk/no-room.js';

/** Prints one line on stderr; the only way in which the command line speaks of an error. */
export function complain(message: string): void {
  process.stderr.write(`chartgraph: ${message}\n`);
}

/**
 * Writes text, or bytes, to stdout and resolves when it is handed over, so that large results wait for a slow reader.
 * What a failure means is decided in one place, where the stream's `error` event is heard.
 */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

/** Prints one line on stdout. */
export function print(line: string): Promise<void> {
  return write(`${line}\n`);
}

/** Prints a value as indented JSON on stdout. */
export function printJson(value: unknown): Promise<void> {
  return print(JSON.stringify(value, null, 2));
}

/**
 * Prints rows as aligned columns under their headings. Control characters in cells are shown as `\uXXXX`:
 * what stands in the data must not steer the terminal.
 */
export async function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const lines = [headings, ...rows].map((row) => row.map(visible));
  // Not Math.max of all at once: there can be more lines than a call may have arguments.
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

/** Text whose control characters, and those that turn its direction or end its line, are shown as `\uXXXX`. */
export function visible(cell: string): string {
  return cell.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `1 record`, `2 records`: a count with its noun. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/**
 * `chartgraph query | head` closes the pipe early: that is the reader's right and no error. The command ends there, as
 * soon as what `beforeEnd` does is done.
 */
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

/** LMDB prints the error of a commit, with its stack, before it throws it: that is told in one line, as all errors are. */
export function sayCommitErrorsOnce(): void {
  const { error: printError } = console;
  Object.assign(console, {
    error: (...printed: unknown[]) => {
      if (!isOfCommit(printed[0])) printError(...printed);
    },
  });
}

/** A service outlives whoever read its first line: from here on a closed pipe is ignored. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => undefined);
  }
}
