import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** Absolute path of something shipped with the package, such as `ontology`; the same from src/cli and dist/cli. */
export function shipped(...path: string[]): string {
  return resolve(root, ...path);
}

/** The version in package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(shipped('package.json'), 'utf8')) as { version: string };
  return version;
}
