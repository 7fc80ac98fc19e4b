import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ontology } from '../../model/ontology/model.js';
import { cacheControl } from '../../http/answer.js';
import type { Description } from '../../http/descriptions.js';
import { hexDigest } from '../../rdf/hex-digest.js';
import { queryVocabulary } from '../query-vocabulary.js';
import { WORKBENCH_PATH } from './sparql-routes.js';

/** The bundled script of the workbench, the same from src and dist. */
const FILE = resolve(
  import.meta.dirname,
  ...['..', '..', '..', 'dist', 'analysts', 'browser', 'workbench.js'],
);

interface BrowserProgram {
  /** Below the base URL; it changes with the script. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** Reads the script. @throws Error if it is not built */
export function readBrowserProgram(): BrowserProgram {
  try {
    const bytes = readFileSync(FILE);
    return { path: `${WORKBENCH_PATH}/program-${hexDigest(bytes).slice(0, 16)}.js`, bytes };
  } catch (cause) {
    throw new Error(`${FILE} is missing; run npm run build.`, { cause });
  }
}

/** Describes the files that the workbench page loads, the same for everybody. */
export function describeWorkbench(
  ontology: Ontology,
  { path, bytes }: BrowserProgram,
): readonly Description[] {
  return [
    {
      path,
      cacheControl: cacheControl.forever,
      representations: [
        { mediaType: 'text/javascript; charset=utf-8', make: () => Promise.resolve({ body: bytes }) },
      ],
    },
    {
      path: `${WORKBENCH_PATH}/vocabulary.json`,
      representations: [
        {
          mediaType: 'application/json',
          make: () => Promise.resolve({ body: JSON.stringify(queryVocabulary(ontology)) }),
        },
      ],
    },
  ];
}
