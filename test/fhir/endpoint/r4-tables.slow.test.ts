import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tablesOf } from './r4-tables.js';

const folder = join(process.env['CHARTGRAPH_TEST_HAPI'] ?? '', 'r4');
const file = resolve(import.meta.dirname, '..', '..', '..', 'src', 'fhir', 'endpoint', 'r4.json');

test.skipIf(process.env['CHARTGRAPH_TEST_HAPI'] === undefined)(
  'the tables of R4 are what HL7’s definitions say',
  async () => {
    await expect(`${JSON.stringify(await tablesOf(folder), null, 2)}\n`).toMatchFileSnapshot(file);
  },
);
