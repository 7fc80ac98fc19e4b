import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Problem, problemKinds, type ProblemKind } from '../../src/model/problem.js';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'errors.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\|/gm)].map(([, kind, status]) => [kind, Number(status)]),
);
const kinds = Object.keys(problemKinds) as ProblemKind[];

it.each(kinds)('docs/errors.md documents %s with its status', (kind) => {
  expect(rows.get(kind)).toBe(problemKinds[kind].status);
  expect(new Problem(kind, 'x').type).toMatch(new RegExp(`#${kind}$`));
});

it('docs/errors.md documents no problem that there is not', () => {
  expect([...rows.keys()].sort()).toEqual([...kinds].sort());
});
