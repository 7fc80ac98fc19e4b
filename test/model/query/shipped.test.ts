import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import type { Ontology } from '../../../src/model/ontology/model.js';
import { readQueries } from '../../../src/model/query/load-queries.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
let ontology: Ontology;
let read: Awaited<ReturnType<typeof readQueries>>;

beforeAll(async () => {
  ({ ontology } = await loadOntology(resolve(root, 'ontology')));
  read = await readQueries(resolve(root, 'queries'), ontology);
});

describe('the shipped queries', () => {
  test('pass every check with all filters of their calls bound', () => {
    expect(read.problems.map(({ message }) => message)).toEqual([]);
  });

  test('answer every GET with RDF or JSON', () => {
    const needed = ontology.calls.filter(
      ({ method, answer }) => method === 'GET' && /^(rdf|json)$/.test(answer),
    );
    expect([...read.queries.keys()]).toEqual(expect.arrayContaining(needed.map(({ name }) => name)));
  });
});
