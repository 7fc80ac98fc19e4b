import { resolve } from 'node:path';
import type { Term } from 'n3';
import { describe, expect, test } from 'vitest';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { cg, dcterms, owl, prefixes, rdf, sp, vcard } from '../../src/rdf/vocabulary.js';
import { localNames, one, readSeedRecords } from './seed-records.js';

const records = readSeedRecords();

const { ontology, quads } = await loadOntology(resolve(import.meta.dirname, '../../ontology'));

/** Those that stand at a path of their own: the others only tell what these have in common. */
const statementClasses = [...ontology.classes.values()]
  .filter(({ kind, basePath }) => kind === 'statement' && basePath !== undefined)
  .map(({ name }) => name)
  .sort();

/** Links between statements: subject class, property, object class, and the property that must lead back. */
const links: [from: string, property: string, to: string, back?: string][] = [
  ['Fulfillment', sp.medication, 'Medication', sp.fulfillment],
  ['Medication', sp.fulfillment, 'Fulfillment', sp.medication],
  ['LabPanel', sp.labResult, 'LabResult'],
  ['MedicalImage', sp.imagingStudy, 'ImagingStudy'],
  ['Problem', sp.encounters, 'Encounter'],
  ['VitalSignSet', sp.encounter, 'Encounter'],
];

describe('the seed as a whole', () => {
  test('holds the records that scripts rely on', () => {
    expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => String(1000001 + n)));
  });

  test.each(statementClasses)('has %s in two records or more', (name) => {
    const holders = records.filter(({ statements }) => statements.some((one) => one.name === name));
    expect(holders.length).toBeGreaterThanOrEqual(2);
  });

  test('knows no other statement class', () => {
    const names = new Set(records.flatMap(({ statements }) => statements.map(({ name }) => name)));
    expect([...names].sort()).toEqual(statementClasses);
  });

  test('shows every property that the ontology allows in a statement', () => {
    const deprecated = new Set(
      quads.filter(({ predicate }) => predicate.value === owl.deprecated).map(({ subject }) => subject.value),
    );
    // Statements, and the components that their properties lead to.
    const named = (model: { name: string }): boolean => statementClasses.includes(model.name);
    const reached = new Set([...ontology.classes.values()].filter(named).map(({ iri }) => iri));
    const allowed = new Set<string>();
    for (const iri of reached) {
      for (const { property, classes } of ontology.classes.get(iri)?.rules.values() ?? []) {
        if (deprecated.has(property)) continue;
        allowed.add(property);
        for (const range of classes) if (!deprecated.has(range)) reached.add(range);
      }
    }
    expect(reached).toContain(sp.CodeProvenance);
    // The container writes them from the file of a document; what a record holds follows from sp:belongsTo.
    // Demographics of merged records name each other; no record of the seed is merged, and none came in as FHIR.
    const generated: string[] = [
      ...[sp.fileSize, sp.hash, sp.algorithm, sp.location, sp.hasStatement],
      ...[
        cg.replacedBy,
        cg.replaces,
        cg.sourceStatus,
        cg.providerName,
        cg.performerName,
        cg.visitType,
        cg.visitReason,
      ],
    ];
    const seen = new Set(
      records.flatMap(({ graph }) => graph.getPredicates(null, null, null).map(({ value }) => value)),
    );
    expect([...allowed].filter((property) => !seen.has(property) && !generated.includes(property))).toEqual(
      [],
    );
  });

  test('gives each code one title, and its IRI is its system and its identifier', () => {
    const titles = new Map<string, string>();
    for (const { graph } of records) {
      for (const code of graph.getObjects(null, sp.code, null)) {
        const title = one(graph, code, dcterms.title);
        expect(titles.get(code.value) ?? title).toBe(title);
        titles.set(code.value, title);
        expect(one(graph, code, sp.system) + one(graph, code, dcterms.identifier)).toBe(code.value);
        const types = graph.getObjects(code, rdf.type, null).map(({ value }) => value);
        expect(types).toHaveLength(2);
        expect(types).toContain(sp.Code);
        expect(types.some((type) => [prefixes.spcode, prefixes.cg].some((of) => type.startsWith(of)))).toBe(
          true,
        );
      }
    }
    expect(titles.size).toBeGreaterThan(120);
  });
});

describe.each(records)('record $id', ({ id, graph, statements }) => {
  test('has plain literals only', () => {
    const marked = graph
      .getQuads(null, null, null, null)
      .map(({ object }) => object)
      .filter((term) => term.termType === 'Literal')
      .filter((term) => term.language !== '' || term.datatype.value !== `${prefixes.xsd}string`);
    expect(marked).toEqual([]);
  });

  test('is one record, and every statement is of one class and belongs to it', () => {
    const [record, ...others] = graph.getSubjects(rdf.type, sp.MedicalRecord, null);
    expect(others).toEqual([]);
    const owners = new Set(graph.getObjects(null, sp.belongsTo, null).map(({ value }) => value));
    expect([...owners]).toEqual([record?.value]);
    for (const { node } of statements) expect(graph.getObjects(node, rdf.type, null)).toHaveLength(1);
  });

  test('has one demographics whose record number is the record id, and a telephone number of fiction', () => {
    const found = statements.filter(({ name }) => name === 'Demographics');
    expect(found).toHaveLength(1);
    const [number] = graph.getObjects(found[0]?.node ?? null, sp.medicalRecordNumber, null);
    expect(number && one(graph, number, dcterms.identifier)).toBe(id);
    for (const telephone of graph.getObjects(found[0]?.node ?? null, vcard.tel, null)) {
      expect(one(graph, telephone, rdf.value)).toMatch(/^555-01\d\d$/);
    }
  });

  test.each(links)('%s %s leads to %s', (from, property, to, back) => {
    for (const { node } of statements.filter(({ name }) => name === from)) {
      for (const object of graph.getObjects(node, property, null)) {
        expect(localNames(graph, object)).toEqual([to]);
        expect(graph.countQuads(object, sp.belongsTo, null, null)).toBe(1);
        if (back !== undefined) expect(graph.getQuads(object, back, node, null)).toHaveLength(1);
      }
    }
  });

  test('leaves no node that nothing leads to, and no node without a description', () => {
    const inner = (term: Term): boolean => term.termType === 'BlankNode';
    for (const { subject, object } of graph.getQuads(null, null, null, null)) {
      if (inner(object)) expect(graph.countQuads(object, null, null, null)).toBeGreaterThan(0);
      const reached = graph.countQuads(null, null, subject, null) > 0;
      expect(reached || graph.countQuads(subject, sp.belongsTo, null, null) > 0).toBe(true);
    }
  });

  test('tells of nothing before the birth or after the death', () => {
    const [who] = statements.filter(({ name }) => name === 'Demographics');
    const born = graph.getObjects(who?.node ?? null, vcard.bday, null)[0]?.value ?? '';
    const died = graph.getObjects(who?.node ?? null, vcard.deathdate, null)[0]?.value ?? '2024-12-31';
    for (const property of [dcterms.date, sp.startDate, sp.endDate]) {
      for (const { value } of graph.getObjects(null, property, null)) {
        expect(value).toMatch(/^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\dZ)?)?)?$/);
        expect(value.slice(0, 10) >= born.slice(0, value.length) && value.slice(0, 10) <= died).toBe(true);
      }
    }
  });

  test('ends nothing before it starts', () => {
    for (const { subject, object } of graph.getQuads(null, sp.endDate, null, null)) {
      expect(one(graph, subject, sp.startDate) <= object.value).toBe(true);
    }
  });
});
