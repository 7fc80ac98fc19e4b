import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { changeKinds } from '../../../src/authoring/diff/kinds.js';

const page = readFileSync(
  resolve(import.meta.dirname, '..', '..', '..', 'docs', 'ontology-versions.md'),
  'utf8',
);

test('the documentation holds every kind of change with its weight and its reason, and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (.*?) +\| (\w+) +\| (.*?) +\|$/gmu)];
  const documented = rows.map(([, kind, says, weight, reason]) => [kind, says, weight, reason]);
  const coded = Object.entries(changeKinds).map(([kind, { says, weight, reason }]) => [
    kind,
    says,
    weight,
    reason,
  ]);
  expect(documented.sort()).toEqual(coded.sort());
});

test('every reason is one sentence', () => {
  for (const { reason } of Object.values(changeKinds)) expect(reason).toMatch(/^[A-Z][^.]*\.$/u);
});
