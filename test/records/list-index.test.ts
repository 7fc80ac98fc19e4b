import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listOrder } from '../../src/model/query/list-order.js';
import {
  fromListIndex,
  LIST_INSTANT,
  listIndexOf,
  listStatements,
  readInstants,
} from '../../src/model/query/index/list-index.js';
import { instants } from '../../src/model/query/partial-date.js';
import { loadQueries } from '../../src/model/query/load-queries.js';
import type { ReadPlan } from '../../src/model/query/read-plan.js';
import { literal, namedNode, quad, type Term } from '../../src/rdf/terms.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import { readList, readMembers } from '../../src/records/lists/list.js';
import { deriveIndex } from '../../src/records/search-index.js';
import { openMemoryStore } from '../../src/store/memory-store.js';
import { base, ontology, planOf, record } from './support.js';

const queries = await loadQueries(resolve(import.meta.dirname, '../../queries'), ontology);
const lists = ontology.calls.flatMap((call) => {
  const [index, query] = [listIndexOf(ontology, call), queries.get(call.name)];
  return index && query?.plan.members === 'record' && index.classes.join() === query.plan.classes.join()
    ? [{ name: call.name, call, index, query }]
    : [];
});

/** Statements with any dates, of each class and of another, in one record, in two or in none. */
const STATEMENTS = fc.record({
  isOfClass: fc.boolean(),
  records: fc.subarray([record, `${base}/records/8`]),
  dates: fc.array(
    fc.tuple(
      fc.nat({ max: 2 }),
      fc.constantFrom('2009', '2010-06', '2010-06-15T23:30:00-05:00', '0000', '1969-12-31', 'soon'),
    ),
    { maxLength: 3 },
  ),
});

const store = openMemoryStore(base, deriveIndex(ontology));
await store.write({
  replace: lists.flatMap(({ name, index }) => {
    const properties = [...index.dates, sp.endDate, dcterms.date];
    return fc.sample(STATEMENTS, { seed: 20261122, numRuns: 40 }).map((each, number) => {
      const statement = namedNode(`${record}/${name}/${number}`);
      const say = (property: string, object: Term) => quad(statement, namedNode(property), object);
      return {
        name: statement.value,
        quads: [
          say(
            rdf.type,
            namedNode(each.isOfClass ? (index.classes[number % index.classes.length] ?? '') : sp.Statement),
          ),
          ...each.records.map((iri) => say(sp.belongsTo, namedNode(iri))),
          ...each.dates.map(([at, date]) => say(properties[at] ?? dcterms.date, literal(date))),
        ],
      };
    });
  }),
});

describe('the members of a list', () => {
  it.each(lists)(
    'of $name are told in its order, each once, with their dates',
    async ({ call, query, index }) => {
      const values = { record: namedNode(record) };
      for (const limit of ['5', '1000']) {
        const request = { call, query, values, given: new Map([['limit', [limit]]]) };
        const until = [sp.endDate];
        const dates = { date: index.dates, until, status: [] };
        const { members, total } = await readMembers(store, ontology, { ...request, dates });
        const list = await readList(store, ontology, request);
        // Several dates of a member take so many places of a page.
        const least = limit === '5' ? 1 : list.order.length;
        expect(members.length).toBeGreaterThanOrEqual(least);
        expect(members.map(({ iri }) => iri)).toEqual(list.order.slice(0, members.length));
        expect(total).toBe(list.total);
        expect(total).toBeGreaterThan(5);
        for (const member of members) {
          const said = await store.construct(
            `CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <${member.iri}> { ?s ?p ?o } }`,
          );
          const of = (properties: readonly string[]): string[] =>
            said.flatMap(({ predicate, object }) =>
              properties.includes(predicate.value) ? [object.value] : [],
            );
          const newest = of(index.dates).map((text) => instants(text)?.low ?? '');
          expect(member.date ?? '').toBe(newest.sort().at(-1) ?? '');
          expect(member.until === undefined).toBe(of(until).length === 0);
          expect([undefined, ...of(until)]).toContain(member.until);
        }
      }
    },
  );
});

describe('pages of a list', () => {
  it.each(lists)('of $name are parts of the whole, and tell how many it has', async ({ call, query }) => {
    const values = { record: namedNode(record) };
    const read = (given: Record<string, number>) =>
      readList(store, ontology, {
        call,
        query,
        values,
        given: new Map(Object.entries(given).map(([name, value]) => [name, [String(value)]])),
      });
    const whole = await read({});
    // Many are undated, and many of one date, so that pages end among such.
    for (const limit of [1, 7, 30]) {
      const pages: string[] = [];
      let next: { offset: number; limit: number } | undefined = { offset: 0, limit };
      for (let at = 0; next; at += limit) {
        const page = await read({ limit, offset: at });
        expect(page.order.length).toBeLessThanOrEqual(limit);
        expect(page.total).toBe(whole.total);
        pages.push(...page.order);
        next = page.next;
      }
      expect(pages).toEqual(whole.order);
    }
    const beyond = await read({ limit: 5, offset: whole.total });
    expect(beyond).toMatchObject({ order: [], total: whole.total, next: undefined });
  });

  it('have all members of their instants, whether these are looked up or passed', async () => {
    const index = { target: sp.Problem, dates: [sp.startDate] };
    const many = openMemoryStore(base, (name) =>
      listStatements(name, record, index, [new Date(Number(name.split('/').at(-1)) * 1000).toISOString()]),
    );
    const names = Array.from({ length: 600 }, (_, second) => `${record}/problems/${second}`);
    const typed = (name: string) => quad(namedNode(name), namedNode(rdf.type), namedNode(sp.Problem));
    await many.write({ replace: names.map((name) => ({ name, quads: [typed(name)] })) });
    const gathered = await many.select(
      `SELECT (GROUP_CONCAT(?${LIST_INSTANT}) AS ?all) { ${fromListIndex(record, index, 's').pattern} }`,
    );
    const instants = [...readInstants(gathered[0]?.['all']?.value ?? '')];
    expect(instants).toHaveLength(600);
    for (const [from, to] of [
      [0, 600],
      [100, 350],
      [590, 600],
    ] as const) {
      const { pattern } = fromListIndex(record, index, 's', {
        instants: instants.slice(from, to),
        total: 600,
      });
      const found = await many.select(`SELECT ?s { ${pattern} }`);
      const wanted = names.slice(600 - to, 600 - from);
      expect(new Set(found.map((row) => row['s']?.value))).toEqual(new Set(wanted));
      expect(found).toHaveLength(wanted.length);
    }
    await many.close();
  });
});

describe('the index of lists', () => {
  it('answers the shipped lists of a record, those of several classes at one place among them', () => {
    const names = lists.map(({ name }) => name);
    expect(names).toContain('get_lab_results');
    expect(names).toContain('get_family_history_observations');
    expect(names).toContain('get_allergies');
    expect(names).not.toContain('search_records');
  });

  it.each(lists)(
    '$name finds what its own pattern finds, in the same order',
    async ({ call, index, query }) => {
      const values = { record: namedNode(record) };
      const variable = query.variable ?? '';
      const indexed = fromListIndex(record, index, variable);
      const found = await store.select(query.select(values, indexed));
      expect(found.length).toBeGreaterThan(5);
      expect(found).toEqual(await store.select(query.select(values, listOrder(ontology, call, variable))));
      expect(await store.select(query.count(values, indexed))).toEqual(
        await store.select(query.count(values)),
      );
      const { order, total } = await readList(store, ontology, { call, query, values, given: new Map() });
      expect(order).toEqual(found.map((row) => row[variable]?.value));
      expect(total).toBe(order.length);
    },
  );

  const planned = (
    members: ReadPlan['members'],
    pattern: string,
    prefix = `PREFIX sp: <${sp.belongsTo.slice(0, -'belongsTo'.length)}>`,
  ) => {
    const plan = planOf(
      `${prefix} CONSTRUCT { ?s ?p ?o } WHERE { { SELECT ?s WHERE { ${pattern} }\n#:page\n } GRAPH ?s { ?s ?p ?o } }`,
    );
    return plan.members === members ? plan.classes : undefined;
  };
  const listed = (pattern: string, prefix?: string) => planned('record', pattern, prefix);

  it.each([
    ['#:filters\n GRAPH ?s { ?s a sp:Problem . }', sp.Problem],
    ['GRAPH ?s {?s a sp:Problem}\n#:filters\n', sp.Problem],
    ['#:filters\n GRAPH ?s { ?s a ?class . }', undefined],
    ['#:filters\n GRAPH ?g { ?s a sp:Problem . }', undefined],
    ['#:filters\n GRAPH ?s { ?s a sp:Problem ; sp:startDate ?d . }', undefined],
    ['#:filters\n GRAPH ?s { ?s a sp:Problem . } FILTER(isIRI(?s))', undefined],
    ['#:filters\n GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem . }', undefined],
  ])('a search whose pattern is %s is known to look for %s alone', (pattern, target) => {
    expect(planned('container', pattern)?.join()).toBe(target);
  });

  it.each([
    ['GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem }\n#:filters\n', sp.Problem],
    ['GRAPH ?s {?s sp:belongsTo $record;a sp:Problem .}\n#:filters\n', sp.Problem],
    [`GRAPH ?s { ?s <${sp.belongsTo}> $record ; a <urn:x> . } # so\n#:filters\n`, 'urn:x'],
    ['GRAPH ?s { ?s sp:belongsTo $record ; a ?class }\n#:filters\n', undefined],
    [
      'GRAPH ?s { ?s sp:belongsTo $record ; a ?c . FILTER (?c IN (sp:Allergy,<urn:x>)) }\n#:filters\n',
      `${sp.Allergy} urn:x`,
    ],
    [
      'GRAPH ?s { ?s sp:belongsTo $record ; a ?c . FILTER (?d IN (sp:Allergy, <urn:x>)) }\n#:filters\n',
      undefined,
    ],
    ['GRAPH ?s { ?s sp:belongsTo $record ; a ?s . FILTER (?s IN (<urn:x>)) }\n#:filters\n', undefined],
    ['GRAPH ?s { ?s sp:belongsTo $record ; a ?c . FILTER (?c IN (<urn:x>, ?s)) }\n#:filters\n', undefined],
    ['GRAPH ?s { ?s sp:belongsTo $record ; a ?c . FILTER (?c NOT IN (<urn:x>)) }\n#:filters\n', undefined],
    ['GRAPH ?s { ?s sp:belongsTo $resource ; a sp:Problem }\n#:filters\n', undefined],
    ['GRAPH ?g { ?s sp:belongsTo $record ; a sp:Problem }\n#:filters\n', undefined],
    ['GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem ; sp:startDate ?d }\n#:filters\n', undefined],
    ['GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem }\n#:filters\n FILTER(isIRI(?s))', undefined],
    ['FILTER(isIRI(?s)) GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem }\n#:filters\n', undefined],
    ['#:filters\n GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem }', undefined],
  ])('the pattern %j lists %s', (pattern, target) => {
    expect(listed(pattern)).toEqual(target?.split(' '));
  });

  it('goes by the prefixes that a query declares', () => {
    const other = 'PREFIX sp: <http://other.example/>';
    expect(listed('GRAPH ?s { ?s sp:belongsTo $record ; a sp:Problem }\n#:filters\n', other)).toBeUndefined();
  });
});
