import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { AnalystFailure, AnalystHead, AnalystQuery } from '../../src/analysts/analyst-messages.js';
import type { Analysts } from '../../src/analysts/analysts.js';
import type { AnalystLimits } from '../../src/http/serve-settings.js';
import type { QueryPlan } from '../../src/analysts/query-plan.js';
import { identified, type LevelView } from '../../src/analysts/levels.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { base, ontology } from '../records/support.js';
import { processTime } from '../setup/cpu-time.js';

// The threads of the engine are programs of their own: they exist as they were built.
const built = resolve(import.meta.dirname, '..', '..', 'dist', 'analysts', 'analysts.js');
const { Analysts: BuiltAnalysts } = (await import(pathToFileURL(built).href)) as {
  Analysts: typeof Analysts;
};

const PROBLEMS = 400;
const code = namedNode('http://purl.bioontology.org/ontology/SNOMEDCT/1');
const problem = (record: number, number: number) => {
  const name = `${base}/records/${record}/problems/${number}`;
  const s = namedNode(name);
  return {
    name,
    quads: [
      quad(s, namedNode(rdf.type), namedNode(sp.Problem)),
      quad(s, namedNode(sp.belongsTo), namedNode(`${base}/records/${record}`)),
      quad(s, namedNode(sp.startDate), literal(number % 2 === 0 ? '2010-06' : '2011-02-03')),
      quad(code, namedNode(dcterms.title), literal('Diabetes')),
    ],
  };
};

const hidden: LevelView = {
  nameOf: (graph) => `urn:hidden:${Buffer.from(graph).toString('hex')}`,
  quadsOf: (_, quads) => quads.filter(({ predicate }) => predicate.value !== sp.belongsTo),
};

let directory: DataDirectory;
let primary: PrimaryStore;
/** For cases that write nothing and go over no limit; each waits for all that it asked. */
let reader: Analysts;
const open: Analysts[] = [];
const faults: unknown[] = [];

const analysts = async (limits: Partial<AnalystLimits> = {}): Promise<Analysts> => {
  const made = new BuiltAnalysts({
    primary,
    ontology,
    views: { deidentified: hidden, identified },
    planned: 1_000_000,
    limits,
    onFault: (error) => faults.push(error),
  });
  open.push(made);
  await made.fill('identified');
  return made;
};

interface Answer {
  readonly head: AnalystHead;
  readonly text: string;
}

const query = (sparql: string, more: Partial<AnalystQuery> = {}): AnalystQuery => ({
  sparql,
  level: 'identified',
  user: 'ann',
  purpose: 'a test',
  formats: { rows: 'csv', graph: 'ntriples' },
  ...more,
});

const ask = async (on: Analysts, sparql: string, more: Partial<AnalystQuery> = {}): Promise<Answer> => {
  const answered = await on.answer(query(sparql, more), new AbortController().signal);
  if ('failure' in answered) throw new Error(JSON.stringify(answered.failure));
  return { head: answered.head, text: await text(answered.body) };
};

const failure = async (
  on: Analysts,
  sparql: string,
  more: Partial<AnalystQuery> = {},
): Promise<AnalystFailure> => {
  const answered = await on.answer(query(sparql, more), new AbortController().signal);
  if ('failure' in answered) return answered.failure;
  answered.body.destroy();
  throw new Error('The query was answered.');
};

const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }';
/** Runs for ever, and takes little memory. */
const ENDLESS =
  'ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER (STRLEN(STR(?c)) + STRLEN(STR(?l)) < 0) }';

/** Takes more memory than there is, with its first thousand rows: each has a text of a hundred kilobytes. */
const times8 = (from: number): string =>
  `BIND (CONCAT(${Array(8).fill(`?t${from}`).join(', ')}) AS ?t${from + 1})`;
const WIDE = `SELECT (GROUP_CONCAT(?t4) AS ?all) { ?a ?p ?x . ?b ?q ?y
  BIND (CONCAT(STR(?x), STR(?y)) AS ?t0) ${[0, 1, 2, 3].map(times8).join(' ')} }`;

/** Longer than anything here takes, however busy the machine is: time is over when a test lets it be. */
const LONG = 150_000;
/** Milliseconds of processor time after which a thread is in the middle of a query. */
const BUSY = 200;

/** Holds the clock of time limits for the rest of a test. @returns what lets a running query's time be over */
function holdTime(): () => Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return async () => {
    const before = processTime();
    await expect.poll(() => processTime() - before).toBeGreaterThan(BUSY);
    await vi.advanceTimersByTimeAsync(LONG);
  };
}

const isRunning = (on: Analysts): Promise<void> =>
  expect.poll(() => on.list()).toMatchObject([{ state: 'running' }]);

beforeAll(async () => {
  directory = await openDataDirectory(await mkdtemp(join(inject('scratch'), 'analysts-')), { create: true });
  primary = openPrimaryStore(directory, base);
  await primary.write({ replace: Array.from({ length: PROBLEMS }, (_, at) => problem(at % 10, at)) });
  reader = await analysts();
});

afterEach(() => {
  // Nothing of one case goes on in the next.
  expect(reader.list()).toEqual([]);
  expect(faults).toEqual([]);
});

afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await directory.close();
});

test('queries give way to everything else of the machine', async () => {
  const on = reader;
  await ask(on, 'ASK {}');
  // The nineteenth field of `stat` is the niceness of a thread; the first two, before the parenthesis, hold its name.
  const nicenessOf = (thread: string): number =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]);
  const own = nicenessOf(String(process.pid));
  // What is tested may be what gives way itself: 19 is the last there is.
  expect(own).toBe(getPriority());
  expect(readdirSync('/proc/self/task').map(nicenessOf)).toContain(Math.min(19, own + 5));
});

describe('the store of analysts', () => {
  test('every statement is once in the default graph, and in the graph that states it', async () => {
    const on = reader;
    expect((await ask(on, COUNT)).text).toBe(`n\n${PROBLEMS}\n`);
    expect((await ask(on, 'SELECT (COUNT(*) AS ?n) { ?c dcterms:title ?t }')).text).toBe('n\n1\n');
    expect((await ask(on, 'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?c dcterms:title ?t } }')).text).toBe(
      `n\n${PROBLEMS}\n`,
    );
  });

  test('dates lead to their first and last instants, which can be compared', async () => {
    const on = reader;
    const { text: found } = await ask(
      on,
      `SELECT ?first ?last (COUNT(*) AS ?n) {
         ?s sp:startDate ?date . ?instants rdf:value ?date ; cg:earliest ?first ; cg:latest ?last
         FILTER (?first < "2011-01-01T00:00:00Z"^^xsd:dateTime)
       } GROUP BY ?first ?last`,
    );
    expect(found).toBe('first,last,n\n2010-06-01T00:00:00Z,2010-06-30T23:59:59.999Z,200\n');
  });

  test('what was written is in the next answer, and what was removed is not, unless another graph says it', async () => {
    const on = await analysts();
    await ask(on, COUNT);
    const before = await primary.write({ replace: [problem(77, 1)] });
    const found = await ask(on, `ASK { ?s sp:belongsTo <${base}/records/77> }`);
    expect(found).toMatchObject({ text: 'true\n', head: { revision: before } });
    await primary.write({ remove: [problem(77, 1).name] });
    expect((await ask(on, `ASK { ?s sp:belongsTo <${base}/records/77> }`)).text).toBe('false\n');
    expect((await ask(on, 'SELECT (COUNT(*) AS ?n) { ?c dcterms:title ?t }')).text).toBe('n\n1\n');
  });

  test('a level holds what its view shows, under the names of the view, and nothing else', async () => {
    const on = await analysts();
    await on.fill('deidentified');
    const level = { level: 'deidentified' } as const;
    expect((await ask(on, 'SELECT (COUNT(*) AS ?n) { ?s sp:belongsTo ?o }', level)).text).toBe('n\n0\n');
    expect((await ask(on, COUNT, level)).text).toBe(`n\n${PROBLEMS}\n`);
    const names = await ask(
      on,
      `ASK { GRAPH ?g { ?s ?p ?o } FILTER (STRSTARTS(STR(?g), "${base}")) }`,
      level,
    );
    expect(names.text).toBe('false\n');
  });

  test('a level that nobody has filled says how far it is, and is filled since it was asked for', async () => {
    const on = await analysts();
    expect(await failure(on, COUNT, { level: 'deidentified' })).toMatchObject({ kind: 'filling' });
    await on.fill('deidentified');
    expect((await ask(on, COUNT, { level: 'deidentified' })).text).toBe(`n\n${PROBLEMS}\n`);
  });

  test('the graphs that the protocol names take the place of those that are there', async () => {
    const on = reader;
    const { name } = problem(1, 1);
    const one = { dataset: { defaultGraphs: [name], namedGraphs: [] } };
    expect((await ask(on, COUNT, one)).text).toBe('n\n1\n');
    const named = { dataset: { defaultGraphs: [], namedGraphs: [name] } };
    expect((await ask(on, COUNT, named)).text).toBe('n\n0\n');
    expect((await ask(on, `SELECT ?g { GRAPH ?g { ?s a sp:Problem } }`, named)).text).toBe(`g\n${name}\n`);
  });

  test('an answer that is cut says so before its first row', async () => {
    const on = await analysts({ rows: 10 });
    const { head, text: rows } = await ask(on, 'SELECT ?s { ?s a sp:Problem }');
    expect(head).toMatchObject({ rows: 10, isCut: true });
    expect(rows.trim().split('\n')).toHaveLength(11);
    expect((await ask(on, 'SELECT ?s { ?s a sp:Problem } LIMIT 10')).head.isCut).toBe(false);
    const whole = await ask(on, 'SELECT ?s { ?s a sp:Problem }', { allRows: true });
    expect(whole.head.isCut).toBe(false);
    expect(whole.text.trim().split('\n').length - 1).toBe(whole.head.rows);
    expect(whole.head.rows).toBeGreaterThan(10);
    const graph = await ask(on, 'CONSTRUCT { ?s a sp:Problem ; sp:title "x" } { ?s a sp:Problem }');
    expect(graph.head).toMatchObject({ rows: 10, isCut: true });
  });
});

describe('a query that is explained', () => {
  test('is answered with the query as it is run and with its steps, and is not run', async () => {
    const { head, text } = await ask(reader, `SELECT * ${ENDLESS.slice(4)} LIMIT 7`, { explain: true });
    expect(head).toMatchObject({ mediaType: 'application/json', rows: 0, isCut: false });
    const { query, steps } = JSON.parse(text) as QueryPlan;
    expect(query).toContain('LIMIT 7');
    expect(steps.at(-1)).toMatchObject({ operation: 'Answer' });
    expect(reader.list()).toEqual([]);
  });

  test('is refused like any other where it cannot be read', async () => {
    expect(await failure(reader, 'SELECT {', { explain: true })).toMatchObject({ kind: 'invalid' });
    expect(await failure(reader, 'DELETE WHERE { ?s ?p ?o }', { explain: true })).toMatchObject({
      kind: 'invalid',
    });
  });
});

describe('a query that asks for too much', () => {
  test('ends at its time, and the next one is answered by a copy with the very same content', async () => {
    const on = await analysts({ timeout: LONG });
    const endTime = holdTime();
    onTestFinished(async () => void (await primary.write({ removeUnder: [`${base}/records/78`] })));
    for (let round = 0; round < 4; round++) {
      const slow = failure(on, ENDLESS);
      await isRunning(on);
      await endTime();
      expect(await slow).toMatchObject({ kind: 'limit', limit: 'time' });
      expect((await ask(on, COUNT)).text).toBe(`n\n${PROBLEMS + round}\n`);
      await primary.write({ replace: [problem(78, 2 * round)] });
      expect((await ask(on, `SELECT (COUNT(*) AS ?n) { ?s sp:belongsTo <${base}/records/78> }`)).text).toBe(
        `n\n${round + 1}\n`,
      );
    }
  });

  test('leaves a copy that was made while it ran: the next one waits for none', async () => {
    const on = await analysts({ timeout: LONG });
    const endTime = holdTime();
    const slow = failure(on, ENDLESS);
    await isRunning(on);
    let ready: Promise<unknown> | undefined;
    process.once('worker', (thread) => void (ready = once(thread, 'message')));
    const isMade = async (): Promise<boolean> => {
      await vi.advanceTimersByTimeAsync(100);
      return ready !== undefined;
    };
    await expect.poll(isMade, { timeout: 10_000 }).toBe(true);
    await ready;
    // From here on none can be made.
    const end = (thread: Worker): void => void thread.terminate();
    process.on('worker', end);
    onTestFinished(() => void process.off('worker', end));
    await endTime();
    expect(await slow).toMatchObject({ kind: 'limit', limit: 'time' });
    expect((await ask(on, COUNT)).text).toBe(`n\n${PROBLEMS}\n`);
  });

  test('does not keep another one waiting', async () => {
    const on = await analysts({ timeout: LONG });
    const endTime = holdTime();
    let goesOn = true;
    const slow = failure(on, ENDLESS).finally(() => (goesOn = false));
    expect((await ask(on, COUNT, { user: 'ben' })).text).toBe(`n\n${PROBLEMS}\n`);
    expect(goesOn).toBe(true);
    await endTime();
    expect(await slow).toMatchObject({ limit: 'time' });
  });

  test('of memory ends, and says so', async () => {
    // However slow the machine is, it is memory that is over first.
    const on = await analysts({ queryBytes: 1, timeout: 150_000 });
    expect(await failure(on, WIDE)).toMatchObject({ kind: 'limit', limit: 'memory' });
    expect((await ask(on, COUNT)).text).toBe(`n\n${PROBLEMS}\n`);
  });

  test('ends when whoever asked goes, or when somebody ends it', async () => {
    const on = await analysts();
    const gone = new AbortController();
    const running = on.answer(query(ENDLESS), gone.signal);
    await expect.poll(() => on.list()).toMatchObject([{ user: 'ann', state: 'running', purpose: 'a test' }]);
    gone.abort();
    expect(await running).toMatchObject({ failure: { kind: 'ended' } });
    expect(on.list()).toEqual([]);
    const other = on.answer(query(ENDLESS), new AbortController().signal);
    await expect.poll(() => on.list()).toHaveLength(1);
    const [{ id } = { id: '' }] = on.list('ann');
    expect(on.end(id, 'ben')).toBe(false);
    expect(on.end(id, 'ann')).toBe(true);
    expect(await other).toMatchObject({ failure: { kind: 'ended' } });
  });

  test('waits in turn where others run, and is refused where a person has too many', async () => {
    const on = await analysts({ running: 1, perPerson: 1, waiting: 1, timeout: LONG });
    const endTime = holdTime();
    const slow = failure(on, ENDLESS);
    await expect.poll(() => on.list()).toHaveLength(1);
    expect(await failure(on, COUNT)).toMatchObject({ kind: 'too-many' });
    const next = ask(on, COUNT, { user: 'ben' });
    expect(await failure(on, COUNT, { user: 'cleo' })).toMatchObject({ kind: 'too-many' });
    await endTime();
    expect(await slow).toMatchObject({ limit: 'time' });
    expect((await next).text).toBe(`n\n${PROBLEMS}\n`);
  });
});
