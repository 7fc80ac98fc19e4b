import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.js';
import { root, textOf } from './deployed.js';

const model = textOf('docs', 'threat-model.md');
const spans = [...model.matchAll(/`([^`\n]+)`/gu)].map(([, span = '']) => span);
/** The rows of the tables that map a requirement to what does it and to the test that proves it. */
const rows = model
  .split('\n')
  .filter((line) => /^\| (V\d|\(\w\))/u.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the threat model', () => {
  test('names no file that is not there', () => {
    const paths = spans.filter((span) => /^(src|test|docs|deploy|bench|\.ci)\//u.test(span));
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names no command that is not there', () => {
    const named = spans.flatMap((span) => /^chartgraph ([a-z]+)/u.exec(span)?.[1] ?? []);
    const known = commands.map(([name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('each row says what does it and what proves it', () => {
    expect(rows.length).toBeGreaterThan(35);
    const unproved = rows.filter(
      ([, , , how = '', proof = '']) =>
        !how.startsWith('Not covered') && !(/`(src\/|Dockerfile)/u.test(how) && proof.includes('`test/')),
    );
    expect(unproved.map(([, id]) => id)).toEqual([]);
  });

  test('every chapter and every paragraph that applies has a row', () => {
    const chapters = [2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14].map((number) => `V${number}.`);
    const paragraphs = ['(a)(1)', '(a)(2)(i)', '(a)(2)(ii)', '(a)(2)(iii)', '(a)(2)(iv)']
      .concat(['(b)', '(c)(1)', '(d)', '(e)(1)'])
      .map((id) => `${id} `);
    const ids = rows.map(([, id = '']) => `${id} `);
    expect([...chapters, ...paragraphs].filter((wanted) => !ids.some((id) => id.startsWith(wanted)))).toEqual(
      [],
    );
  });
});
