import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hexDigest } from './rdf/hex-digest.js';

/** The program of the workbench, as `npm run build` bundles it: the same from src and dist. */
const FILE = resolve(import.meta.dirname, '..', 'dist', 'browser', 'workbench.js');

/** The program that runs in the browsers of analysts. */
export interface BrowserProgram {
  /** Below the base URL; another one when the program changes. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** Reads the program. @throws Error in a sentence where it is not built */
export async function readBrowserProgram(): Promise<BrowserProgram> {
  const bytes = await readFile(FILE).catch((cause: unknown) => {
    throw new Error(`${FILE} is missing; run npm run build.`, { cause });
  });
  const digest = hexDigest(bytes).slice(0, 16);
  return { path: `/workbench/program-${digest}.js`, bytes };
}
