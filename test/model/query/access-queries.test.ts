import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import type { Ontology } from '../../../src/model/ontology/model.js';
import { readAccessQueries, relationIn } from '../../../src/model/query/access-queries.js';
import { literal } from '../../../src/rdf/terms.js';
import { temporaryFolder } from '../../store/disk/temporary.js';

const root = resolve(import.meta.dirname, '../../..');
let ontology: Ontology;
beforeAll(async () => {
  ({ ontology } = await loadOntology(join(root, 'ontology')));
});

const COLUMNS = '?practitioner ?from ?until';
const TIMES = 'sp:startDate ?from ; sp:endDate ?until ; sp:provider/sp:npiNumber ?practitioner';
const OWN = `?e sp:belongsTo $record ; a sp:Encounter ; ${TIMES}`;
const query = (pattern = `GRAPH ?e { ${OWN} }`, columns = COLUMNS): string =>
  `# days: 3\nPREFIX sp: <http://smartplatforms.org/terms#>\nSELECT ${columns}\nWHERE { ${pattern} }`;

async function read(...texts: readonly string[]) {
  const folders = await Promise.all(
    texts.map(async (text) => {
      const folder = await temporaryFolder();
      await mkdir(join(folder, 'access'));
      await writeFile(join(folder, 'access', 'q.rq'), text);
      return folder;
    }),
  );
  const { queries, problems } = await readAccessQueries(folders, ontology);
  return { queries, problems: problems.map(({ rule, line, reason }) => `${rule}:${line ?? ''} ${reason}`) };
}

describe('an access query', () => {
  it('is shipped, and reads encounters alone', async () => {
    const { queries, problems } = await readAccessQueries(join(root, 'queries'), ontology);
    expect(problems).toEqual([]);
    expect(
      Array.from(queries, ([name, { days, paths }]) => [
        name,
        days,
        paths.map((path) => path.prefix({ record_id: '1' })),
      ]),
    ).toEqual([['provider_of_encounter', 90, ['/records/1/encounters']]]);
  });

  it('may name its columns by expressions', async () => {
    const columns = '?practitioner ?from (COALESCE(?end, ?from) AS ?until)';
    const { queries, problems } = await read(query(`GRAPH ?e { ${OWN.replace('?until', '?end')} }`, columns));
    expect(problems).toEqual([]);
    expect(queries.get('q')?.days).toBe(3);
  });

  it('takes the place of one of its name in a lower layer', async () => {
    const { queries } = await read(query(), query().replace('days: 3', 'days: 7'));
    expect(Array.from(queries.values(), ({ days }) => days)).toEqual([7]);
  });

  it.each([
    ['access-query:3 is not a SELECT query', query().replace(`SELECT ${COLUMNS}`, 'ASK')],
    ['access-query:4 unexpected "}"', query('GRAPH ?e { ?e a }')],
    ['access-query: its columns are not ?practitioner, ?from, ?until', query(undefined, '*')],
    [
      'access-query: its columns are not ?practitioner, ?from, ?until',
      query(undefined, '?practitioner ?from'),
    ],
    ['access-query: its columns are not ?practitioner, ?from, ?until', query(undefined, `${COLUMNS} ?e`)],
    [
      'access-query:4 there is no parameter $resource, only $record',
      query(`GRAPH ?e { ${OWN} ; sp:facility $resource }`),
    ],
    ['access-query:4 NOW says something else each time', query(`GRAPH ?e { ${OWN} } FILTER(NOW() > ?from)`)],
    ['access-days: no line "# days: …" stands above the query', query().replace('# days: 3\n', '')],
    [
      'access-days: no line "# days: …" stands above the query',
      `${query().replace('# days: 3\n', '')}\n# days: 3`,
    ],
    [
      'query-term:4 sp:Encouter is not declared in the ontology',
      query(`GRAPH ?e { ${OWN.replace('Encounter', 'Encouter')} }`),
    ],
    [
      'query-unguarded:4 a graph ?e may be read that does not belong to $record',
      query(`GRAPH ?e { ?e a sp:Encounter ; ${TIMES} } GRAPH ?f { ?f sp:belongsTo $record ; a sp:Problem }`),
    ],
    [
      'query-unguarded:4 it reads SERVICE, which nothing ties to the request',
      query(`GRAPH ?e { ${OWN} } SERVICE <http://localhost/sparql> { ?e a ?c }`),
    ],
    ['query-graph:4 a pattern stands outside of every GRAPH', query(OWN)],
    [
      'query-variable:4 ?record is also used as the parameter $record',
      query(`GRAPH ?e { ${OWN} ; sp:belongsTo ?record }`),
    ],
    [
      'query-unconstrained:4 $record decides nothing: it stands in no pattern that must match',
      query(`OPTIONAL { GRAPH ?e { ${OWN} } }`),
    ],
    [
      'access-query: a graph ?e may be read of which no class is said',
      query(`GRAPH ?e { ?e sp:belongsTo $record ; ${TIMES} }`),
    ],
    [
      'access-query: a graph ?e may be read of which no class is said',
      query(`GRAPH ?e { ?e sp:belongsTo $record ; ${TIMES} OPTIONAL { ?e a sp:Encounter } }`),
    ],
  ])('is refused: %s', async (problem, text) => {
    const { queries, problems } = await read(text);
    expect(problems).toContain(problem);
    expect(queries.size).toBe(0);
  });
});

describe('a row of it', () => {
  const relation = (from: string, until: string, days = 0) => {
    const found = relationIn(
      { practitioner: literal('1'), from: literal(from), until: literal(until) },
      days,
    );
    return found && [new Date(found.from).toISOString(), new Date(found.until).toISOString()];
  };

  it('holds from the beginning of the first day to the end of the last one, and the days after it', () => {
    expect(relation('2026-03-03', '2026-03-04', 2)).toEqual([
      '2026-03-03T00:00:00.000Z',
      '2026-03-06T23:59:59.999Z',
    ]);
  });

  it('holds from and until the times that it states', () => {
    expect(relation('2026-03-03T10:00:00+02:00', '2026-03-03T11:30:00Z')).toEqual([
      '2026-03-03T08:00:00.000Z',
      '2026-03-03T11:30:00.999Z',
    ]);
  });

  it.each([
    ['2026', '2026-03-04'],
    ['2026-03-03', '2026-03'],
    ['some day', '2026-03-04'],
    ['2026-03-03', '2026-02-30'],
  ])('is no relation where a date names no day: %s until %s', (from, until) => {
    expect(relation(from, until)).toBeUndefined();
  });

  it.each(['practitioner', 'from', 'until'])('is no relation without ?%s', (name) => {
    const row = { practitioner: literal('1'), from: literal('2026-03-03'), until: literal('2026-03-03') };
    expect(relationIn({ ...row, [name]: undefined } as never, 0)).toBeUndefined();
  });
});
