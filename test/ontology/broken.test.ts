import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkOntologyFolder, checkQueryFolder } from '../../src/cli/validate/check-model.js';
import { checkPath } from '../../src/cli/validate/check-paths.js';
import type { Diagnostic } from '../../src/cli/validate/diagnostic.js';
import { catalogue, rules } from '../../src/cli/validate/all-rules.js';
import { mutilated, readMutilations } from './patches.js';

const root = resolve(import.meta.dirname, '..', '..');
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
};

describe('every rule of the catalogue', () => {
  test('has an id of its own, a mutilation that breaks it, and no mutilation breaks another', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect([...new Set(mutilations.map(({ id }) => id))].sort()).toEqual(rules.map(({ id }) => id));
  });

  test('has a page, and every page has a rule', async () => {
    const pages = await readdir(join(root, 'docs', 'rules'));
    expect(pages.filter((name) => name !== 'README.md').sort()).toEqual(
      rules.map(({ id }) => `${id}.md`).sort(),
    );
  });

  test('stands in the list of rules as it is', async () => {
    const file = join(root, 'docs', 'rules', 'README.md');
    const introduction = (await readFile(file, 'utf8')).split('## ')[0] ?? '';
    const list = catalogue.map(({ title, rules }) => {
      const lines = rules.map(({ id, severity, summary }) => `- [${id}](${id}.md) (${severity}): ${summary}`);
      return `## ${title}\n\n${lines.join('\n')}\n`;
    });
    // Made from the catalogue: `npx vitest run test/ontology/broken.test.ts -u` writes it anew.
    await expect(introduction + list.join('\n')).toMatchFileSnapshot(file);
  });

  test.each(rules.map((rule) => [rule.id, rule] as const))(
    '%s is explained on its page as it is',
    async (id, rule) => {
      const page = await readFile(join(root, 'docs', 'rules', `${id}.md`), 'utf8');
      expect(
        page.startsWith(
          `# ${id}\n\n**${rule.severity === 'error' ? 'Error' : 'Warning'}.** ${rule.summary}\n`,
        ),
      ).toBe(true);
      expect(page).toContain('\n## Breaks it\n');
      expect(page).toContain('\n## Fix it\n');
      const files = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      expect(files.filter((link) => !rules.some((other) => link === `${other.id}.md`))).toEqual([]);
    },
  );
});

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
