import { readFile } from 'node:fs/promises';
import { Parser } from 'n3';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { loadAnalyses } from '../../src/model/analyses/read-analysis.js';
import type { Analysis } from '../../src/model/analyses/analysis.js';
import { clientSource } from '../../src/authoring/client-source/client-source.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import type { Ontology } from '../../src/model/ontology/model.js';
import { readOntology } from '../../src/model/ontology/read.js';
import type { Quad } from '../../src/rdf/terms.js';
import { tinyOntology } from '../model/ontology/tiny-ontology.js';

const FILE = 'src/client/generated.ts';
const { ontology: shipped } = await loadOntology('ontology');
const analyses = [...(await loadAnalyses('queries', shipped)).values()];

/** The tiny ontology with more in it, and with some of it written in another way. */
function tiny(more = '', replaced: readonly [string, string][] = []): Ontology {
  const text = replaced.reduce((sum, [from, to]) => sum.replace(from, to), tinyOntology);
  return readOntology(new Parser().parse(text + more) as unknown as Quad[]);
}

async function formatted(source: string): Promise<string> {
  return format(source, { ...(await resolveConfig(FILE)), parser: 'typescript' });
}

describe('the module of the shipped ontology', () => {
  it('is what lies in src/client: `chartgraph ontology client src/client/generated.ts --import-from ./connect.js`', async () => {
    expect(await readFile(FILE, 'utf8')).toBe(clientSource(shipped, { from: './connect.js', analyses }));
  });

  it('needs no formatting', async () => {
    const source = clientSource(shipped, { from: './connect.js', analyses });
    expect(source).toBe(await formatted(source));
  });

  it('names a method for each call, and an interface for each class that has properties', () => {
    const source = clientSource(shipped);
    for (const { name } of shipped.calls)
      expect(source).toMatch(new RegExp(`^  readonly ${name}: \\w+Method<`, 'm'));
    const classes = [...shipped.classes.values()].filter(
      ({ kind, rules }) => kind !== 'code' && rules.size > 0,
    );
    expect(classes.length).toBeGreaterThan(40);
    for (const { name } of classes)
      expect(source).toMatch(
        new RegExp(`^export interface ${name} extends (Described|Inner)<'${name}'> \\{$`, 'm'),
      );
  });
});

describe('the analyses of a module', () => {
  const analysis: Analysis = {
    name: 'shoes_by-year',
    title: 'Shoes by year',
    description: 'How many */ there are.',
    parameters: [
      {
        name: 'least',
        type: 'integer',
        comment: 'How many at least.',
        standard: '1',
        codeBase: '',
        choices: [],
      },
      {
        name: 'kind',
        type: 'choice',
        comment: 'The kind.',
        standard: undefined,
        codeBase: '',
        choices: ['a', 'b'],
      },
    ],
    columns: ['year', 'shoes'],
    chart: undefined,
    aggregate: undefined,
    query: analyses[0]?.query as Analysis['query'],
  };

  it('are methods of a client of their own, with their parameters and columns', async () => {
    const source = clientSource(tiny(), { analyses: [analysis] });
    expect(source).toContain(
      "  readonly 'shoes_by-year': AnalysisMethod<ShoesByYearParameters, 'year' | 'shoes'>;",
    );
    expect(source).toContain('  readonly least?: number;');
    expect(source).toContain("  readonly kind: 'a' | 'b';");
    expect(source).toContain("      query: ['least', 'kind'],");
    expect(source).toContain('export function createAnalyst(settings: AnalystSettings): Analyses {');
    expect(source).toBe(await formatted(source));
  });

  it('leave nothing where there are none', () => {
    expect(clientSource(tiny(), { analyses: [] })).not.toMatch(/analys/iu);
  });
});

describe('the module of an ontology', () => {
  it('stands on the installed package, and needs no formatting either', async () => {
    const source = clientSource(tiny());
    expect(source).toContain("import { connect } from 'chartgraph/client';");
    expect(source).not.toMatch(/from '\./);
    expect(source).toBe(await formatted(source));
  });

  it('takes cardinality and ranges from the restrictions', () => {
    const shoe = /export interface Shoe [^}]*\}/.exec(clientSource(tiny()))?.[0];
    expect(shoe).toContain('  readonly startDate: string;');
    expect(shoe).toContain('  readonly size: CodedValue;');
    expect(shoe).toContain('/** Codes: Size. */');
    expect(shoe).toContain('  readonly length: readonly ValueAndUnit[];');
    expect(shoe).toContain('  readonly belongsTo: Link<MedicalRecord>;');
  });

  it('takes listed literals as a type, and says the bounds of others', async () => {
    const source = clientSource(
      tiny(`@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        sp:Shoe rdfs:subClassOf
          [ a owl:Restriction ; owl:onProperty sp:sex ; owl:maxCardinality 1 ] ,
          [ a owl:Restriction ; owl:onProperty sp:sex ; owl:allValuesFrom [ a rdfs:Datatype ; owl:oneOf ( "male" "female" ) ] ] ,
          [ a owl:Restriction ; owl:onProperty sp:mark ; owl:allValuesFrom [ a rdfs:Datatype ; owl:oneOf ( "it's new" "old" ) ] ] ,
          [ a owl:Restriction ; owl:onProperty sp:startDate ; owl:allValuesFrom
            [ a rdfs:Datatype ; owl:onDatatype xsd:date ; owl:withRestrictions ( [ xsd:minInclusive "1900-01-01" ] ) ] ] .
        sp:mark a owl:DatatypeProperty .`),
    );
    const shoe = /export interface Shoe [^}]*\}/.exec(source)?.[0];
    expect(shoe).toContain(`  readonly sex?: 'male' | 'female';`);
    expect(shoe).toContain(`  readonly mark: readonly ("it's new" | 'old')[];`);
    expect(shoe).toContain(
      '/** It is a value of xsd:date, at least 1900-01-01. */\n  readonly startDate: string;',
    );
    expect(source).toBe(await formatted(source));
  });

  it('takes parameters from the calls, each of its type', () => {
    const parameters = /export interface GetShoesParameters [^}]*\}/.exec(clientSource(tiny()))?.[0];
    expect(parameters).toContain('  readonly record_id: string;');
    expect(parameters).toContain('  readonly date_from?: string;');
    expect(parameters).toContain('  readonly size?: string | readonly string[];');
    expect(parameters).toContain('  readonly limit?: number;');
  });

  it('changes with the ontology, and only with it', () => {
    expect(clientSource(tiny())).toBe(clientSource(tiny()));
    const stricter = tiny('', [['sp:length ; owl:maxCardinality 2', 'sp:length ; owl:maxCardinality 1']]);
    expect(clientSource(stricter)).toContain('  readonly length?: ValueAndUnit;');
  });

  it('gives names of its own to what TypeScript, the client or another term has taken', async () => {
    const source = clientSource(
      tiny(`
        @prefix own: <https://own.example.org/#> .
        sp:Client a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:type ; owl:maxCardinality 1 ] .
        own:Shoe a owl:Class ; rdfs:subClassOf sp:Component ,
          [ a owl:Restriction ; owl:onProperty own:size ; owl:cardinality 1 ] ,
          [ a owl:Restriction ; owl:onProperty sp:size ; owl:cardinality 1 ] ,
          [ a owl:Restriction ; owl:onProperty own:heel-height ; owl:cardinality 1 ] ,
          [ a owl:Restriction ; owl:onProperty <https://own.example.org/#2nd> ; owl:cardinality 1 ] .
        sp:type a owl:DatatypeProperty . own:size a owl:DatatypeProperty .
        own:heel-height a owl:DatatypeProperty ; rdfs:comment "Ends */ here.\\nAnd goes on." .`),
    );
    expect(source).toContain(
      "export interface Client_2 extends Inner<'Client_2'> {\n  readonly type_2?: string;",
    );
    expect(source).toContain("export interface Shoe_2 extends Inner<'Shoe_2'> {");
    expect(source).toContain('  readonly size_2: string;');
    expect(source).toContain('  readonly _2nd: Thing;');
    expect(source).toContain(
      '   * Ends *\\/ here.\n   * And goes on.\n   */\n  readonly heel_height: string;',
    );
    expect(source).toContain("size_2: { iri: 'https://own.example.org/#size', is: 'one', value: 'text' },");
    expect(source).toBe(await formatted(source));
  });

  it('has arrays of arrays where a property has several lists', async () => {
    const source = clientSource(
      tiny(`@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        sp:laces a owl:ObjectProperty . sp:Shoe rdfs:subClassOf
          [ a owl:Restriction ; owl:onProperty sp:laces ; owl:allValuesFrom rdf:List ] .`),
    );
    expect(source).toContain('  readonly laces: readonly (readonly Thing[])[];');
    expect(source).toBe(await formatted(source));
  });

  it('is not made when a call has a form that no method is known for', () => {
    const odd = tiny('', [
      ['api:cardinality "single" ; cg:answer "rdf"', 'api:cardinality "multiple" ; cg:answer "blob"'],
    ]);
    expect(() => clientSource(odd)).toThrow(
      'No method can be made of get_shoe: there is no blob GET multiple.',
    );
  });
});
