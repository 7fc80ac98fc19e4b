import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXPORT_FOLDER, readExports } from '../../../src/fhir/out/export-queries.js';
import { ontology } from '../support.js';

it('export queries pass the rules for the queries of their calls', async () => {
  const { queries, problems } = await readExports(join('queries', EXPORT_FOLDER), ontology);
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(queries.size).toBeGreaterThan(0);
});
