import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The text of a file. Node.js names a file that it cannot open, but not a directory that it cannot read: this does. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw named(error, file);
  });
}

/** The same at once. */
export function readTextNow(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw named(error, file);
  }
}

function named(error: unknown, path: string): Error {
  return Object.assign(error as Error, { path });
}
