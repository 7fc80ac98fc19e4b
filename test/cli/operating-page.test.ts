import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './run.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
const lines = [
  ...new Set(
    Array.from(page.matchAll(/(?:^|`)chartgraph ([a-z][^`#\n>]*)/gmu), ([, line = '']) => line.trim()),
  ),
];

test("the page of an operator's tasks has the commands that it is for", () => {
  expect(lines.length).toBeGreaterThan(15);
});

test.each(lines)('chartgraph %s, of the page, has only options that the command knows', async (line) => {
  const words = line.split(/\s+/u);
  const { code, stdout } = await run([...words.filter((word) => !word.startsWith('-')), '--help']);
  expect(code).toBe(0);
  for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout).toContain(` ${option} `);
});
