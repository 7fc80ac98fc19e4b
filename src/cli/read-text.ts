import { readFileSync } from 'node:fs';

/** The text of a file. Node.js names a file that it cannot open, but not a directory that it cannot read: this does. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}
