import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Path of a file of the shared test data beside the project, or undefined where it is not there. */
export function sharedData(...path: string[]): string | undefined {
  const found = resolve(import.meta.dirname, '..', '..', 'shared', 'data', ...path);
  return existsSync(found) ? found : undefined;
}
