import SHACLValidator from 'rdf-validate-shacl';
import { describe, expect, test } from 'vitest';
import { termText } from '../../../src/rdf/term-key.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { literal, namedNode, quad, type Quad } from '../../../src/rdf/terms.js';
import { writeRdf } from '../../../src/rdf/write.js';
import { prefixes, rdf, sh, shapePrefixes } from '../../../src/rdf/vocabulary.js';
import { checkGraph } from '../../../src/model/validate/check-graph.js';
import { QuadSet } from '../../../src/model/validate/shapes/quad-set.js';
import { shapeValidator } from '../../../src/model/validate/shapes/shacl.js';
import {
  deriveShapes,
  derivedShapes,
  shapeRules,
  shapesText,
} from '../../../src/model/validate/shapes/derive-shapes.js';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { base, ontology, patientOf, problem, turtle } from '../../records/support.js';
import { processTime } from '../../setup/cpu-time.js';
import { mutantsOf } from './mutations.js';
import { seedResources } from './seed-statements.js';

const text = shapesText(ontology);
const shapes = deriveShapes(ontology);
const named = shapes.filter(
  ({ subject, predicate }) => predicate.value === rdf.type && subject.termType === 'NamedNode',
);

/** The lines of one shape in the Turtle. */
function block(name: string): string {
  return text.split('\n\n').find((part) => part.startsWith(`shape:${name} `)) ?? '';
}

describe('the shapes of an ontology', () => {
  test('are the same text whenever they are derived', async () => {
    const folder = new URL('../../../ontology', import.meta.url).pathname;
    expect(shapesText((await loadOntology(folder)).ontology)).toBe(text);
  });

  test('say in Turtle what they say as quads', async () => {
    const read = await parseRdf(text, { format: 'turtle' });
    expect(await writeRdf(read, 'ntriples')).toBe(await writeRdf(shapes, 'ntriples'));
  });

  test('have names of their own, each once, and say what to call their breach', () => {
    const names = named.map(({ subject }) => subject.value);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^https:\/\/chartgraph\.example\.org\/shapes#[\w.-]+$/);
    const { rules } = derivedShapes(ontology);
    const known = new Set(shapeRules);
    for (const [name, rule] of rules) {
      expect(names).toContain(name);
      expect(known).toContain(rule);
    }
    const messages = shapes.filter(({ predicate }) => predicate.value === sh.message);
    expect(new Set(messages.map(({ subject }) => subject.value))).toEqual(new Set(rules.keys()));
  });

  test('carry cardinality, class, datatype, fixed value, code set, members and dates', () => {
    expect(block('sp-Problem.sp-startDate.count')).toContain('sh:minCount 1');
    expect(block('sp-Problem.sp-problemName.class')).toContain('sh:class sp:CodedValue');
    expect(block('sp-Problem.sp-startDate.literal')).toContain('sh:nodeKind sh:Literal');
    expect(block('sp-CodeProvenance.sp-sourceCode.literal')).toContain('sh:nodeKind sh:IRIOrLiteral');
    expect(block('sp-BloodPressure.sp-systolic.fixed')).toContain(
      'sh:path ( sp:systolic sp:unit ) ;\n  sh:pattern "^mm\\\\[Hg\\\\]$"',
    );
    expect(block('sp-Allergy.sp-severity.code')).toContain(
      'sh:path ( sp:severity sp:code ) ;\n  sh:class spcode:AllergySeverity',
    );
    expect(block('spcode-LabResultStatus.members')).toContain('sh:in');
    expect(block('spcode-LabResultStatus.description')).toContain('sh:flags "i"');
    expect(block('sp-startDate.date')).toContain('sh:targetSubjectsOf sp:startDate');
    expect(block('node.properties')).toContain('sh:closed true');
  });

  test('let a value be missing that the container makes from another', () => {
    expect(block('sp-Document.sp-resource.count')).not.toContain('minCount');
    expect(block('sp-Document.sp-resource.generated')).toContain('sh:minCount 1');
  });
});

describe('validation by shapes', () => {
  test('finds what rdf-validate-shacl finds by itself', async () => {
    const mutants = mutantsOf(await seedResources(), ontology, 12, 7);
    const plain = new SHACLValidator(new QuadSet(shapes));
    for (const { quads } of mutants) {
      const report = await plain.validate(new QuadSet(quads));
      const theirs = report.results.map(({ sourceShape, focusNode, value }) =>
        [sourceShape, focusNode, value].map((term) => term?.value).join(' '),
      );
      const ours = shapeValidator(ontology)(quads).map(({ shape, focus, value }) =>
        [shape, focus.value, value?.value].join(' '),
      );
      expect(ours.sort()).toEqual(theirs.sort());
    }
  });

  test('looks at a code however often it stands in the data', () => {
    const quads = (name: string): readonly Quad[] => [
      quad(namedNode(`${base}/${name}`), namedNode(rdf.type), namedNode('urn:example:unknown')),
    ];
    const validator = shapeValidator(ontology);
    for (let count = 0; count < 60; count++) expect(validator(quads('one'))).toHaveLength(1);
  });

  test('tells a fault once, though a class and the classes above it ask for the same', async () => {
    const [, graph] = patientOf(await turtle(`_:a ${problem('Asthma', '2010')}`)).graphs;
    const node = namedNode(graph?.name ?? '');
    const quads = [
      ...(graph?.quads ?? []).filter(({ predicate }) => !predicate.value.endsWith('belongsTo')),
      quad(node, namedNode(rdf.type), namedNode('http://smartplatforms.org/terms#Statement')),
    ];
    expect(checkGraph(ontology, node, quads)).toEqual([
      { rule: 'shape-cardinality', node: termText(node), message: expect.stringContaining('sp:belongsTo') },
    ]);
  });

  test('names the term that is unknown', () => {
    const node = namedNode(`${base}/records/7/problems/a`);
    const quads = [
      quad(node, namedNode(rdf.type), namedNode(`${prefixes.sp}Problm`)),
      quad(node, namedNode(`${prefixes.sp}startdate`), literal('2010')),
    ];
    expect(checkGraph(ontology, node, quads).map(({ message }) => message)).toEqual([
      'A node must be of a class that the ontology declares: sp:Problm is not.',
      'A node must have only properties that the ontology declares: sp:startdate is not.',
    ]);
  });

  test('takes time in proportion to the number of resources', async () => {
    const [resource] = await seedResources();
    const { quads = [] } = resource ?? {};
    const validator = shapeValidator(ontology);
    const time = (count: number): number => {
      const start = processTime();
      for (let index = 0; index < count; index++) validator(quads);
      return processTime() - start;
    };
    time(200);
    const few = time(300);
    expect(time(3000)).toBeLessThan(few * 30 + 500);
  });
});

test('every shape is in the namespace of shapes', () => {
  for (const { subject } of named) expect(subject.value.startsWith(shapePrefixes.shape)).toBe(true);
});
