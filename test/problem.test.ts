import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Problem, problemKinds, type ProblemKind } from '../src/problem.js';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const rows = new Map(
  [...readme.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\|/gm)].map(([, kind, status]) => [kind, Number(status)]),
);
const kinds = Object.keys(problemKinds) as ProblemKind[];

it.each(kinds)('the README documents %s with its status', (kind) => {
  expect(rows.get(kind)).toBe(problemKinds[kind].status);
  expect(new Problem(kind, 'x').type).toMatch(new RegExp(`#${kind}$`));
});

it('the README documents no problem that there is not', () => {
  expect([...rows.keys()].sort()).toEqual([...kinds].sort());
});
