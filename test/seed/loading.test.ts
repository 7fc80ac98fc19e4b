import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { loadPatient } from '../../src/records/loading/load-patient.js';
import { partInput } from '../../src/records/loading/input-graphs.js';
import { readRdfFile } from '../../src/records/loading/read-file.js';
import { readSeedRecords, seedDirectory } from './seed-records.js';

const base = 'http://localhost:7000';

test.each(readSeedRecords())(
  'the loader takes record $id whole and warns of nothing',
  async ({ id, graph, statements }) => {
    const { ontology } = await loadOntology(resolve(seedDirectory, '..', 'ontology'));
    const path = resolve(seedDirectory, 'records', `${id}.ttl`);
    const [input, ...others] = partInput(await readRdfFile(path, base, id), base).records;
    expect(others).toEqual([]);
    const patient = loadPatient({ inputGraphs: input?.inputGraphs ?? [], recordId: id, ontology, base });
    expect(patient.warnings).toEqual([]);
    expect(patient.notes).toEqual([]);
    expect(patient.statements).toBe(statements.length);
    expect(patient.quads).toBeGreaterThanOrEqual(graph.size);
    expect(new Set(patient.graphs.map(({ name }) => name)).size).toBe(statements.length + 1);
  },
);
