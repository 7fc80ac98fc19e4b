import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { AnalystEngine, Bounds, Outcome } from '../../src/analysts/analyst-engine.js';
import type { ResultFormatName } from '../../src/analysts/result-formats.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import type { PrimaryStore } from '../../src/store/primary-store.js';
import { base } from '../records/support.js';

const PROBLEMS = 3;

export const problem = (number: number): NamedGraph => {
  const name = `${base}/records/1/problems/${number}`;
  const s = namedNode(name);
  return {
    name,
    quads: [
      quad(s, namedNode(rdf.type), namedNode(sp.Problem)),
      quad(s, namedNode(sp.belongsTo), namedNode(`${base}/records/1`)),
      quad(s, namedNode(sp.startDate), literal(`2010-0${number}`)),
    ],
  };
};

export const problems = Array.from({ length: PROBLEMS }, (_, at) => problem(at + 1));

export const bounds: Bounds = { timeout: 20_000, delivery: 20_000, signal: new AbortController().signal };

export async function asked(
  engine: AnalystEngine,
  sparql: string,
  { rows = 'csv', most = 100, ...given }: Partial<Bounds> & { rows?: ResultFormatName; most?: number } = {},
): Promise<{ outcome: Outcome; answer: string; revision: number }> {
  const query = { sparql, most, formats: { rows, graph: 'ntriples' } } as const;
  const { outcome, revision } = await engine.run(query, { ...bounds, ...given });
  const answer = 'failure' in outcome ? outcome.failure.message : await text(outcome.body);
  return { outcome, answer: answer.replaceAll('\r', ''), revision };
}

const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }';

/** What each engine of analysts must do, on the problems above at the identified level. */
export function engineContract(
  parts: () => { engine: AnalystEngine; primary: PrimaryStore },
  hasOwnDefault = true,
): void {
  test('rows, yes or no, and triples', async () => {
    const { engine } = parts();
    expect((await asked(engine, COUNT)).answer).toBe(`n\n${PROBLEMS}\n`);
    const graph = await asked(engine, 'CONSTRUCT { ?s a sp:Problem } { ?s a sp:Problem }');
    expect(graph.answer.trim().split('\n').length).toBe(PROBLEMS);
    expect(graph.outcome).toMatchObject({ head: { rows: PROBLEMS, isCut: false } });
    const inGraphs = `SELECT ?s { GRAPH <${problem(2).name}> { ?s a sp:Problem } }`;
    const answers = [inGraphs, 'ASK { ?s a sp:Problem }'].map(
      async (sparql) => (await asked(engine, sparql)).answer,
    );
    expect(await Promise.all(answers)).toEqual(
      hasOwnDefault
        ? [`s\n${problem(2).name}\n`, 'true\n']
        : ['GRAPH', 'ASK'].map((word) => expect.stringContaining(`has no ${word}; use SELECT`)),
    );
  });

  test('dates have their instants', async () => {
    const query = 'SELECT ?from { ?s sp:startDate "2010-02" ; sp:startDate/^rdf:value/cg:earliest ?from }';
    expect((await asked(parts().engine, query)).answer).toMatch(/^from\n2010-02-01T00:00:00(\.000)?Z\n$/u);
  });

  test('an answer is cut after the most rows, and says so', async () => {
    for (const [most, isCut] of [
      [2, true],
      [3, false],
    ] as const) {
      const { outcome, answer } = await asked(parts().engine, 'SELECT ?s { ?s a sp:Problem }', { most });
      expect(answer.trim().split('\n').length).toBe(most + 1);
      expect(outcome).toMatchObject({ head: { rows: most, isCut } });
    }
  });

  test('what was written is in the next answer, with its revision', async () => {
    const { engine, primary } = parts();
    for (const [change, count] of [
      [{ replace: [problem(4)] }, PROBLEMS + 1],
      [{ remove: [problem(4).name] }, PROBLEMS],
    ] as const) {
      const revision = await primary.write(change);
      await engine.keepUp();
      await expect
        .poll(async () => (await asked(engine, COUNT)).answer, { timeout: 10_000 })
        .toBe(`n\n${count}\n`);
      expect((await asked(engine, COUNT)).revision).toBe(revision);
      expect(engine.revision).toBe(revision);
    }
  });

  test('what it cannot answer is refused in a sentence, and the next query is answered', async () => {
    const { engine } = parts();
    const ended = AbortSignal.abort('It was ended.');
    for (const [query, given, failure] of [
      ['SELECT ?s { ?s ?p }', {}, { kind: 'invalid', line: 1 }],
      ['INSERT DATA { <urn:a> <urn:b> 1 }', {}, { kind: 'invalid' }],
      ['SELECT (<java:java.lang.System>() AS ?a) {}', {}, { kind: 'invalid' }],
      ...(hasOwnDefault ? [['ASK {}', { rows: 'parquet' }, { kind: 'format' }] as const] : []),
      [COUNT, { signal: ended }, { kind: 'ended', message: 'It was ended.' }],
    ] as const)
      expect((await asked(engine, query, given)).outcome).toEqual({
        failure: expect.objectContaining(failure) as unknown,
      });
    await expect
      .poll(async () => (await asked(engine, COUNT)).answer, { timeout: 10_000 })
      .toBe(`n\n${PROBLEMS}\n`);
  });

  test('a query that takes too long is stopped', async () => {
    const slow = `SELECT (COUNT(*) AS ?n) { ${Array.from('abcdefgh', (name) => `?${name} ?${name}p ?${name}o .`).join(' ')} }`;
    const { outcome } = await asked(parts().engine, slow, { timeout: 1000 });
    expect(outcome).toMatchObject({ failure: { kind: 'limit', limit: 'time' } });
  });
}
