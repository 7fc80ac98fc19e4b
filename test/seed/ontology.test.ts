import { resolve } from 'node:path';
import type { Store, Term } from 'n3';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { isA, type ClassModel, type Ontology, type PropertyRule } from '../../src/model/ontology/model.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import { one, readSeedRecords, seedDirectory } from './seed-records.js';

const records = readSeedRecords();
let ontology: Ontology;

beforeAll(async () => {
  ({ ontology } = await loadOntology(resolve(seedDirectory, '..', 'ontology')));
});

function typesOf(graph: Store, node: Term): string[] {
  return graph.getObjects(node, rdf.type, null).map(({ value }) => value);
}

/** What is wrong with the values of one property of one node, as sentences; a second opinion to src/validate. */
function problems(graph: Store, node: Term, model: ClassModel, rule: PropertyRule): string[] {
  const values = graph.getObjects(node, rule.property, null);
  // The server adds the resource of what has a file when it is read (documents.md, section 3).
  const source = ontology.properties.get(rule.property)?.generatedFrom;
  const isAdded = source !== undefined && graph.countQuads(node, source, null, null) > 0;
  const min = isAdded ? 0 : rule.min;
  const where = `${node.value} (${model.name}) ${rule.property}`;
  const found: string[] = [];
  if (values.length < min || values.length > rule.max) found.push(`${where}: ${values.length} values`);
  for (const value of values) {
    if (rule.literal && value.termType !== 'Literal') found.push(`${where}: not a literal`);
    const classes = typesOf(graph, value);
    const fits = rule.classes.some((range) => classes.some((type) => isA(ontology, type, range)));
    const list = graph.countQuads(value, rdf.first, null, null) > 0;
    if (rule.classes.length > 0 && !fits && !list) found.push(`${where}: ${classes.join(' ')}`);
    for (const { property, value: wanted } of rule.fixed) {
      if (one(graph, value, property) !== wanted) found.push(`${where}: ${property} is not ${wanted}`);
    }
    if (rule.codeClass !== undefined) {
      const [code] = graph.getObjects(value, sp.code, null);
      const { codeClass } = rule;
      const fitting = code && typesOf(graph, code).some((type) => isA(ontology, type, codeClass));
      if (!fitting) found.push(`${where}: the code is not of ${rule.codeClass}`);
    }
  }
  return found;
}

describe.each(records)('record $id against the ontology', ({ graph }) => {
  test('has the properties that each class asks for, in their number and range', () => {
    const found: string[] = [];
    for (const node of graph.getSubjects(rdf.type, null, null)) {
      for (const type of typesOf(graph, node)) {
        const model = ontology.classes.get(type);
        if (model === undefined) found.push(`${node.value}: unknown class ${type}`);
        else for (const rule of model.rules.values()) found.push(...problems(graph, node, model, rule));
      }
    }
    expect(found).toEqual([]);
  });

  test('has no property that the classes of its node do not know', () => {
    const found: string[] = [];
    for (const { subject, predicate } of graph.getQuads(null, null, null, null)) {
      if (predicate.value === rdf.type || graph.countQuads(subject, rdf.first, null, null) > 0) continue;
      const models = typesOf(graph, subject).map((type) => ontology.classes.get(type));
      if (!models.some((model) => model?.rules.has(predicate.value))) {
        found.push(`${subject.value} ${predicate.value}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('writes the codes of enumerated classes as the ontology does', () => {
    for (const code of graph.getObjects(null, sp.code, null)) {
      for (const type of typesOf(graph, code)) {
        const members = ontology.classes.get(type)?.members;
        if (members === undefined) continue;
        expect(members).toContain(code.value);
        const model = ontology.codes.get(code.value);
        expect(model?.title).toBe(one(graph, code, dcterms.title));
        expect(model?.system).toBe(one(graph, code, sp.system));
        expect(model?.identifier).toBe(one(graph, code, dcterms.identifier));
      }
    }
  });
});
