import { describe, expect, it } from 'vitest';
import {
  analysisFileName,
  analysisText,
  type AnalysisDraft,
} from '../../src/model/analyses/analysis-text.js';
import { readAnalysis } from '../../src/model/analyses/read-analysis.js';
import { ontology } from './containers.js';

const textOf = (draft: AnalysisDraft): string => analysisText(draft, ontology.prefixes);
const read = (text: string) => readAnalysis('x.rq', 'x', text, ontology);

describe('a query that is saved as an analysis', () => {
  it('has its title, its description and its prefixes, so that validate finds nothing wrong', () => {
    const text = textOf({
      title: 'Problems',
      description: 'How many records have each.',
      query:
        'SELECT ?name (COUNT(DISTINCT ?record) AS ?n)\n{ ?s a sp:Problem ; sp:belongsTo ?record ; sp:problemName/dcterms:title ?name } GROUP BY ?name',
    });
    expect(text).toBe(`# Problems
#
# How many records have each.

PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX sp: <http://smartplatforms.org/terms#>
SELECT ?name (COUNT(DISTINCT ?record) AS ?n)
{ ?s a sp:Problem ; sp:belongsTo ?record ; sp:problemName/dcterms:title ?name } GROUP BY ?name
`);
    const { analysis, problems } = read(text);
    expect(problems).toEqual([]);
    expect(analysis).toMatchObject({
      title: 'Problems',
      description: 'How many records have each.',
      columns: ['name', 'n'],
    });
  });

  it('keeps the head that it has, with its parameters and its chart', () => {
    const query = `# Sets by year
#
# $since (date, 1900): The first day that counts.
# chart: bar set at

PREFIX cg: <https://chartgraph.example.org/terms#>
SELECT ?set ?at { ?set a sp:VitalSignSet ; dcterms:date/^rdf:value/cg:earliest ?at FILTER (?at >= $since) }`;
    const text = textOf({ title: 'Another', description: 'Other', query });
    expect(text).not.toContain('Another');
    const { analysis, problems } = read(text);
    expect(problems).toEqual([]);
    expect(analysis?.parameters).toMatchObject([{ name: 'since', type: 'date', standard: '1900' }]);
    expect(analysis?.chart).toMatchObject({ kind: 'bar', across: 'set' });
    expect(read(textOf({ title: 'Sets', description: '', query: query.slice(17) })).problems).toEqual([]);
  });

  it('has a name that can be asked for', () => {
    expect(['Sets by year!', 'Épisodes – 2024', '2024', '…'].map(analysisFileName)).toEqual([
      'sets_by_year.rq',
      'e_pisodes_2024.rq',
      'analysis_2024.rq',
      'analysis_.rq',
    ]);
  });
});
