import { describe, expect, it } from 'vitest';
import { blankNode, literal, namedNode, quad } from '../../src/rdf/terms.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { writeTriples } from '../../src/rdf/ntriples.js';
import { patient, patientOf, problem, record, turtle } from './support.js';

const textOf = (quads: Parameters<typeof writeTriples>[0]): string => writeTriples(quads);

describe('partitioning a record', () => {
  it('gives every statement a graph with its own copy of the codes it uses', async () => {
    const { graphs } = await patient(`_:a ${problem('Asthma', '2009')} _:b ${problem('Asthma', '2010')}`);
    expect(graphs.map(({ name }) => name.startsWith(record))).toEqual([true, true, true]);
    for (const { quads } of graphs.slice(1))
      expect(textOf(quads)).toContain('"http://purl.bioontology.org/ontology/SNOMEDCT/"');
  });

  it('adds belongsTo where it is missing, states it once, and drops hasStatement', async () => {
    const { graphs, warnings } = await patient(
      `_:r a sp:MedicalRecord ; sp:hasStatement _:a . _:a sp:belongsTo _:r . _:a ${problem('Asthma', '2009')} _:b ${problem('Flu', '2010')}`,
    );
    for (const { quads } of graphs.slice(1)) {
      expect(quads.filter(({ predicate }) => predicate.value === sp.belongsTo)).toHaveLength(1);
    }
    expect(graphs.some(({ quads }) => textOf(quads).includes('hasStatement'))).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('stops at other statements, also inside lists, and keeps the links', async () => {
    const { graphs } = await patient(
      '_:s a sp:ImagingStudy ; dcterms:title "S" ; sp:series [ a sp:Series ; sp:images ( _:i ) ] . _:i a sp:MedicalImage ; sp:fileName "i.dcm" ; sp:imagingStudy _:s .',
    );
    const [, study, image] = graphs;
    expect(textOf(study?.quads ?? [])).toContain(`#first> <${image?.name}>`);
    expect(textOf(study?.quads ?? [])).not.toContain('fileName');
    expect(textOf(image?.quads ?? [])).toContain(`imagingStudy> <${study?.name}>`);
  });

  it('tells of triples that belong to no statement instead of losing them silently', async () => {
    const { warnings } = await patient(
      `_:a ${problem('Asthma', '2009')} _:x a sp:Alert ; sp:notes "careful" .`,
    );
    expect(warnings).toContain(
      '2 triples belong to no statement and were left out: about things of type http://smartplatforms.org/terms#Alert.',
    );
  });

  it('copies a blank node that several statements share to each of them', async () => {
    const { graphs, notes } = await patient(
      `_:a ${problem('Asthma', '2009', '; sp:x _:shared')} _:b ${problem('Flu', '2010', '; sp:x _:shared')} _:shared sp:notes "both" .`,
    );
    expect(graphs.slice(1).every(({ quads }) => textOf(quads).includes('"both"'))).toBe(true);
    expect(notes).toEqual(['1 blank node belongs to several statements and was copied to each.']);
  });

  it('keeps links that lead nowhere and tells of them', async () => {
    const { graphs, warnings } = await patient(
      '_:r a sp:MedicalRecord . _:i a sp:MedicalImage ; sp:imagingStudy _:r . _:j a sp:MedicalImage ; sp:imagingStudy <http://sandbox.example/455> .',
    );
    expect(textOf(graphs.flatMap(({ quads }) => [...quads]))).toContain(
      'imagingStudy> <http://sandbox.example/455>',
    );
    expect(warnings.find((warning) => warning.includes('links by'))).toContain(
      '2 links by <http://smartplatforms.org/terms#imagingStudy> lead to no statement',
    );
  });

  it.each([
    [
      'statements of two records',
      '_:a a sp:Problem ; sp:belongsTo </records/8> . _:b a sp:Problem ; sp:belongsTo </records/7> .',
      '2 records',
    ],
    ['a statement that belongs to a text', '_:a a sp:Problem ; sp:belongsTo "7" .', 'The record is called 7'],
    [
      'a link into another record',
      '_:a a sp:Problem ; sp:encounters </records/8/encounters/e> .',
      'another record',
    ],
    ['two records', '_:a a sp:MedicalRecord . _:b a sp:MedicalRecord . _:c a sp:Problem .', '2 records'],
    [
      'a record from elsewhere',
      '<http://x.example/1> a sp:MedicalRecord . _:c a sp:Problem .',
      'write it as a blank node',
    ],
    ['an abstract class', '_:a a sp:Panel .', 'more special class'],
    ['two unrelated classes', '_:a a sp:Problem, sp:Encounter .', 'several classes'],
    ['a name that the store keeps', '_:a a sp:Problem ; sp:x <problems/p#_b0> .', 'kept for blank nodes'],
    ['nothing at all', '_:a sp:notes "x" .', 'no statement'],
  ])('refuses %s', async (_, text, reason) => {
    await expect(patient(text)).rejects.toThrow(reason);
  });

  it('takes a class with its superclass for the more special one', async () => {
    const { graphs } = await patient('_:a a sp:Document, sp:ClinicalNote ; dcterms:title "n" .');
    expect(graphs[1]?.name).toMatch(/\/clinical_notes\/[0-9a-f]{16}$/);
  });

  it('refuses what RDF/XML cannot carry', async () => {
    const quads = await turtle(`_:a ${problem('Asthma', '2009')}`);
    const [{ subject } = { subject: blankNode() }] = quads;
    const unwritable = [
      quad(subject, namedNode('http://x.example/123'), literal('x')),
      quad(subject, namedNode(sp.notes), literal('bell \u0007')),
    ];
    for (const one of unwritable) expect(() => patientOf([...quads, one])).toThrow('RDF/XML cannot carry');
  });

  it('walks long chains and cycles of blank nodes without end or overflow', async () => {
    const chain = Array.from({ length: 20_000 }, (_, at) =>
      quad(blankNode(`c${at}`), namedNode(sp.provider), blankNode(`c${at + 1}`)),
    );
    const cycle = quad(blankNode('c20000'), namedNode(sp.provider), blankNode('c19999'));
    const [start] = await turtle('_:a a sp:Problem .');
    const quads = start
      ? [start, quad(start.subject, namedNode(sp.provider), blankNode('c0')), ...chain, cycle]
      : [];
    expect(patientOf(quads).quads).toBe(20_000 + 5);
  });
});
