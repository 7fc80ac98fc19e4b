import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentMapping } from '../../src/authoring/docs-model/mapping-doc.js';
import { checkMapping } from '../../src/fhir/check-mapping.js';
import { MAPPING_FOLDER, readQuery } from '../../src/fhir/mapping.js';
import { mapping as map } from '../../src/rdf/vocabulary.js';
import { mapping, ontology } from './support.js';

const prefixes = `PREFIX fhir: <http://hl7.org/fhir/>
PREFIX first: <https://chartgraph.example.org/first#>
PREFIX map: <https://chartgraph.example.org/mapping#>
PREFIX sp: <http://smartplatforms.org/terms#>`;
const query = (template: string, where: string): string =>
  `# What it is for.\n\n${prefixes}\nCONSTRUCT { ${template} } WHERE { ${where} }`;
const read = (text: string) => readQuery('test.rq', text, ontology);

describe('the shipped mapping', () => {
  it('breaks no rule', async () => {
    expect(await checkMapping(join('queries', MAPPING_FOLDER), ontology)).toEqual([]);
  });

  it('makes every class of statements that a record has but photographs, single images and panels as such', () => {
    const made = new Set(mapping.makers.map(({ target }) => target.name));
    const classes = [...ontology.classes.values()].filter(
      ({ kind, basePath }) => kind === 'statement' && basePath !== undefined,
    );
    expect(classes.map(({ name }) => name).filter((name) => !made.has(name))).toEqual([
      'MedicalImage',
      'Photograph',
    ]);
  });

  it('says of each query what it is for', () => {
    expect(
      mapping.queries.filter(({ summary }) => !/\w+.*\.$/u.test(summary)).map(({ name }) => name),
    ).toEqual([]);
  });

  it('says of which lists the first counts', () => {
    const firsts = new Map(
      mapping.queries.map(({ name, read: { types } }) => [
        name,
        [...types.values()].flatMap((element) => element.firsts()),
      ]),
    );
    expect(firsts.get('encounter')).toContain('Encounter.participant');
    expect(firsts.get('allergy-exclusion')).toEqual([]);
  });

  it('leads from codes of FHIR to codes, classes and properties that the ontology has', () => {
    const targets = mapping.tables
      .filter(({ predicate }) => predicate.value === map.to)
      .map(({ object }) => object.value);
    const open = /SNOMEDCT\/\d+$|UNII\/[A-Z0-9]{10}$/u;
    expect(
      targets.filter((iri) => !ontology.codes.has(iri) && !ontology.terms.has(iri) && !open.test(iri)),
    ).toEqual([]);
    expect(targets.length).toBeGreaterThan(100);
  });
});

describe('the documentation of the mapping', () => {
  const docs = new Map(documentMapping(mapping).map((doc) => [doc.name, doc]));
  const names = (iris: readonly string[] = []) => iris.map((iri) => iri.replace(/^.*[/#]/u, ''));

  it('says which properties of a class are filled, and which stay empty', () => {
    expect(names(docs.get('fulfillment')?.filled)).toContain('dispenseDaysSupply');
    expect(names(docs.get('fulfillment')?.empty)).toEqual(['pbm']);
  });

  it('knows the properties that a table gives', () => {
    expect(names(docs.get('vital-sign-set')?.empty)).toEqual([]);
    expect(names(docs.get('allergy')?.filled)).toContain('otherAllergen');
  });

  it('says what is read of which resources', () => {
    expect(docs.get('problem')?.sources).toEqual(['Condition']);
    expect(docs.get('encounter')?.elements).toContain('Organization.address.city');
  });
});

describe('what a query reads', () => {
  it('is derived from its patterns: paths, alternatives, lists, references and nested groups', () => {
    const {
      read: found,
      sources,
      patient,
    } = read(
      query(
        '?r a sp:Problem ; sp:belongsTo ?p ; sp:notes ?n',
        `?r a fhir:Condition ; fhir:subject/map:link ?p . OPTIONAL { ?r first:note/fhir:text|fhir:comment ?n }
         FILTER NOT EXISTS { ?r fhir:code ?c . ?c fhir:coding [ fhir:code "x" ; map:index 0 ] }`,
      ),
    );
    const condition = found.types.get('Condition');
    expect([sources, patient, [...(condition?.children.keys() ?? [])]]).toEqual([
      ['Condition'],
      ['subject'],
      ['subject', 'note', 'comment', 'code'],
    ]);
    expect(condition?.child('note')).toMatchObject({ first: true, all: false });
    expect(condition?.child('subject')).toMatchObject({ link: true });
    expect(condition?.child('code').child('coding')).toMatchObject({ index: true, all: true });
  });

  it.each([
    ['no record', query('?r a sp:Problem', '?r a fhir:Condition'), 'what record it belongs to'],
    [
      'no class',
      query('?r a sp:Code ; sp:belongsTo ?p', '?r a fhir:Condition ; fhir:subject/map:link ?p'),
      'is of no class',
    ],
    [
      'no resource',
      query('?r a sp:Problem ; sp:belongsTo ?p', '?r fhir:subject/map:link ?p'),
      'is no resource',
    ],
    [
      'no patient',
      query('?r a sp:Problem ; sp:belongsTo ?p', '?r a fhir:Condition ; fhir:subject ?p'),
      'nothing leads from',
    ],
    ['another form', 'SELECT * WHERE { ?s ?p ?o }', 'is not a CONSTRUCT query'],
  ])('is refused with a sentence when there is %s', (_, text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});
