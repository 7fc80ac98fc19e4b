import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { expect, inject } from 'vitest';
import { loadOntology, type Folders } from '../../src/model/ontology/directory.js';
import type { CallModel } from '../../src/model/ontology/model.js';
import { PathTemplate } from '../../src/model/ontology/path-template.js';

const root = resolve(import.meta.dirname, '..', '..');

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that this run writes its reports into, from the root of the project. */
    readonly reports: string;
  }
}

/** Requests of a test container that were answered, to be written down as calls of its ontology. */
export interface CalledCalls {
  /** Records a request; what was refused has called no query. */
  saw(method: string, path: string, status: number): void;
  /** Writes the calls of the test file so far to the folder `calls` of the reports, for `chartgraph ontology coverage`. */
  write(): Promise<void>;
}

/** The calls of all containers, by the path of the test file. */
const callsOf = new Map<string, Set<string>>();

/** The call of a method and path, by the more specific of the paths that match. */
type Match = (method: string, path: string) => CallModel | undefined;

const shipped = join(root, 'ontology');
let shippedCalls: Promise<Match> | undefined;

/** The shipped ontology is read once for all test files of this process. */
const callsIn = (ontology: Folders): Promise<Match> =>
  ontology === shipped ? (shippedCalls ??= readCalls(shipped)) : readCalls(ontology);

async function readCalls(ontology: Folders): Promise<Match> {
  const templates = (await loadOntology(ontology)).ontology.calls
    .map((call) => ({ call, template: PathTemplate.of(call.path) }))
    .sort((a, b) => PathTemplate.bySpecificity(a.template, b.template));
  return (method, path) =>
    templates.find(({ call, template }) => call.method === method && template.match(path))?.call;
}

/** @param ontology the folder that the container is started with */
export function recordCalls(ontology: Folders): CalledCalls {
  const answered = new Set<string>();
  return {
    saw: (method, path, status) => {
      if (status >= 200 && status < 300) answered.add(`${method} ${path.replace(/[?#].*$/su, '')}`);
    },
    write: async () => {
      const { testPath } = expect.getState();
      if (testPath === undefined || answered.size === 0) return;
      const match = await callsIn(ontology);
      const calls = callsOf.get(testPath) ?? new Set();
      callsOf.set(testPath, calls);
      for (const request of answered) {
        const [method = '', path = ''] = request.split(' ');
        const call = match(method, path);
        if (call) calls.add(call.name);
      }
      const test = relative(root, testPath).split(sep).join('/');
      const folder = join(root, inject('reports'), 'calls');
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, `${test.replaceAll('/', '.')}.json`),
        `${JSON.stringify({ test, calls: [...calls].sort() }, null, 2)}\n`,
      );
    },
  };
}
