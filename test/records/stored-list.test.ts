import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { construct } from '../../src/http/handlers/reads.js';
import type { CallModel } from '../../src/model/ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../../src/model/ontology/path-template.js';
import { loadQueries } from '../../src/model/query/load-queries.js';
import { printPlan, type ReadPlan } from '../../src/model/query/read-plan.js';
import { QueryTemplate } from '../../src/model/query/template.js';
import { writeTerm, writeTriples } from '../../src/rdf/ntriples.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { dcterms, prefixes, rdf, sp, xsd } from '../../src/rdf/vocabulary.js';
import { blobGraph } from '../../src/records/blobs/blob-graph.js';
import { readKnown, readList, type ListRequest } from '../../src/records/lists/list.js';
import { placesInRecord } from '../../src/records/record-partition.js';
import { deriveIndex } from '../../src/records/search-index.js';
import type { GraphStore, NamedGraph } from '../../src/store/graph-store.js';
import { openMemoryStore } from '../../src/store/memory-store.js';
import { pastStores } from '../../src/store/past-store.js';
import { runs } from '../setup/runs.js';
import { base, ontology, planOf, storeOf } from './support.js';

const queries = await loadQueries(resolve(import.meta.dirname, '../../queries'), ontology);
const RECORDS = ['7', '8'];
const calls = ontology.calls.filter(
  ({ method, scope, answer }) => method === 'GET' && scope === 'record' && answer === 'rdf',
);
const queryOf = (name: string): QueryTemplate => {
  const query = queries.get(name);
  if (!query) throw new Error(`${name} has no query`);
  return query;
};
const lists = calls.filter(({ name, cardinality }) => cardinality === 'multiple' && queryOf(name).plan.along);
/** Each with its query, and one that goes on by several properties. */
const queried = [
  ...lists.map((call) => ({ call, query: queryOf(call.name) })),
  ...lists
    .filter(({ name }) => name === 'get_problems')
    .map((call) => {
      const text = queryOf(call.name).text.replace('sp:encounters?', '(sp:encounters|sp:encounter)?');
      return { call, query: new QueryTemplate(call.name, 'several.rq', text, planOf(text)) };
    }),
];
const singles = calls.filter(({ name }) => {
  const { members, classes, along } = queryOf(name).plan;
  return members === 'resource' && classes.length > 0 && along;
});

/** Whether a plan is of the graph of `$resource`, whatever it is of. */
const isWholeGraph = ({ members, classes, along }: ReadPlan): boolean =>
  members === 'resource' && classes.length === 0 && along?.length === 0;

/** The same store without what is stored: all has to be queried. */
const queriedOnly = (store: GraphStore): GraphStore => ({
  base: store.base,
  construct: (sparql, scope) => store.construct(sparql, scope),
  select: (sparql, scope) => store.select(sparql, scope),
  ask: (sparql, scope) => store.ask(sparql, scope),
  write: (change) => store.write(change),
  has: (name) => store.has(name),
  revision: (path) => store.revision(path),
  close: () => Promise.resolve(),
});

/** What an engine holds where nothing is loaded but what a call reads. */
function within(call: CallModel, record: string, graphs: readonly NamedGraph[]): NamedGraph[] {
  const places = placesInRecord(ontology, call, { record_id: record });
  return graphs.filter(({ name }) => places.some((place) => isAtOrBelow(name, base + place)));
}

const lines = (quads: readonly Quad[]): string[] => writeTriples(quads).split('\n').sort();
const say = (subject: Term, property: string, object: Term): Quad =>
  quad(subject, namedNode(property), object);

/** The classes and the places of statements, and the properties by which they may lead to others. */
const kinds = lists.flatMap(({ name, path }) => {
  const { classes, along: neighbours = [] } = queryOf(name).plan;
  return classes.map((type) => ({ type, path: PathTemplate.of(path), neighbours, place: name }));
});

/** A statement of one kind or another: of its class or not, of its record or of none, with dates, links to others and an inside. */
const STATEMENT = fc.record({
  kind: fc.nat({ max: kinds.length - 1 }),
  at: fc.constantFrom(...RECORDS),
  id: fc.nat({ max: 5 }),
  isOfClass: fc.boolean(),
  belongs: fc.boolean(),
  dates: fc.array(fc.constantFrom('2009', '2010-06', '2010-06-15T23:30:00-05:00', '1969-12-31', 'soon')),
  links: fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 5 }), fc.nat({ max: 3 })), { maxLength: 5 }),
  text: fc.constantFrom('plain', 'ends .\n', '<http://chart.test/records/7> .', '"$&" \\', 'é🙂', '</'),
});

type Statement = typeof STATEMENT extends fc.Arbitrary<infer T> ? T : never;

const nameOf = ({ kind, at, id }: Statement): string =>
  `${base}${kinds[kind]?.path.prefix({ record_id: at }) ?? ''}/${id}`;

function graphOf(statement: Statement, all: readonly Statement[]): NamedGraph {
  const { type = '', neighbours = [] } = kinds[statement.kind] ?? {};
  const name = nameOf(statement);
  const own = namedNode(name);
  const inner = blankNode('inner');
  const linked = ([to, what, by]: readonly [number, number, number]): Quad => {
    const target = all[to % all.length] ?? statement;
    const properties = [...neighbours, sp.encounter];
    const others = [literal(nameOf(target)), namedNode(`${base}/records/7/nothing/here`), inner];
    return say(own, properties[by % properties.length] ?? '', others[what] ?? namedNode(nameOf(target)));
  };
  const properties = [dcterms.date, sp.startDate];
  return {
    name,
    quads: [
      say(own, rdf.type, namedNode(statement.isOfClass ? type : sp.Statement)),
      ...(statement.belongs ? [say(own, sp.belongsTo, namedNode(`${base}/records/${statement.at}`))] : []),
      ...statement.dates.map((date, at) => say(own, properties[at % 2] ?? dcterms.date, literal(date))),
      ...statement.links.map(linked),
      say(own, sp.notes, inner),
      say(inner, rdf.type, namedNode(type)),
      say(inner, dcterms.title, literal(statement.text)),
      // The same is said in several graphs.
      say(namedNode('http://chart.test/codes/1'), dcterms.title, literal('a code')),
    ],
  };
}

const requestOf = (
  call: CallModel,
  record: string,
  page: Readonly<Record<string, string>> = {},
  query = queryOf(call.name),
): ListRequest => ({
  call,
  query,
  values: { record: namedNode(`${base}/records/${record}`), record_id: literal(record) },
  given: new Map(Object.entries(page).map(([name, value]) => [name, [value]])),
});

const PAGES = [
  {},
  { limit: '2' },
  { limit: '3', offset: '2' },
  { offset: '1' },
  { limit: '5', offset: '90' },
];

/** Everything that a list answers, to be compared. */
async function answerOf(store: GraphStore, request: ListRequest) {
  const { quads, ...rest } = await readList(store, ontology, request);
  return { ...rest, lines: lines(quads) };
}

describe('what is answered from graphs as they are stored', () => {
  it('is every shipped list of a record, and every one statement of a class', () => {
    expect(lists.map(({ name }) => name)).toEqual(
      calls.filter(({ cardinality }) => cardinality === 'multiple').map(({ name }) => name),
    );
    const others = calls.filter((call) => call.cardinality === 'single' && !singles.includes(call));
    expect(others.map(({ name }) => name)).toEqual(['get_record']);
  });

  it('is what the queries find, whatever stands in the store', async () => {
    const store = await storeOf([]);
    const engine = openMemoryStore(base, deriveIndex(ontology));
    const reference = queriedOnly(engine);
    const removeUnder = RECORDS.map((record) => `${base}/records/${record}`);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(STATEMENT, { minLength: 20, maxLength: 60 }), async (statements) => {
        const graphs = statements.map((statement) => graphOf(statement, statements));
        const unique = [...new Map(graphs.map((graph) => [graph.name, graph])).values()];
        const names = unique.map(({ name }) => name);
        await store.write({ removeUnder });
        await store.write({ replace: unique });
        for (const record of RECORDS) {
          for (const { call, query } of queried) {
            const loaded = within(call, record, unique);
            await engine.write({ removeUnder });
            await engine.write({ replace: loaded });
            for (const page of PAGES) {
              const request = requestOf(call, record, page, query);
              const answer = await answerOf(store, request);
              expect(answer).toEqual(await answerOf(reference, request));
              found += answer.lines.length;
            }
            // Names that somebody else has found, of whatever there is where the call reads.
            const known = loaded.map(({ name }) => name);
            const request = requestOf(call, record, {}, query);
            expect(lines(await readKnown(store, ontology, request, known))).toEqual(
              lines(await readKnown(reference, ontology, request, known)),
            );
          }
          for (const call of singles) {
            await engine.write({ removeUnder });
            await engine.write({ replace: within(call, record, unique) });
            for (const name of names) {
              const asked = { call, path: { record_id: record }, resource: name };
              const reads = { ontology, queries, base };
              const quads = await construct({ ...reads, store }, asked);
              expect(lines(quads)).toEqual(lines(await construct({ ...reads, store: reference }, asked)));
              found += quads.length;
            }
          }
        }
      }),
      { numRuns: runs(8) },
    );
    expect(found).toBeGreaterThan(500);
  });

  /** Encounters of record 7, oldest first, each with more to say. */
  const encounters = (number: number, more: (own: Term) => readonly Quad[]): NamedGraph[] =>
    Array.from({ length: number }, (_, id) => {
      const own = namedNode(`${base}/records/7/encounters/${id}`);
      return {
        name: own.value,
        quads: [
          say(own, rdf.type, namedNode(sp.Encounter)),
          say(own, sp.belongsTo, namedNode(`${base}/records/7`)),
          say(own, sp.startDate, literal(`20${String(id % 50).padStart(2, '0')}`)),
          ...more(own),
        ],
      };
    });
  const callOf = (name: string): CallModel => {
    const call = calls.find((each) => each.name === name);
    if (!call) throw new Error(`the ontology has no ${name}`);
    return call;
  };

  it('is what an app keeps, and the ontology: graphs that are asked for whole', async () => {
    const whole = ontology.calls.filter(
      ({ name }) => queries.get(name)?.plan && isWholeGraph(queryOf(name).plan),
    );
    const names = whole.map(({ name }) => name).sort();
    expect(names).toEqual(['get_ontology', 'get_scratchpad_data', 'get_user_preferences']);
    const kept = `${base}/records/7/apps/notes@apps.example.org/scratchpad`;
    const graphs = ['plain', 'größer "und" so\n', 'not in XML: \u0001'].map((text, at) =>
      blobGraph(`${kept}${at}`, sp.ScratchpadData, { text, mediaType: 'text/plain' }),
    );
    const store = await storeOf(graphs);
    const constructs = vi.spyOn(store, 'construct');
    for (const call of whole) {
      for (const { name: resource, quads } of [...graphs, { name: kept, quads: [] }]) {
        const asked = { call, path: {}, resource };
        const found = await construct({ ontology, queries, base, store }, asked);
        expect(constructs).not.toHaveBeenCalled();
        expect(found).toHaveLength(quads.length);
        const reference = { ontology, queries, base, store: queriedOnly(store) };
        expect(lines(found)).toEqual(lines(await construct(reference, asked)));
        constructs.mockClear();
      }
    }
  });

  it('keeps how literals were written, in a list of more than a thousand, too', async () => {
    const written = [
      literal('007', namedNode(xsd.integer)),
      literal('2010-01-01+00:00', namedNode(xsd.date)),
      literal('1.50', namedNode(xsd.decimal)),
      literal('so', 'en-US'),
    ];
    const store = await storeOf(encounters(1100, (own) => written.map((value) => say(own, sp.value, value))));
    for (const page of [{}, { limit: '3' }]) {
      const request = requestOf(callOf('get_encounters'), '7', page);
      const { quads, total } = await readList(store, ontology, request);
      expect(total).toBe(1100);
      const values = quads.flatMap(({ predicate, object }) => (predicate.value === sp.value ? [object] : []));
      expect(new Set(values.map(writeTerm))).toEqual(new Set(written.map(writeTerm)));
    }
  });

  it.each([
    ['many', 130, 'short', [{}, { limit: '90' }]],
    ['long', 20, 'x'.repeat(60_000), [{}, { limit: '5' }]],
    ['many more than go out', 40, 'short', [{ limit: '10' }, { limit: '5', offset: '30' }]],
  ])('is found by a query where members are %s, and is the same', async (_, number, text, pages) => {
    const store = await storeOf(encounters(number, (own) => [say(own, sp.notes, literal(text))]));
    const selects = vi.spyOn(store, 'select');
    for (const page of pages) {
      const request = requestOf(callOf('get_encounters'), '7', page);
      const answer = await answerOf(store, request);
      // A page is found by the instants of all members, then those of its own.
      expect(selects).toHaveBeenCalledTimes('limit' in page ? 2 : 1);
      expect(answer).toEqual(await answerOf(queriedOnly(store), request));
      expect(answer.total).toBe(number);
      selects.mockClear();
    }
  });

  it('is nothing that stands where the call does not read, whatever links to it', async () => {
    const problem = namedNode(`${base}/records/7/problems/a`);
    const store = await storeOf([
      ...encounters(1, (own) => [say(own, sp.encounter, problem), say(own, sp.encounters, problem)]),
      {
        name: problem.value,
        quads: [
          say(problem, rdf.type, namedNode(sp.Problem)),
          say(problem, sp.belongsTo, namedNode(`${base}/records/7`)),
          say(problem, sp.encounters, namedNode(`${base}/records/7/encounters/0`)),
          say(problem, sp.encounters, namedNode(`${base}/records/7/allergies/a`)),
        ],
      },
      {
        name: `${base}/records/7/allergies/a`,
        quads: [
          say(namedNode(`${base}/records/7/allergies/a`), rdf.type, namedNode(sp.Allergy)),
          say(namedNode(`${base}/records/7/allergies/a`), sp.belongsTo, namedNode(`${base}/records/7`)),
        ],
      },
    ]);
    for (const { call, query } of queried.filter((each) => each.call.name === 'get_problems')) {
      const { quads } = await readList(store, ontology, requestOf(call, '7', {}, query));
      expect(new Set(quads.map(({ subject }) => subject.value))).toEqual(
        new Set([problem.value, `${base}/records/7/encounters/0`]),
      );
    }
  });

  it('is found by each of the properties that a query goes on by', async () => {
    const problem = namedNode(`${base}/records/7/problems/a`);
    const store = await storeOf([
      ...encounters(2, () => []),
      {
        name: problem.value,
        quads: [
          say(problem, rdf.type, namedNode(sp.Problem)),
          say(problem, sp.belongsTo, namedNode(`${base}/records/7`)),
          say(problem, sp.encounters, namedNode(`${base}/records/7/encounters/0`)),
          say(problem, sp.encounter, namedNode(`${base}/records/7/encounters/1`)),
        ],
      },
    ]);
    const subjects = async ({ call, query }: (typeof queried)[number]): Promise<number> => {
      const { quads } = await readList(store, ontology, requestOf(call, '7', {}, query));
      return new Set(quads.map(({ subject }) => subject.value)).size;
    };
    const [shipped, several] = queried.filter((each) => each.call.name === 'get_problems');
    expect(shipped && (await subjects(shipped))).toBe(2);
    expect(several && (await subjects(several))).toBe(3);
  });

  it('is what an earlier state said, found without opening what does not go out', async () => {
    const call = callOf('get_fulfillments');
    const own = (id: number) => namedNode(`${base}/records/7/fulfillments/${id}`);
    const fulfillment = (id: number, date: string, medication: string): NamedGraph => ({
      name: own(id).value,
      quads: [
        say(own(id), rdf.type, namedNode(sp.Fulfillment)),
        say(own(id), sp.belongsTo, namedNode(`${base}/records/7`)),
        say(own(id), dcterms.date, literal(date)),
        say(own(id), sp.medication, namedNode(`${base}/records/7/medications/${medication}`)),
      ],
    });
    // No graph can have so long a name, and nothing asks for one.
    const endless = 'a'.repeat(2500);
    const store = await storeOf([fulfillment(0, '2009', endless), fulfillment(1, '2011', 'b')]);
    const before = await store.revision('');
    await store.write({ replace: [fulfillment(0, '2012', 'c'), fulfillment(2, '2013', endless)] });
    await store.write({ remove: [own(1).value] });
    const past = pastStores(store.primary, deriveIndex(ontology));
    for (const [revision, order] of [
      [before, [1, 0]],
      [before + 1, [2, 0, 1]],
      [before + 2, [2, 0]],
    ] as const) {
      const then = past('/records/7', revision);
      for (const page of PAGES) {
        const request = requestOf(call, '7', page);
        expect(await answerOf(then, request)).toEqual(await answerOf(queriedOnly(then), request));
      }
      expect((await readList(then, ontology, requestOf(call, '7'))).order).toEqual(
        order.map((id) => own(id).value),
      );
    }
  });
});

describe('a query is planned by its form', () => {
  const PROLOGUE = [
    `PREFIX sp: <${prefixes.sp}>`,
    `PREFIX twice: <${prefixes.sp}>`,
    'PREFIX twice: <http://chart.test/other#>',
    'PREFIX relative: <urn>',
    '',
  ].join('\n');
  const list = (tail: string, head = 'CONSTRUCT { ?s ?p ?o } WHERE {') =>
    planOf(
      `${PROLOGUE}${head} { SELECT ?m WHERE { GRAPH ?m { ?m a sp:Problem }\n#:filters\n }\n#:page\n }\n${tail} }`,
    ).along;
  const linked = (path: string, rest = '?s ?p ?o') =>
    list(`GRAPH ?m { ?m ${path} ?n } GRAPH ?n { ?n sp:belongsTo $record . ${rest} }`);

  it('that asks for whole graphs, and those of what they link to', () => {
    expect(list('GRAPH ?m { ?s ?p ?o }')).toEqual([]);
    expect(list('# all\nGRAPH ?m{?s ?p ?o .}')).toEqual([]);
    expect(list('GRAPH ?m { ?a ?b ?c }', 'CONSTRUCT { ?a ?b ?c . } {')).toEqual([]);
    expect(linked('sp:encounter?')).toEqual([sp.encounter]);
    expect(linked('(sp:encounter|<urn:x>)?')).toEqual([sp.encounter, 'urn:x']);
    expect(linked('twice:encounter?')).toEqual(['http://chart.test/other#encounter']);
  });

  it.each([
    ['another graph', () => list('GRAPH ?n { ?s ?p ?o }')],
    ['no graph', () => list('?s ?p ?o')],
    ['a filter', () => list('GRAPH ?m { ?s ?p ?o FILTER(isIRI(?o)) }')],
    ['more patterns', () => list('GRAPH ?m { ?s ?p ?o } GRAPH ?m { ?m sp:notes ?n }')],
    ['an optional part', () => list('OPTIONAL { GRAPH ?m { ?s ?p ?o } }')],
    ['members as subjects alone', () => list('GRAPH ?m { ?m ?p ?o }', 'CONSTRUCT { ?m ?p ?o } WHERE {')],
    ['a subject that is an object', () => list('GRAPH ?m { ?s ?p ?s }', 'CONSTRUCT { ?s ?p ?s } WHERE {')],
    ['statements turned around', () => list('GRAPH ?m { ?o ?p ?s }')],
    ['other statements than it finds', () => list('GRAPH ?m { ?s ?p ?o }', 'CONSTRUCT { ?s ?p ?m } WHERE {')],
    ['more than it finds', () => list('GRAPH ?m { ?s ?p ?o }', 'CONSTRUCT { ?s ?p ?o . ?m ?p ?o } WHERE {')],
    ['a dataset', () => list('GRAPH ?m { ?s ?p ?o }', 'CONSTRUCT { ?s ?p ?o } FROM NAMED <urn:x> WHERE {')],
    ['a link that must be there', () => linked('sp:encounter')],
    ['links over links', () => linked('sp:encounter*')],
    ['two steps', () => linked('(sp:encounter/sp:encounter)?')],
    ['a step back', () => linked('(^sp:encounter)?')],
    ['any step', () => linked('(!sp:encounter)?')],
    ['a variable property', () => linked('?p')],
    ['a relative IRI', () => linked('<encounter>?')],
    ['a name with an escape', () => linked('sp:en\\-counter?')],
    ['a prefix that is not declared', () => linked('other:encounter?')],
    ['neighbours of a kind', () => linked('sp:encounter?', 'FILTER(isIRI(?n)) ?s ?p ?o')],
    ['neighbours alone that say something', () => linked('sp:encounter?', '?n ?p ?o')],
    [
      'what neighbours say of themselves',
      () =>
        list(
          'GRAPH ?m { ?m sp:encounter? ?n } GRAPH ?n { ?n sp:belongsTo $record . ?n ?p ?o }',
          'CONSTRUCT { ?n ?p ?o } WHERE {',
        ),
    ],
    ['a relative IRI that looks like another', () => linked('<#a:b>?')],
    ['a prefix that goes by a base', () => linked('relative:encounter?')],
    ['neighbours of any record', () => list('GRAPH ?m { ?m sp:encounter? ?n } GRAPH ?n { ?s ?p ?o }')],
    [
      'neighbours of another record',
      () => list('GRAPH ?m { ?m sp:encounter? ?n } GRAPH ?n { ?n sp:belongsTo $resource . ?s ?p ?o }'),
    ],
  ])('and not where it asks for %s', (_, neighbours) => {
    expect(neighbours()).toBeUndefined();
  });

  const statement = (pattern: string, head = 'CONSTRUCT { ?s ?p ?o } WHERE') =>
    planOf(`${PROLOGUE}${head} { ${pattern} }`);
  const OWN = '$resource sp:belongsTo $record';

  it.each([
    ['GRAPH $resource { ?s ?p ?o }', true],
    ['GRAPH $resource{?a ?b ?c .}', true],
    ['GRAPH $record { ?s ?p ?o }', false],
    ['GRAPH $resource { $resource ?p ?o }', false],
    ['GRAPH $resource { ?s ?p ?s }', false],
    ['GRAPH $resource { ?s ?p ?o . FILTER (isIRI(?o)) }', false],
    ['GRAPH $resource { ?s ?p ?o } GRAPH ?g { ?s ?p ?o }', false],
    [`GRAPH $resource { ${OWN} ; a sp:Problem . ?s ?p ?o }`, false],
    ['GRAPH $resource { $resource sp:encounter? ?n } GRAPH ?n { ?n sp:belongsTo $record . ?s ?p ?o }', false],
  ])('that asks for a graph, whole: %s is that: %s', (pattern, isWhole) => {
    const of = (sparql: string): boolean => isWholeGraph(planOf(sparql));
    const variables = pattern.includes('?a') ? '?a ?b ?c' : '?s ?p ?o';
    const query = `${PROLOGUE}CONSTRUCT { ${variables} } WHERE { ${pattern} }`;
    expect(of(query)).toBe(isWhole);
    expect(of(`${query} LIMIT 1`)).toBe(false);
    expect(of(query.replace('WHERE', 'FROM <urn:x> WHERE'))).toBe(false);
    expect(of(query.replace(`{ ${variables} }`, '{ ?s ?p ?s }'))).toBe(false);
  });

  it('that asks for one statement of some classes', () => {
    const one = (classes: string[], along: string[]): ReadPlan => ({ members: 'resource', classes, along });
    expect(statement(`GRAPH $resource { ${OWN} ; a sp:Problem . ?s ?p ?o }`)).toEqual(one([sp.Problem], []));
    expect(
      statement(`GRAPH $resource { ${OWN} ; a ?c . FILTER (?c IN (sp:Problem, <urn:x>)) ?s ?p ?o . }`),
    ).toEqual(one([sp.Problem, 'urn:x'], []));
    expect(
      statement(
        `GRAPH $resource { ${OWN} ; a sp:Problem ; sp:encounters? ?n } GRAPH ?n { ?n sp:belongsTo $record . ?s ?p ?o }`,
      ),
    ).toEqual(one([sp.Problem], [sp.encounters]));
  });

  it.each([
    `GRAPH $resource { ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} . ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a ?c . ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a ?s . FILTER (?s IN (sp:Problem)) ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a ?c . FILTER (?d IN (sp:Problem)) ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a sp:Problem . $resource ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a sp:Problem ; sp:startDate ?d . ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a sp:Problem . ?s ?p ?o } GRAPH $resource { ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a sp:Problem } GRAPH ?n { ?n sp:belongsTo $record . ?s ?p ?o }`,
    `GRAPH $record { ${OWN} ; a sp:Problem . ?s ?p ?o }`,
    `GRAPH $record { $record a sp:MedicalRecord } GRAPH $resource { ${OWN} ; a sp:Problem . ?s ?p ?o }`,
    `GRAPH $resource { ${OWN} ; a sp:Problem . ?s ?p ?o } LIMIT 1`,
  ])('and not %s', (pattern) => {
    expect(statement(pattern).classes).toEqual([]);
  });

  it.each([
    ['get_allergies', 'sp:Allergy or sp:AllergyExclusion of $record: whole graphs'],
    [
      'get_fulfillment',
      '$resource as sp:Fulfillment of $record: whole graphs, and those along sp:medication',
    ],
    ['get_ontology', '$resource: whole graphs'],
    ['search_records', 'every sp:Demographics: whole graphs'],
    ['get_container_manifest', 'run as it stands'],
  ])('and the plan of %s reads: %s', (name, line) => {
    expect(printPlan(queryOf(name).plan)).toBe(line);
  });
});
