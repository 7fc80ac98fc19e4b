import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import {
  alternatives,
  comparedPaths,
  datedProperties,
  readPaths,
} from '../../../src/model/ontology/filter-patterns.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { dcterms, prefixes, sp } from '../../../src/rdf/vocabulary.js';
import { tinyOntology } from './tiny-ontology.js';

const ontology = readOntology(await parseRdf(tinyOntology, { format: 'turtle' }));
const shoe = ontology.classes.get(`${prefixes.sp}Shoe`);
const size = `${prefixes.spcode}Size#`;

describe('a class', () => {
  test('has its own and its inherited rules, the tightest of each', () => {
    expect(shoe?.rules.get(sp.belongsTo)).toMatchObject({
      min: 1,
      max: 1,
      from: sp.Statement,
      classes: [sp.MedicalRecord],
    });
    expect(shoe?.rules.get(sp.startDate)).toMatchObject({ min: 1, max: 1, literal: true, classes: [] });
    expect(shoe?.rules.get(`${prefixes.sp}length`)).toMatchObject({
      min: 0,
      max: 2,
      classes: [sp.ValueAndUnit],
      fixed: [{ property: sp.unit, value: 'cm' }],
    });
    expect(shoe).toMatchObject({
      kind: 'statement',
      ancestors: [sp.Statement],
      basePath: '/records/{record_id}/shoes/{shoe_id}',
    });
  });

  test('reads qualified cardinalities and code classes inside intersections', () => {
    expect(shoe?.rules.get(`${prefixes.sp}size`)).toMatchObject({
      min: 1,
      max: 1,
      classes: [sp.CodedValue],
      codeClass: `${prefixes.spcode}Size`,
    });
  });

  test('that is an enumeration knows its members', () => {
    expect(ontology.classes.get(`${prefixes.spcode}Size`)?.members).toEqual([`${size}small`, `${size}large`]);
  });

  test('in a circle of superclasses does no harm', async () => {
    const circle =
      '<urn:a> a owl:Class ; rdfs:subClassOf <urn:b> . <urn:b> a owl:Class ; rdfs:subClassOf <urn:a> .';
    const read = readOntology(await parseRdf(tinyOntology + circle, { format: 'turtle' }));
    expect(read.classes.get('urn:a')?.ancestors).toEqual(['urn:b']);
  });
});

test('a code takes what it does not state from its IRI', () => {
  const code = { title: 'Small', system: size, identifier: 'small', classes: [`${prefixes.spcode}Size`] };
  expect(ontology.codes.get(`${size}small`)).toEqual({
    iri: `${size}small`,
    ...code,
    broader: [],
    denies: [],
    isOver: false,
    isOutside: false,
    isPlain: false,
    isCritical: false,
    isSocial: false,
    order: Infinity,
  });
});

test('a call is complete, with its sort property as an IRI and its filters by name', () => {
  expect(ontology.callByName.get('get_shoes')).toMatchObject({
    method: 'GET',
    pathParameters: ['record_id'],
    defaultSort: sp.startDate,
    sortProperties: [sp.startDate],
    parameters: [{ name: 'limit', valueType: 'integer', choices: [] }],
    filters: [
      { name: 'date_from', operator: 'from', property: sp.startDate, properties: [sp.startDate] },
      { name: 'size', valueType: 'code', codeBase: size },
    ],
  });
});

test.each([
  ['GRAPH ?v { ?v sp:startDate ?d }', [sp.startDate]],
  ['?v sp:startDate|dcterms:date ?d.', [sp.startDate, dcterms.date]],
  [`{ ?v <${sp.startDate}> | dcterms:date ?d }`, [sp.startDate, dcterms.date]],
  ['?v sp:encounter/sp:startDate ?d', []],
  ['?v nobody:date ?d', []],
  ['?v sp:code ?c', []],
])('the date pattern %s names %j', (pattern, properties) => {
  expect(datedProperties(pattern)).toEqual(properties);
});

test.each([
  ['?v sp:code ?d', [[sp.code]]],
  ['GRAPH ?v { ?v sp:problemName/sp:code ?d }', [[sp.problemName, sp.code]]],
  [
    `GRAPH ?v { ?v sp:code/(dcterms:title | <${sp.system}>) ?d }`,
    [
      [sp.code, dcterms.title],
      [sp.code, sp.system],
    ],
  ],
  ['?v sp:title|sp:code/sp:title ?d', [[sp.title], [sp.code, sp.title]]],
  ['?v (sp:title) ?d', [[sp.title]]],
  ['?v sp:code* ?d', []],
  ['?v ^sp:code ?d', []],
  ['?v sp:code/ ?d', []],
  ['?v (sp:code|sp:title ?d', []],
  ['?v sp:code|nobody:x ?d', []],
  ['?v sp:code ?other', []],
])('the search pattern %s compares %j', (pattern, paths) => {
  expect(comparedPaths(pattern)).toEqual(paths);
});

test('an empty path leads nowhere', () => {
  expect(readPaths('')).toEqual([]);
});

test('a path that is no alternative has no properties', () => {
  expect(alternatives('')).toBeUndefined();
  expect(alternatives('^sp:code')).toBeUndefined();
});

describe('an ontology folder', () => {
  async function folder(files: Record<string, string>): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'chartgraph-ontology-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    return directory;
  }

  test('is one graph, whatever its files, and its digest changes with them', async () => {
    const one = await loadOntology(await folder({ 'a.ttl': tinyOntology, 'notes.txt': 'x' }));
    const two = await loadOntology(await folder({ 'a.ttl': tinyOntology, 'b.ttl': '' }));
    expect(one.ontology.callByName.has('get_shoe')).toBe(true);
    expect(one.quads).toHaveLength(two.quads.length);
    expect(one.digest).not.toBe(two.digest);
  });

  test('names file and line of a syntax error', async () => {
    const directory = await folder({
      'a.ttl': tinyOntology,
      'b.ttl': '@prefix a: <urn:a> .\n\na:b a:c ;; ] .\n',
    });
    await expect(loadOntology(directory)).rejects.toThrow(/b\.ttl:3: /);
  });

  test('says what is expected where a full stop is missing', async () => {
    const directory = await folder({
      'a.ttl': '@prefix a: <urn:a> .\na:b a a:c , [ a a:d ]\na:e a a:f .\n',
    });
    await expect(loadOntology(directory)).rejects.toThrow(
      'a.ttl:3: expected a full stop, semicolon or comma before this',
    );
  });

  test('may hold a folder whose name ends like a file', async () => {
    const directory = await folder({ 'a.ttl': tinyOntology });
    await mkdir(join(directory, 'old.ttl'));
    expect((await loadOntology(directory)).files.map(({ name }) => name)).toEqual(['a.ttl']);
  });

  test('with classes in many ladders of two is read at once, not once for each way up', async () => {
    const rungs = Array.from({ length: 40 }, (_, n) =>
      ['a', 'b'].map((side) => `sp:${side}${n} a owl:Class ; rdfs:subClassOf sp:a${n + 1} , sp:b${n + 1} .`),
    );
    const directory = await folder({ 'a.ttl': tinyOntology + rungs.flat().join('\n') });
    const { ontology } = await loadOntology(directory);
    expect(ontology.classes.get('http://smartplatforms.org/terms#a0')?.ancestors).toHaveLength(80);
  });

  test('without files or not there at all is an error', async () => {
    await expect(loadOntology(await folder({}))).rejects.toThrow('holds no .ttl file');
    await expect(loadOntology('/no/such/folder')).rejects.toThrow(
      '/no/such/folder: the ontology folder cannot be read',
    );
  });
});
