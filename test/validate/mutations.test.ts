import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readOntology } from '../../src/ontology/read.js';
import { parseRdf } from '../../src/rdf/parse.js';
import { writeRdf } from '../../src/rdf/write.js';
import { namedNode, type Quad } from '../../src/rdf/terms.js';
import { checkGraph } from '../../src/validate/check-graph.js';
import { validateResource } from '../../src/validate/resource.js';
import { shapeValidator } from '../../src/validate/shapes/shacl.js';
import { shapesText } from '../../src/validate/shapes/shapes-text.js';
import { tinyOntology } from '../ontology/tiny-ontology.js';
import { ontology } from '../records/support.js';
import { mutantsOf } from './mutations.js';
import { seedResources } from './seed-statements.js';

const seed = await seedResources();
const mutants = mutantsOf(seed, ontology, 204, 20261121);
const shapes = shapeValidator(ontology);

describe('a statement of the seed', () => {
  test('a statement of the seed is refused by nothing', () => {
    expect(seed.length).toBeGreaterThan(300);
    for (const { name, quads } of seed) expect(checkGraph(ontology, namedNode(name), quads)).toEqual([]);
  });

  test('is still valid after nothing was changed but the order of its quads', () => {
    for (const { quads } of seed.slice(0, 40)) expect(shapes.validate([...quads].reverse())).toEqual([]);
  });
});

describe('a statement with one rule broken', () => {
  test('statements with one rule broken come in every kind', () => {
    const counts = new Map<string, number>();
    for (const { kind } of mutants) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    expect(counts.size).toBe(12);
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(5);
  });

  test('is caught by the shapes, under the rule that it breaks', () => {
    const missed = mutants.filter(
      ({ quads, rule }) => !shapes.validate(quads).some((result) => result.rule === rule),
    );
    expect(missed.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
  });

  test('is caught by the container itself', () => {
    const missed = mutants.filter(
      ({ name, quads }) => validateResource(ontology, namedNode(name), quads).length === 0,
    );
    expect(missed.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
  });
});

/**
 * Reads shapes and graphs from stdin, prints whether each graph conforms. One process, and the shapes are prepared
 * once: that would take most of the time.
 */
const program = `
import json, sys
import pyshacl, pyshacl.validator as inner
from rdflib import Graph
prepare, prepared = inner.ShapesGraph, []
def once(*given):
    if not prepared: prepared.append(prepare(*given))
    return prepared[0]
inner.ShapesGraph = once
given = json.load(sys.stdin)
shapes = Graph().parse(data=given["shapes"], format="turtle")
graphs = (Graph().parse(data=text, format="nt") for text in given["graphs"])
json.dump([pyshacl.validate(graph, shacl_graph=shapes)[0] for graph in graphs], sys.stdout)
`;

function python(source: string, input = ''): ReturnType<typeof spawnSync> {
  return spawnSync('python3', ['-c', source], { input, maxBuffer: 64 * 1024 * 1024 });
}

async function verdictsOf(graphs: readonly (readonly Quad[])[]): Promise<boolean[]> {
  const texts = await Promise.all(graphs.map((quads) => writeRdf(quads, 'ntriples')));
  const { status, stdout, stderr } = python(
    program,
    JSON.stringify({ shapes: shapesText(ontology), graphs: texts }),
  );
  if (status !== 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout)) as boolean[];
}

const wellFormed = `
import sys, pyshacl
from rdflib import Graph
shapes = Graph().parse(data=sys.stdin.read(), format="turtle")
conforms, _, text = pyshacl.validate(Graph(), shacl_graph=shapes, meta_shacl=True)
print(conforms, text)
`;

const pySHACL = python('import pyshacl').status === 0;

const tiny = readOntology(await parseRdf(tinyOntology, { format: 'turtle' }));

describe.skipIf(!pySHACL)('pySHACL, where Python has it', () => {
  test('finds the shapes well-formed by the shapes of SHACL itself', { timeout: 120_000 }, () => {
    // Of a small ontology: the shapes for shapes are slow, and every kind of shape is there.
    const { stdout, stderr } = python(wellFormed, shapesText(tiny));
    expect(String(stdout), String(stderr)).toMatch(/^True /);
  });

  test('is of the same opinion on every mutation and on valid statements', { timeout: 240_000 }, async () => {
    const valid = seed.filter((_, index) => index % 20 === 0);
    const verdicts = await verdictsOf([...mutants, ...valid].map(({ quads }) => quads));
    const refused = mutants.filter((_, index) => verdicts[index] !== false);
    expect(refused.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
    expect(verdicts.slice(mutants.length)).toEqual(valid.map(() => true));
  });
});
