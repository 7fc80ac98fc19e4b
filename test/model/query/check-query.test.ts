import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOntology } from '../../../src/model/ontology/read.js';
import { checkPatterns } from '../../../src/model/query/check/check-patterns.js';
import { checkQuery } from '../../../src/model/query/check/check-query.js';
import { loadQueries, readQueries } from '../../../src/model/query/load-queries.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { tinyOntology } from '../ontology/tiny-ontology.js';

const ontology = readOntology(await parseRdf(tinyOntology, { format: 'turtle' }));
const list = `PREFIX sp: <http://smartplatforms.org/terms#>
CONSTRUCT { ?s ?p ?o }
WHERE {
  { SELECT ?statement WHERE {
      GRAPH ?statement { ?statement sp:belongsTo $record ; a sp:Shoe . }
      #:filters
    }
    #:page
  }
  GRAPH ?statement { ?s ?p ?o }
}`;

function problems(sparql: string): string[] {
  const call = ontology.callByName.get('get_shoes');
  if (!call) throw new Error('the fixture has no get_shoes');
  return checkQuery('get_shoes.rq', sparql, call, ontology).problems.map(({ message }) => message);
}

describe('the check of a query', () => {
  test('a good query has nothing wrong', () => {
    expect(problems(list)).toEqual([]);
  });

  test.each([
    ['a syntax error', list.replace('a sp:Shoe .', 'a .'), 'get_shoes.rq:5: unexpected "."'],
    ['an unclosed group', list.slice(0, -1), 'get_shoes.rq:10: the query ends too early'],
    ['a stray character', list.replace('?statement {', '?statement ` {'), 'get_shoes.rq:5: unexpected "`"'],
    ['a misspelt keyword', list.replace('SELECT', 'SELCT'), 'get_shoes.rq:4: unexpected "SELCT"'],
    [
      'an escape, which the checks would not read',
      list.replace('sp:Shoe', 'sp:\\u0053hoe'),
      'get_shoes.rq:5: has the escape \\u0053; write the character itself',
    ],
    ['an unknown prefix', list.replaceAll('a sp:Shoe', 'a sq:Shoe'), 'get_shoes.rq:5: Unknown prefix: sq'],
    [
      'an undeclared parameter',
      list.replace('$record', '$recrod'),
      'get_shoes.rq:5: get_shoes has no parameter $recrod',
    ],
    [
      'an undeclared term',
      list.replace('sp:Shoe', 'sp:Show'),
      'get_shoes.rq:5: sp:Show is not declared in the ontology',
    ],
    [
      'an undeclared term as an IRI',
      list.replace('sp:Shoe', '<http://smartplatforms.org/terms#Show>'),
      'get_shoes.rq:5: sp:Show is not declared in the ontology',
    ],
    [
      'a parameter that is a variable too',
      list.replace('{ ?s ?p ?o }\n}', '{ ?s ?p ?record }\n}'),
      'get_shoes.rq:10: ?record is also used as the parameter $record',
    ],
    ['another form', 'SELECT * WHERE { ?s ?p ?o }', 'get_shoes.rq:1: is not a CONSTRUCT query'],
    ['an update', 'INSERT DATA { <urn:a> <urn:b> 1 }', 'get_shoes.rq:1: is not a CONSTRUCT query'],
    [
      'no place for its filters',
      list.replace(/#:(filters|page)/g, ''),
      'get_shoes.rq: a list with filters or an order needs #:filters and #:page',
    ],
    [
      'a parameter where no term can stand',
      list.replace('#:filters', 'BIND (1 AS $record_id)\n#:filters'),
      'get_shoes.rq: bound, it is no longer SPARQL',
    ],
    [
      'a variable in the place of the record, which would read all records',
      list.replace('$record', '?record'),
      'get_shoes.rq:5: a graph ?statement may be read that does not belong to $record',
    ],
  ])('names file and line of %s', (_, sparql, message) => {
    expect(problems(sparql).join('\n')).toContain(message);
  });
});

describe('the check of patterns', () => {
  async function broken(from: string, to: string): Promise<ReturnType<typeof readOntology>> {
    return readOntology(await parseRdf(tinyOntology.replace(from, to), { format: 'turtle' }));
  }

  test('names a misspelt property, with which a filter would keep nothing', async () => {
    const found = checkPatterns(await broken('?v sp:size/sp:code', '?v sp:siez/sp:code'));
    expect(found.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'undeclared-term: filters:shoes_by_size compares sp:siez, which is not declared.',
    ]);
    expect(checkPatterns(ontology)).toEqual([]);
  });

  test('names a graph that is nothing that the call is about, and one of another record', async () => {
    const size = 'GRAPH ?v { ?v sp:size/sp:code {size} }';
    const own = 'GRAPH ?v { ?v sp:belongsTo ?r ; sp:size/sp:code {size} }';
    const messages = async (pattern: string): Promise<string[]> =>
      checkPatterns(await broken(size, pattern)).map(({ rule, message }) => `${rule}: ${message}`);
    expect(await messages(`${own} GRAPH ?x { ?x sp:belongsTo ?r }`)).toEqual([
      'query-reach: filters:shoes_by_size reads a graph ?x that is nothing that calls:get_shoes is about.',
    ]);
    expect(await messages(`${own} GRAPH ?x { ?x sp:belongsTo ?r ; a sp:Shoe }`)).toEqual([]);
    expect(await messages(`${own} GRAPH ?x { ?x a sp:Shoe }`)).toEqual([
      'pattern-unguarded: filters:shoes_by_size reads a graph ?x that may belong to another record than ?v.',
    ]);
  });

  test('leaves a wrong value type of a date filter to the check of the ontology', async () => {
    const wrong = await broken('cg:valueType "date" ; cg:operator', 'cg:valueType "dat" ; cg:operator');
    const call = wrong.callByName.get('get_shoes');
    expect(call && checkQuery('get_shoes.rq', list, call, wrong).problems).toEqual([]);
  });
});

describe('a folder of queries', () => {
  test('must answer every GET, and nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chartgraph-queries-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'get_shoes.rq'), list);
    await writeFile(join(folder, 'get_hats.rq'), list);
    const { queries, problems } = await readQueries(folder, ontology);
    expect([...queries.keys()]).toEqual(['get_shoes']);
    expect(problems.map(({ reason, file }) => `${file.slice(folder.length + 1)} ${reason}`)).toEqual([
      'get_hats.rq no call of the ontology has this client method name',
      'get_shoe.rq the query is missing',
      'search_shoes.rq the query is missing',
    ]);
    await expect(loadQueries(folder, ontology)).rejects.toThrow(/get_hats\.rq: .*\n.*get_shoe\.rq: /);
  });

  test('names a query that cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chartgraph-queries-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'get_shoes.rq'));
    const { problems } = await readQueries(folder, ontology);
    expect(problems[0]?.message).toBe(`${join(folder, 'get_shoes.rq')}: the file cannot be read`);
  });

  test('a folder of queries that is not there is named', async () => {
    await expect(loadQueries('/no/such/folder', ontology)).rejects.toThrow(
      '/no/such/folder: the folder cannot be read',
    );
  });
});
