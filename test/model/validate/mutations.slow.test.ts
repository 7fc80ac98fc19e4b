import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { writeRdf } from '../../../src/rdf/write.js';
import { literal, namedNode, quad, type Quad, type Term } from '../../../src/rdf/terms.js';
import { Graph } from '../../../src/model/ontology/graph.js';
import { dcterms, prefixes, sp, xsd } from '../../../src/rdf/vocabulary.js';
import { checkGraph } from '../../../src/model/validate/check-graph.js';
import { validateResource } from '../../../src/model/validate/resource.js';
import { shapeValidator } from '../../../src/model/validate/shapes/shacl.js';
import { shapesText } from '../../../src/model/validate/shapes/derive-shapes.js';
import { tinyOntology } from '../ontology/tiny-ontology.js';
import { ontology, ontologyQuads } from '../../records/support.js';
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
    for (const { quads } of seed.slice(0, 40)) expect(shapes([...quads].reverse())).toEqual([]);
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
    const missed = mutants.filter(({ quads, rule }) => !shapes(quads).some((result) => result.rule === rule));
    expect(missed.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
  });

  test('is caught by the container itself', () => {
    const missed = mutants.filter(
      ({ name, quads }) => validateResource(ontology, namedNode(name), quads).length === 0,
    );
    expect(missed.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
  });
});

const bounded = readOntology([
  ...ontologyQuads,
  ...(await parseRdf(
    `@prefix rdfs: <${prefixes.rdfs}> . @prefix owl: <${prefixes.owl}> . @prefix xsd: <${prefixes.xsd}> .
    @prefix sp: <${prefixes.sp}> . @prefix dcterms: <${prefixes.dcterms}> .
    sp:VitalSignSet rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:heartRate ; owl:allValuesFrom
      [ a owl:Restriction ; owl:onProperty sp:value ; owl:allValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ; owl:withRestrictions ( [ xsd:minInclusive 20 ] [ xsd:maxExclusive 300 ] ) ] ] ] .
    sp:CodedValue rdfs:subClassOf [ a owl:Restriction ; owl:onProperty dcterms:title ; owl:allValuesFrom
      [ a rdfs:Datatype ; owl:onDatatype xsd:string ; owl:withRestrictions ( [ xsd:minLength 2 ] [ xsd:maxLength 300 ] ) ] ] .
    sp:ValueAndUnit rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:unit ; owl:allValuesFrom
      [ a rdfs:Datatype ; owl:oneOf ( ${unitsOf(seed)} ) ] ] .`,
    { format: 'turtle' },
  )),
]);

function unitsOf(resources: typeof seed): string {
  const units = resources.flatMap(({ quads }) =>
    quads.filter(({ predicate }) => predicate.value === sp.unit).map(({ object }) => object.value),
  );
  return [...new Set(units)].map((unit) => JSON.stringify(unit)).join(' ');
}

/** A statement of the seed in which one literal lies beyond a data range; undefined where it has none such. */
function beyond(resource: (typeof seed)[number], property: string, value: Term): typeof resource | undefined {
  const { quads } = resource;
  const graph = new Graph(quads);
  const hearts = quads.filter(({ predicate }) => predicate.value === sp.heartRate);
  const isBounded = (node: Term): boolean =>
    property === sp.value
      ? hearts.some(({ object }) => object.equals(node))
      : property === sp.unit || graph.hasType(node, sp.CodedValue);
  const at = quads.findIndex(({ subject, predicate }) => predicate.value === property && isBounded(subject));
  const found = quads[at];
  if (!found) return undefined;
  return { ...resource, quads: quads.with(at, quad(found.subject, found.predicate, value)) };
}

// prettier-ignore
const outside: readonly (readonly [property: string, value: Term])[] = [
  [sp.value, literal('19.9', namedNode(xsd.decimal))], [sp.value, literal('300', namedNode(xsd.integer))],
  [sp.value, literal('19.9')], [sp.value, literal('300.0')], [sp.value, literal('fast')], [sp.value, literal('72', namedNode(xsd.double))],
  [dcterms.title, literal('x')], [dcterms.title, literal('x'.repeat(301))],
  [sp.unit, literal('furlong')], [sp.unit, literal('1', namedNode(xsd.integer))],
];
const strays = outside.flatMap(([property, value]) =>
  seed.flatMap((resource) => beyond(resource, property, value) ?? []).slice(0, 12),
);

describe('a value beyond a data range', () => {
  test('stands in statements that obey it otherwise', () => {
    expect(strays.length).toBeGreaterThan(50);
    for (const { name, quads } of seed) expect(checkGraph(bounded, namedNode(name), quads)).toEqual([]);
  });

  test('is caught by the shapes, under the rule that it breaks, and by the container itself', () => {
    const missed = strays.filter(
      ({ name, quads }) =>
        !shapeValidator(bounded)(quads).some(({ rule }) => rule === 'shape-value') ||
        !validateResource(bounded, namedNode(name), quads).some(({ rule }) => rule === 'value'),
    );
    expect(missed.map(({ name }) => name)).toEqual([]);
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

async function verdictsOf(graphs: readonly (readonly Quad[])[], model = ontology): Promise<boolean[]> {
  const texts = await Promise.all(graphs.map((quads) => writeRdf(quads, 'ntriples')));
  const { status, stdout, stderr } = python(
    program,
    JSON.stringify({ shapes: shapesText(model), graphs: texts }),
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

const tiny = readOntology(
  await parseRdf(
    `@prefix xsd: <${prefixes.xsd}> .${tinyOntology}
    sp:Shoe rdfs:subClassOf
      [ a owl:Restriction ; owl:onProperty sp:sex ; owl:allValuesFrom [ a rdfs:Datatype ; owl:oneOf ( "male" 1 ) ] ] ,
      [ a owl:Restriction ; owl:onProperty sp:price ; owl:allValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ; owl:withRestrictions ( [ xsd:minInclusive 1 ] [ xsd:maxExclusive 9 ] ) ] ] ,
      [ a owl:Restriction ; owl:onProperty sp:mark ; owl:allValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:string ; owl:withRestrictions ( [ xsd:length 5 ] ) ] ] .
    sp:price a owl:DatatypeProperty . sp:mark a owl:DatatypeProperty .`,
    { format: 'turtle' },
  ),
);

describe.skipIf(!pySHACL)('pySHACL, where Python has it', () => {
  test('finds the shapes well-formed by the shapes of SHACL itself', () => {
    // Of a small ontology: the shapes for shapes are slow, and every kind of shape is there.
    const { stdout, stderr } = python(wellFormed, shapesText(tiny));
    expect(String(stdout), String(stderr)).toMatch(/^True /);
  });

  // Each takes pySHACL a while, and there are many of each kind.
  const some = <T>(all: readonly T[], nth: number): T[] => all.filter((_, index) => index % nth === 0);

  test('is of the same opinion on mutations and on valid statements', { timeout: 240_000 }, async () => {
    const valid = some(seed, 40);
    const kinds = [...new Set(mutants.map(({ kind }) => kind))];
    const changed = kinds.flatMap((each) =>
      some(
        mutants.filter(({ kind }) => kind === each),
        3,
      ),
    );
    const verdicts = await verdictsOf([...changed, ...valid].map(({ quads }) => quads));
    const allowed = changed.filter((_, index) => verdicts[index] !== false);
    expect(allowed.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
    expect(verdicts.slice(changed.length)).toEqual(valid.map(() => true));
  });

  test('is of the same opinion on values beyond data ranges', { timeout: 240_000 }, async () => {
    const valid = some(seed, 40);
    const verdicts = await verdictsOf(
      [...strays, ...valid].map(({ quads }) => quads),
      bounded,
    );
    expect(strays.filter((_, index) => verdicts[index] !== false).map(({ name }) => name)).toEqual([]);
    expect(verdicts.slice(strays.length)).toEqual(valid.map(() => true));
  });
});
