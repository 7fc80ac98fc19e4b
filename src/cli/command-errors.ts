import { isNoRoom } from '../store/disk/disk-space.js';

/** The command line, a setting or the configuration file is invalid: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed, or found problems in what it checked: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Ctrl-C was read as a key: ends quietly with the exit code of the signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Explains common errors of the operating system. */
const systemErrors: Record<string, (subject: string) => string> = {
  ENOENT: (subject) => `No such file or directory: ${subject}`,
  EACCES: (subject) => `Permission denied: ${subject}`,
  EISDIR: (subject) => `A directory, not a file: ${subject}`,
  ENOTDIR: (subject) => `Not a directory: ${subject}`,
  EEXIST: (subject) => `Already there: ${subject}`,
  EADDRINUSE: (subject) => `Something else listens on ${subject} already`,
  EADDRNOTAVAIL: (subject) => `This machine has no address ${subject}`,
};

/** Formats a thrown value on one line, without a stack. */
export function lineOf(error: unknown): string {
  const text = error instanceof Error ? describe(error) : String(error);
  return text.replace(/\s*[\r\n]+\s*/gu, ' ').trim();
}

function describe(error: Error & NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const subject = error.path ?? (error.port === undefined ? error.address : `port ${error.port}`);
  if (isNoRoom(error)) return fullDisk(error);
  const sentence = error.code === undefined ? undefined : systemErrors[error.code];
  if (sentence !== undefined && subject !== undefined) return sentence(subject);
  return error.message === '' ? error.name : error.message;
}

/** Node.js names a file when opening it fails, but not when writing does. */
function fullDisk({ path, message }: NodeJS.ErrnoException): string {
  const where =
    path === undefined ? 'the data directory, the temporary folder or the file written to is' : `${path} is`;
  return `No room is left on the disk where ${where}: make some, then try again (${message}).`;
}

/** Returns the exit code of a thrown value: 2 for bad usage, 130 for Ctrl-C, 1 for anything else. */
export function exitCodeOf(error: unknown): 1 | 2 | 130 {
  if (error instanceof Interrupted) return 130;
  return error instanceof UsageError ? 2 : 1;
}
