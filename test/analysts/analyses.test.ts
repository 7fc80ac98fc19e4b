import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AnalysisValueError, bindAnalysis, type Analysis } from '../../src/model/analyses/analysis.js';
import { loadAnalyses, readAnalysis } from '../../src/model/analyses/read-analysis.js';
import { identified } from '../../src/analysts/levels.js';
import { sp } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { patient, record } from '../records/support.js';
import { analystStore, type Row } from './analyst-store.js';
import { ontology, seedGraphs, viewOf } from './containers.js';
import { naiveAnswers } from './naive-answers.js';

const queries = resolve(import.meta.dirname, '..', '..', 'queries');
const analyses = await loadAnalyses(queries, ontology);
let graphs: readonly NamedGraph[];
let ask: (sparql: string) => Row[];
let askHidden: (sparql: string) => Row[];
let expected: ReturnType<typeof naiveAnswers>;

beforeAll(async () => {
  graphs = await seedGraphs();
  ask = await analystStore(graphs, identified);
  askHidden = await analystStore(graphs, viewOf(graphs));
  expected = naiveAnswers(graphs);
});

const analysis = (name: string): Analysis => {
  const found = analyses.get(name);
  if (!found) throw new Error(`there is no analysis ${name}`);
  return found;
};

/** Rows as texts, numbers to six digits, in an order of their own. */
const told = (rows: readonly (readonly (string | number)[])[]): string[] =>
  rows
    .map((row) =>
      row
        .map((cell) => (/^-?\d+(\.\d+)?$/.test(String(cell)) ? Number(Number(cell).toFixed(6)) : cell))
        .join(' | '),
    )
    .sort();

describe('the shipped analyses', () => {
  it('are at least twelve, each with a title, a description and what it is asked for', () => {
    expect(analyses.size).toBeGreaterThanOrEqual(12);
    for (const { title, description, parameters } of analyses.values()) {
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(description).toMatch(/^.*\.$/);
      for (const { comment, standard } of parameters)
        expect([comment.at(-1), typeof standard]).toEqual(['.', 'string']);
    }
  });

  it.each([...analyses.keys()])('%s finds in the seed what a program without SPARQL counts', (name) => {
    const { columns, rows } = expected[name] ?? { columns: [], rows: [] };
    const found = ask(bindAnalysis(analysis(name), []));
    expect(columns.length).toBeGreaterThan(0);
    expect(told(found.map((row) => columns.map((column) => row[column] ?? '')))).toEqual(told(rows));
    for (const row of found)
      expect(Object.keys(row).every((column) => analysis(name).columns.includes(column))).toBe(true);
  });

  it.each(
    [...analyses.keys()].filter(
      (name) => !['lab_trend', 'encounters_by_month', 'age_pyramid'].includes(name),
    ),
  )('%s finds as much at the de-identified level, where dates are moved', (name) => {
    const sparql = bindAnalysis(analysis(name), []);
    const dated = ['record', 'date', 'since'];
    const cells = (rows: readonly Row[]): string[] =>
      told(
        rows.map((row) =>
          Object.entries(row).flatMap(([column, cell]) => (dated.includes(column) ? [] : [cell])),
        ),
      );
    expect(cells(askHidden(sparql))).toEqual(cells(ask(sparql)));
  });

  it.each(['lab_trend', 'encounters_by_month', 'age_pyramid'])(
    '%s counts as many over all moved dates',
    (name) => {
      const sum = (rows: readonly Row[]): number =>
        rows.reduce(
          (total, row) => total + Number(row['results'] ?? row['encounters'] ?? row['patients']),
          0,
        );
      const sparql = bindAnalysis(analysis(name), []);
      expect(sum(askHidden(sparql))).toBe(sum(ask(sparql)));
      expect(sum(ask(sparql))).toBeGreaterThan(4);
    },
  );

  it('lab_trend leaves out what is no number, and not the year of it', async () => {
    const result = (value: string): string =>
      `a sp:LabResult ; dcterms:date "2025-06-15" ; sp:quantitativeResult [ a sp:QuantitativeResult ;
        sp:valueAndUnit [ a sp:ValueAndUnit ; sp:value "${value}" ; sp:unit "%" ] ] ;
        sp:labName [ a sp:CodedValue ; dcterms:title "A1c" ; sp:code <http://purl.bioontology.org/ontology/LNC/4548-4> ] .`;
    const made = await patient(
      ['5', '<4', '7', '1E+2x'].map((value, at) => `<lab_results/${at}> ${result(value)}`).join('\n'),
    );
    const answer = await analystStore(made.graphs, identified);
    expect(answer(bindAnalysis(analysis('lab_trend'), []))).toEqual([
      { year: '2025', results: '2', patients: '1', mean: '6', least: '5', greatest: '7' },
    ]);
  });

  it('that find little in the seed find what is made for them', async () => {
    const coded = `sp:problemName [ a sp:CodedValue ; dcterms:title "Asthma" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/195967001> ]`;
    const made = await patient(`
      <problems/1> a sp:Problem ; sp:startDate "2010-06-15" ; ${coded} .
      <problems/2> a sp:Problem ; sp:startDate "2010-06-15" ; ${coded} ; sp:notes "once more" .
      <problems/3> a sp:Problem ; sp:startDate "2011-06-15" ; ${coded} .
      <problems/4> a sp:Problem ; sp:startDate "2012-06-15" ; sp:problemName [ a sp:CodedValue ; dcterms:title "Wheezing" ] .`);
    const answer = await analystStore(made.graphs, identified);
    const [copy, ...others] = answer(bindAnalysis(analysis('duplicates'), []));
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ record, date: '2010-06-15', copies: '2' });
    expect(answer(bindAnalysis(analysis('missing_codes'), []))).toEqual([
      { class: sp.Problem, property: sp.problemName, title: 'Wheezing', values: '1' },
    ]);
  });

  it('of what patients have and take leave out what its status says is over', async () => {
    const snomed = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
    const status = 'https://chartgraph.example.org/terms/codes/MedicationStatus#';
    const coded = (code: string): string =>
      `[ a sp:CodedValue ; dcterms:title "${code}" ; sp:code <${code}> ]`;
    const drug = (code: string): string => coded(`http://purl.bioontology.org/ontology/RXNORM/${code}`);
    const about = async (problem: string, taken: string): Promise<[number, number]> => {
      const { graphs: own } = await patient(`
        <problems/1> a sp:Problem ; sp:startDate "2010" ; sp:problemName ${coded(`${snomed}59621000`)} ${problem} .
        <medications/1> a sp:Medication ; sp:startDate "2010" ; sp:instructions "x" ; sp:drugName ${drug('314076')} ${taken} .
        <medications/2> a sp:Medication ; sp:startDate "2010" ; sp:instructions "x" ; sp:drugName ${drug('197361')} .`);
      const answer = await analystStore(own, identified);
      const rows = (name: string): number => answer(bindAnalysis(analysis(name), [])).length;
      return [rows('condition_without_drug'), rows('co_medication')];
    };
    const stopped = `; cg:medicationStatus ${coded(`${status}stopped`)}`;
    expect(await about('', '')).toEqual([0, 1]);
    expect(await about('', `; cg:medicationStatus ${coded(`${status}onHold`)}`)).toEqual([0, 1]);
    expect(await about('', stopped)).toEqual([1, 0]);
    expect(await about(`; sp:problemStatus ${coded(`${snomed}413322009`)}`, stopped)).toEqual([0, 0]);
  });

  it('take values of their parameters', () => {
    const rows = (name: string, ...given: [string, string][]): Row[] =>
      ask(bindAnalysis(analysis(name), given));
    const months = rows('encounters_by_month').map(({ month }) => month ?? '');
    expect(rows('encounters_by_month', ['since', '2018']).map(({ month }) => month)).toEqual(
      months.filter((month) => month >= '2018'),
    );
    expect(rows('latest_lab_values', ['test', '2345-7']).length).toBeGreaterThan(0);
    expect(rows('latest_lab_values', ['test', '0-0'])).toEqual([]);
    const patients = rows('frequent_problems', ['least', '2']).map((row) => Number(row['patients']));
    expect(patients.length).toBeGreaterThan(0);
    expect(patients.every((count) => count >= 2)).toBe(true);
  });
});

describe('a value of a parameter', () => {
  const head = `# A question
#
# It asks.
#
# $code (code http://purl.bioontology.org/ontology/LNC/): A code.
# $since (date, 2000): A day.
# $least (integer, 1): A number.
# $unit (text, mg): A unit.
# $side (choice left|right, left): A side.
SELECT ?s WHERE { ?s ?p $code , $since , $least , $unit , $side }`;
  const { analysis: asked } = readAnalysis('q.rq', 'q', head, ontology);
  const bound = (...given: [string, string][]): string => (asked ? bindAnalysis(asked, given) : '');

  it('is bound as a term, whatever stands in it', () => {
    const sparql = bound(
      ['code', '4548-4'],
      ['since', '2010-06'],
      ['unit', '" } DROP ALL # \\'],
      ['least', '007'],
    );
    expect(sparql).toContain('<http://purl.bioontology.org/ontology/LNC/4548-4>');
    expect(sparql).toContain('"2010-06-01T00:00:00.000Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>');
    expect(sparql).toContain('"\\" } DROP ALL # \\\\"');
    expect(sparql).toContain('"7"^^<http://www.w3.org/2001/XMLSchema#integer>');
    expect(sparql).toContain('"left"');
  });

  it.each<[string, [string, string][]]>([
    ['code is missing; it must be the identifier of a code, such as 44054006.', []],
    ['code must be the identifier of a code, such as 44054006.', [['code', 'x> ?p ?o']]],
    [
      'since must be a date of ISO 8601, such as 2010 or 2010-06-15.',
      [
        ['code', '1'],
        ['since', 'today'],
      ],
    ],
    [
      'least must be a whole number of at most nine digits.',
      [
        ['code', '1'],
        ['least', '-1'],
      ],
    ],
    [
      'unit must be a text of 1 to 1000 characters.',
      [
        ['code', '1'],
        ['unit', ''],
      ],
    ],
    [
      'side must be one of left, right.',
      [
        ['code', '1'],
        ['side', 'up'],
      ],
    ],
    ['q has no such parameter; it has code, since, least, unit, side.', [['colour', 'red']]],
    [
      'code is given twice; give it once.',
      [
        ['code', '1'],
        ['code', '2'],
      ],
    ],
  ])('that cannot be is refused: %s', (message, given) => {
    expect(() => bound(...given)).toThrow(new AnalysisValueError(given.at(-1)?.[0] ?? 'code', message));
  });
});

describe('the file of an analysis', () => {
  const select = 'SELECT ?s WHERE { ?s a ?c }';
  const problems = (text: string): string[] =>
    readAnalysis('q.rq', 'q', text, ontology).problems.map(
      ({ rule, line, reason }) => `${rule}:${line ?? ''} ${reason}`,
    );

  it.each([
    [select, 'analysis-head:1 the title is missing: write it into a comment on the first line'],
    [`# T\nCONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }`, 'analysis-query:2 is not a SELECT query'],
    [`# T\nSELECT ?s WHERE { ?s a }`, 'analysis-query:2 unexpected "}"'],
    [`# T\nSELECT * WHERE { ?s a ?c }`, 'analysis-query: SELECT * names no columns'],
    [
      `# T\nSELECT ?s WHERE { SERVICE <http://a.example> { ?s a ?c } }`,
      'analysis-query:2 SERVICE asks another server',
    ],
    [
      `# T\nPREFIX sp: <http://smartplatforms.org/terms#>\nSELECT ?s WHERE { ?s a sp:Problme }`,
      'analysis-term:3 sp:Problme is not declared in the ontology',
    ],
    [
      `# T\n# $a (number): A number.\nSELECT ?s WHERE { ?s a $a }`,
      'analysis-head:2 $a has the type number; types are text, code, date, integer, choice',
    ],
    [
      `# T\n# $a integer: A number.\nSELECT ?s WHERE { ?s a ?c }`,
      'analysis-head:2 a parameter is declared as "$name (type, default): what it is"',
    ],
    [
      `# T\n# $a (code): A code.\nSELECT ?s WHERE { ?s a $a }`,
      'analysis-head:2 $a is a code: name its system, such as (code http://purl.bioontology.org/ontology/LNC/)',
    ],
    [
      `# T\n# $a (choice x): A choice.\nSELECT ?s WHERE { ?s a $a }`,
      'analysis-head:2 $a is a choice: name what there is to choose, as (choice a|b)',
    ],
    [
      `# T\n# $a (integer, x): A number.\nSELECT ?s WHERE { ?s a $a }`,
      'analysis-head:2 the default of $a is x, but must be a whole number of at most nine digits',
    ],
    [`# T\nSELECT ?s WHERE { ?s a $a }`, 'analysis-head:2 $a is not declared at the head'],
    [`# T\n# $a (integer): A number.\n${select}`, 'analysis-head:2 $a is declared and not used'],
    [
      `# T\n# $a (integer): A number.\nSELECT ?s WHERE { ?s a $a , ?a }`,
      'analysis-head:3 ?a is also the parameter $a',
    ],
    [
      `# T\n# chart: pie s\n${select}`,
      'analysis-head:2 a chart is "chart: bar or line", the column across and the columns of numbers',
    ],
    [`# T\n# chart: bar s n\n${select}`, 'analysis-head: the chart draws n, which is no column'],
  ])('with something wrong is told so: %j', (text, problem) => {
    expect(problems(text)).toContain(problem);
  });
});
