import { resolve } from 'node:path';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindAnalysis, type Analysis } from '../../src/model/analyses/analysis.js';
import { loadAnalyses } from '../../src/model/analyses/read-analysis.js';
import type { AnswerRow } from '../../src/rdf/json-term.js';
import { madeOnce } from '../../src/rdf/made-once.js';
import { literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { ontology } from '../analysts/containers.js';
import { folder, run, type Run } from '../cli/run.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';
import { engineKinds, type SparqlEngine } from './sparql-engines.js';

const analyses = await loadAnalyses(resolve(import.meta.dirname, '..', '..', 'queries'), ontology);
const REVISION =
  'SELECT ?n { GRAPH <urn:chartgraph:mirror> { ?m <http://purl.org/dc/terms/hasVersion> ?n } }';
const COUNTS =
  'SELECT ?class (COUNT(*) AS ?n) { ?s a ?class . FILTER (STRSTARTS(STR(?class), "http://smartplatforms.org/terms#")) } GROUP BY ?class';

const problemOf = (name: string): Quad[] => {
  const s = namedNode(name);
  return [
    quad(s, namedNode(rdf.type), namedNode(sp.Problem)),
    quad(s, namedNode(sp.belongsTo), namedNode(name.split('/problems/')[0] ?? '')),
    quad(s, namedNode(sp.startDate), literal('2010-06')),
  ];
};

let server: AnalystServer;
let token: string;

beforeAll(async () => {
  server = await startAnalystServer();
  await server.user('ana', 'analyst');
  token = await server.token('ana');
});
afterAll(() => server.stop());

interface Table {
  readonly head: { readonly vars: readonly string[] };
  readonly results: { readonly bindings: readonly AnswerRow[] };
}

const json = 'application/sparql-results+json';
const asked = async (query: string): Promise<Table> =>
  (await server.ask(token, query, json)).json() as Promise<Table>;

async function askedThere({ query: url, place }: SparqlEngine, query: string): Promise<Table> {
  const graph = place === undefined ? {} : { 'default-graph-uri': place };
  const body = new URLSearchParams({ query, ...graph });
  const response = await fetch(url, { method: 'POST', headers: { Accept: json }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as Table;
}

/** Rows as texts, in an order of their own; engines write numbers in different ways. */
const told = ({ head, results }: Table): string[] =>
  results.bindings
    .map((row) =>
      head.vars
        .map((name) => row[name]?.value ?? '')
        .map((cell) =>
          /^-?\d+(\.\d+)?(e[+-]?\d+)?$/iu.test(cell) ? String(Number(Number(cell).toFixed(6))) : cell,
        )
        .join(' | '),
    )
    .sort();

/** What the container says to an analysis: the same whichever engine is compared with it. */
const saidHere = madeOnce((analysis: Analysis) => asked(bindAnalysis(analysis, [])).then(told));

const mirrored = ({ query, update, place }: SparqlEngine): Promise<Run> =>
  run([
    'mirror',
    ...['--data', server.data, '--base-url', server.url, '--to', query, '--update', update, '--once'],
    ...(place === undefined ? [] : ['--graph', place]),
  ]);

describe.each(engineKinds)('$name', ({ name, isHere, start }) => {
  describe.skipIf(!isHere)('as a mirror', () => {
    let engine: SparqlEngine;
    beforeAll(async () => {
      const dir = folder();
      mkdirSync(dir, { recursive: true });
      engine = await start(dir);
      expect(await mirrored(engine)).toMatchObject({ code: 0, stderr: '' });
    });
    afterAll(() => engine.stop());

    test('gives the same answers to all analyses as the container', async () => {
      for (const analysis of analyses.values()) {
        const answers = told(await askedThere(engine, bindAnalysis(analysis, [])));
        expect(answers, `${analysis.name} of ${name}`).toEqual(await saidHere(analysis));
      }
    });

    test('has what an app writes, and no longer what was removed, with the revision of that', async () => {
      const name = `${server.url}/records/1000001/problems/mirrored`;
      const counted = async (): Promise<string[][]> => [
        told(await askedThere(engine, COUNTS)),
        told(await asked(COUNTS)),
        told(await askedThere({ ...engine, place: undefined }, REVISION)),
      ];
      await server.primary.write({ replace: [{ name, quads: problemOf(name) }] });
      expect(await mirrored(engine)).toMatchObject({ code: 0, stderr: '' });
      const [with_, container, revision] = await counted();
      expect(with_).toEqual(container);
      expect(revision).toEqual([String(server.primary.revision(''))]);
      await server.primary.write({ remove: [name] });
      expect(await mirrored(engine)).toMatchObject({ code: 0, stderr: '' });
      const [without, now] = await counted();
      expect(without).toEqual(now);
      expect(without).not.toEqual(with_);
    });
  });
});

describe('chartgraph mirror', () => {
  const there = ['--to', 'http://sparql.example.org/query', '--update', 'http://sparql.example.org/update'];
  const identified = ['--level', 'identified', '--purpose', 'a study'];
  test.each([
    [[], 2, 'Say with --to where the other server is: an http or https URL.'],
    [['--to', 'http://localhost/'], 2, 'Say with --update where the other server is'],
    [['--to', 'file:///etc/passwd', '--update', 'http://localhost/'], 2, 'Say with --to where'],
    [
      ['--to', 'http://ann:secret@localhost/', '--update', 'http://localhost/'],
      2,
      'Give credentials as CHARTGRAPH_MIRROR_CREDENTIALS, not in --to',
    ],
    [[...there, '--level', 'identified'], 2, 'Say why with --purpose; the access log shows it.'],
    [[...there, ...identified], 2, 'What shows who people are goes to other machines by https only.'],
    [[...there, '--graph', 'patients'], 2, '--graph must be an absolute IRI'],
  ])('%j ends in a sentence that says what to do', async (args, code, sentence) => {
    const ended = await run(['mirror', '--data', server.data, ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain('secret@');
  });

  test('credentials that no header can carry are refused, and not repeated', async () => {
    const env = { CHARTGRAPH_MIRROR_CREDENTIALS: 'hush hush' };
    const ended = await run(['mirror', '--data', server.data, ...there], { env });
    expect(ended).toMatchObject({
      code: 2,
      stderr: 'chartgraph: CHARTGRAPH_MIRROR_CREDENTIALS must be user:password, or a bearer token.\n',
    });
  });

  const [, query = '', , update = ''] = there;
  test.each([
    [['mirror', '--once', ...there], 'CHARTGRAPH_MIRROR_CREDENTIALS'],
    [
      ['serve', '--port', '0', '--analyst-engine', query, '--analyst-engine-update', update],
      'CHARTGRAPH_ANALYST_ENGINE_CREDENTIALS',
    ],
  ])('credentials go to no other machine in the clear: %j', async (args, name) => {
    const env = { [name]: 'ann:hush' };
    const ended = await run([...args, '--data', server.data], { env });
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(`${name} goes to other machines by https only`);
    expect(ended.stderr).not.toContain('hush');
  });

  test('is in the access log with why, at which level and to where', async () => {
    await run(['mirror', '--data', server.data, ...there, ...identified]);
    const { stdout } = await run(['audit', '--data', server.data, '--json']);
    const entries = (JSON.parse(stdout) as Record<string, unknown>[]).filter(
      ({ action, level }) => action === 'mirror' && level === 'identified',
    );
    expect(entries.map(({ outcome }) => outcome)).toContain('begun');
    expect(entries.at(-1)).toMatchObject({ to: 'http://sparql.example.org/update', purpose: 'a study' });
  });
});
