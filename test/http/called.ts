import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { expect } from 'vitest';
import { loadOntology } from '../../src/ontology/directory.js';
import { PathTemplate } from '../../src/ontology/path-template.js';

const root = resolve(import.meta.dirname, '..', '..');
const folder = join(root, 'coverage', 'calls');

/** Requests of a test container that were answered, to be written down as calls of its ontology. */
export interface CalledCalls {
  /** Remembers a request; what was refused has called no query. */
  saw(method: string, path: string, status: number): void;
  /** Writes the calls of the test file so far to `coverage/calls`, for `chartgraph ontology coverage`. */
  write(): Promise<void>;
}

/** The calls of all containers of this test file. */
const calls = new Set<string>();

/** @param ontology the folder that the container is started with */
export function rememberCalls(ontology: string): CalledCalls {
  const answered = new Set<string>();
  return {
    saw: (method, path, status) => {
      if (status >= 200 && status < 300) answered.add(`${method} ${path.replace(/[?#].*$/su, '')}`);
    },
    write: async () => {
      const { testPath } = expect.getState();
      if (testPath === undefined || answered.size === 0) return;
      const templates = (await loadOntology(ontology)).ontology.calls
        .map((call) => ({ call, template: PathTemplate.of(call.path) }))
        .sort((a, b) => PathTemplate.bySpecificity(a.template, b.template));
      for (const request of answered) {
        const [method = '', path = ''] = request.split(' ');
        const found = templates.find(({ call, template }) => call.method === method && template.match(path));
        if (found) calls.add(found.call.name);
      }
      const test = relative(root, testPath).split(sep).join('/');
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, `${test.replaceAll('/', '.')}.json`),
        `${JSON.stringify({ test, calls: [...calls].sort() }, null, 2)}\n`,
      );
    },
  };
}
