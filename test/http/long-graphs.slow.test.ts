import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import * as own from '../../src/http/handlers/long-graphs.js';
import { writeGraph, writingOf, type LongGraph } from '../../src/http/handlers/write-graph.js';
import { Problem } from '../../src/model/problem.js';
import { answeredFormats } from '../../src/rdf/formats.js';
import { readTriples } from '../../src/rdf/ntriples.js';
import { responseSummary } from '../../src/records/lists/page-limits.js';
import { innerLabelUnder } from '../../src/store/relative-text.js';
import { base, ontology } from '../records/support.js';
import { ownTime } from '../setup/cpu-time.js';

// A thread runs what has been built.
const { longGraphs } = (await import(
  new URL('../../dist/http/handlers/long-graphs.js', import.meta.url).href
)) as typeof own;

const CALL = 'http://chart.test/calls/get_problems';
const name = (at: number): string => `${base}/records/7/problems/p${at}`;
const statement = (at: number): string =>
  [
    `<${name(at)}> <http://purl.org/dc/terms/title> "n\u00e9${at}"@fr .`,
    `<${name(at)}> <http://smartplatforms.org/terms#problemName> <${name(at)}#problemName> .`,
    `<${name(at)}#problemName> <http://purl.org/dc/terms/title> "inside ${at}" .`,
    // Two titles of one code: one of them goes out.
    `<http://codes.test/1> <http://purl.org/dc/terms/title> "title ${at % 2}" .`,
  ].join('\n') + '\n';

const facts = { total: 300, order: [name(1), name(0)], nextPageURL: `${base}/next` };
const textOf = (count: number): string => Array.from({ length: count }, (_, at) => statement(at)).join('');
/** In two parts, the cut anywhere in a character. */
function graphOf(text: string): LongGraph {
  const bytes = Buffer.from(text);
  const cut = bytes.indexOf(0xc3) + 1;
  return { texts: [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) => new Uint8Array(part)), facts };
}

const open: own.LongGraphs[] = [];
const opened = (make: typeof longGraphs): own.LongGraphs => {
  const made = make(ontology, base);
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

describe('a long graph', () => {
  it('is written in a thread as it is written here, in each format', async () => {
    const long = opened(longGraphs);
    const text = textOf(120);
    const quads = [...readTriples(text, innerLabelUnder(base)), ...responseSummary(facts)];
    for (const format of answeredFormats) {
      const written = await long.write(CALL, format, () => Promise.resolve(graphOf(text)));
      expect(written.body.toString(), format).toBe(await writeGraph(quads, format, writingOf(ontology)));
      expect(written.facts).toEqual(facts);
    }
  });

  it('leaves the event loop to others', async () => {
    const long = opened(longGraphs);
    const text = textOf(6000);
    // Collecting the garbage of other tests makes a turn longer: what counts is the quietest attempt.
    const alone: number[] = [];
    const longest: number[] = [];
    do {
      const here = ownTime();
      await writeGraph(readTriples(text, innerLabelUnder(base)), 'rdfxml', writingOf(ontology));
      alone.push(ownTime() - here);
      let [turn, last] = [0, 0];
      const look = (): void => {
        turn = Math.max(turn, ownTime() - last);
        last = ownTime();
      };
      const looks = setInterval(look, 1);
      await wait(5);
      [turn, last] = [0, ownTime()];
      const written = await long.write(CALL, 'rdfxml', () => Promise.resolve(graphOf(text)));
      look();
      clearInterval(looks);
      longest.push(turn);
      expect(written.body.byteLength).toBeGreaterThan(500_000);
    } while (longest.length < 5 && Math.min(...longest) >= Math.min(...alone));
    expect(Math.min(...longest)).toBeLessThan(Math.min(...alone));
  });

  it('is written one after the other, whoever asks', async () => {
    const long = opened(longGraphs);
    let reading = 0;
    const read = async (): Promise<LongGraph> => {
      expect(reading++).toBe(0);
      await wait(2);
      reading--;
      return graphOf(textOf(2));
    };
    const made = await Promise.all(
      Array.from({ length: 9 }, (_, at) => long.write(`${CALL}${at}`, 'ntriples', read)),
    );
    expect(new Set(made.map(({ body }) => body.toString())).size).toBe(1);
  });

  it('that no format can carry says so, and the next is written', async () => {
    const long = opened(longGraphs);
    const unwritable = '<http://chart.test/a> <http://chart.test/no-name/> "x" .\n\u00c3'.slice(0, -1);
    const broken = { texts: [new TextEncoder().encode(unwritable)], facts };
    await expect(long.write(CALL, 'rdfxml', () => Promise.resolve(structuredClone(broken)))).rejects.toThrow(
      /XML name/,
    );
    const { body } = await long.write(CALL, 'rdfxml', () => Promise.resolve(graphOf(textOf(2))));
    expect(body.toString()).toContain('title 0');
  });

  it('is refused when reading it is', async () => {
    const long = opened(longGraphs);
    const refused = new Problem('unavailable', 'no.');
    await expect(long.write(CALL, 'rdfxml', () => Promise.reject(refused))).rejects.toBe(refused);
    const { body } = await long.write(CALL, 'ntriples', () => Promise.resolve(graphOf(textOf(1))));
    expect(body.toString()).toContain('inside 0');
  });

  it('is written here where there can be no thread, and somebody is told', async () => {
    const faults: unknown[] = [];
    // The source has no program for a thread.
    const here = own.longGraphs(ontology, base, (reason) => faults.push(reason));
    open.push(here);
    const there = opened(longGraphs);
    const read = (): Promise<LongGraph> => Promise.resolve(graphOf(textOf(150)));
    for (const format of ['rdfxml', 'jsonld'] as const)
      expect(await here.write(CALL, format, read)).toEqual(await there.write(CALL, format, read));
    expect(faults.map(String)).toEqual(expect.arrayContaining([expect.stringMatching(/writing-thread/)]));
  });

  it('is refused when the container closes, and nothing keeps the process up', async () => {
    const long = opened(longGraphs);
    let read = 0;
    const graph = (): Promise<LongGraph> => {
      read++;
      return Promise.resolve(graphOf(textOf(6000)));
    };
    const asked = [1, 2, 3, 4].map(() => long.write(CALL, 'rdfxml', graph));
    await long.write(`${CALL}other`, 'ntriples', () => Promise.resolve(graphOf(textOf(1))));
    const settled = Promise.allSettled(asked);
    await long.close();
    const outcomes = await settled;
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(2);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 503 });
    expect(read).toBeLessThan(4);
    await expect(long.write(CALL, 'rdfxml', graph)).rejects.toThrow(/closing/);
  });
});
