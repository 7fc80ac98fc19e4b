import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue, rules } from '../../../src/cli/validate/all-rules.js';
import { readMutilations } from './patches.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const mutilations = await readMutilations(join(import.meta.dirname, 'broken'));

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
    // Made from the catalogue: `npx vitest run test/model/ontology/broken.test.ts -u` writes it anew.
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
