import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRdf } from '../../src/rdf/parse.js';
import { unwritable, writeRdfXml } from '../../src/rdf/write-rdfxml.js';
import { writeRdf } from '../../src/rdf/write.js';
import { sharedData } from '../shared-data.js';
import { readIndependently } from './independent.js';

const folder = sharedData('sample-patients');
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.xml'));

describe.skipIf(folder === undefined)(
  'real patient files (skipped where ../shared/data is not there)',
  () => {
    for (const file of files) {
      it(`${file} survives writing and reading by an independent parser`, async () => {
        const quads = await parseRdf(readFileSync(join(folder ?? '', file)), { format: 'rdfxml' });
        expect(quads.every((quad) => unwritable(quad) === undefined)).toBe(true);
        const back = await readIndependently(writeRdfXml(quads));
        // Canonical text on both sides: comparing graphs of this size pair by pair would take minutes.
        expect(await writeRdf(back, 'ntriples')).toBe(await writeRdf(quads, 'ntriples'));
      });
    }
  },
);
