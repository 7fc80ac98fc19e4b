import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** Returns the absolute path of a file in the package; the same from src/cli and dist/cli. */
export function shipped(...path: string[]): string {
  return resolve(root, ...path);
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(shipped('package.json'), 'utf8')) as { version: string };
  return version;
}
