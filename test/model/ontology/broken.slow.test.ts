import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOntologyFolder, checkQueryFolder } from '../../../src/cli/validate/check-model.js';
import { checkPath } from '../../../src/cli/validate/check-paths.js';
import type { Diagnostic } from '../../../src/cli/validate/diagnostic.js';
import { rules } from '../../../src/cli/validate/all-rules.js';
import { mutilated, readMutilations } from './patches.js';

const valid = join(import.meta.dirname, 'broken', 'valid');
const mutilations = await readMutilations(join(import.meta.dirname, 'broken'));

/** What `chartgraph validate` finds in a folder with an ontology, queries and a seed. */
async function findingsIn(
  folder: string,
  { queries = 'queries', named = [] }: { queries?: string; named?: string[] } = {},
): Promise<Diagnostic[]> {
  const { loaded, diagnostics } = await checkOntologyFolder(join(folder, 'ontology'));
  if (!loaded) return diagnostics;
  const context = { loaded, base: 'http://localhost' };
  const seed = await Promise.all(['seed', ...named].map((path) => checkPath(join(folder, path), context)));
  return [...diagnostics, ...(await checkQueryFolder(join(folder, queries), loaded)), ...seed.flat()];
}

/** What some rules need besides the change of files: another folder, a file that is named on the command line. */
const asked: Record<string, Parameters<typeof findingsIn>[1]> = {
  'query-folder': { queries: 'nowhere' },
  'unknown-file': { named: ['seed/notes.txt'] },
  'mapping-query': { named: ['mapping/import/fhir-r4'] },
  'mapping-term': { named: ['mapping/import/fhir-r4'] },
  'mapping-variable': { named: ['mapping/import/fhir-r4'] },
  'mapping-table': { named: ['mapping/import/fhir-r4'] },
  'mapping-modifier': { named: ['mapping/import/fhir-r4'] },
  'mapping-negation': { named: ['mapping/import/fhir-r4'] },
  'mapping-choice': { named: ['mapping/import/fhir-r4'] },
};

describe('a small ontology with queries and a seed', () => {
  test('has nothing wrong with it', async () => {
    expect(await findingsIn(valid)).toEqual([]);
  });

  test.each(mutilations.map((mutilation) => [mutilation.name, mutilation.id, mutilation] as const))(
    'broken by %s is found to break %s there, and nothing else',
    async (_, id, mutilation) => {
      await mutilated(valid, mutilation, async (folder) => {
        const found = await findingsIn(folder, asked[id]);
        expect([
          ...new Set(found.map(({ rule, message }) => (rule === id ? rule : `${rule}: ${message}`))),
        ]).toEqual([id]);
        const places = found.map(
          ({ file, line }) => relative(folder, file) + (line === null ? '' : `:${line}`),
        );
        expect([...new Set(places)].join(' ')).toBe(mutilation.foundAt);
        const severity = rules.find((rule) => rule.id === id)?.severity;
        expect(found.every((diagnostic) => diagnostic.severity === severity)).toBe(true);
      });
    },
  );
});
