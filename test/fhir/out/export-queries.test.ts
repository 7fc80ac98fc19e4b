import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXPORT_FOLDER, readExports } from '../../../src/fhir/out/export-queries.js';
import { ontology } from '../support.js';

const folder = join('queries', EXPORT_FOLDER);

it('export queries pass the rules for the queries of their calls', async () => {
  const { queries, problems } = await readExports(folder, ontology);
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(queries.has('get_problems')).toBe(true);
});

it('an export query of another name, or that reads a graph of another record, is refused', async () => {
  const other = await mkdtemp(join(tmpdir(), 'chartgraph-export-'));
  const text = await readFile(join(folder, 'get_fulfillments.rq'), 'utf8');
  await writeFile(
    join(other, 'get_fulfillments.rq'),
    text.replace('?medication sp:belongsTo $record', '?medication sp:belongsTo ?whose'),
  );
  await copyFile(join(folder, 'get_problems.rq'), join(other, 'conditions.rq'));
  const { queries, problems } = await readExports(other, ontology);
  expect([...new Set(problems.map(({ rule }) => rule))].sort()).toEqual(['export-query', 'query-unguarded']);
  expect(queries.size).toBe(1);
});
