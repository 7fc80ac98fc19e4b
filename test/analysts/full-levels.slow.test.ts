import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import type { AnalystFailure } from '../../src/analysts/analyst-messages.js';
import type { Analysts } from '../../src/analysts/analysts.js';
import { identified, type LevelView } from '../../src/analysts/levels.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { base, ontology } from '../records/support.js';

// The threads of the engine are programs of their own: they exist as they were built.
const built = resolve(import.meta.dirname, '..', '..', 'dist', 'analysts', 'analysts.js');
const { Analysts: BuiltAnalysts } = (await import(pathToFileURL(built).href)) as {
  Analysts: typeof Analysts;
};

/** A graph of so many quads, with one that a level adds, each of them twice: under its name and in the default graph. */
const QUADS = 4;
const SIZE = 2 * QUADS;
const problem = (number: number, unit = 'mg'): NamedGraph => {
  const name = `${base}/records/1/problems/${number}`;
  const s = namedNode(name);
  return {
    name,
    quads: [
      quad(s, namedNode(rdf.type), namedNode(sp.Problem)),
      quad(s, namedNode(sp.belongsTo), namedNode(`${base}/records/1`)),
      quad(s, namedNode(sp.unit), literal(unit)),
    ],
  };
};
const problems = (from: number, to: number, unit?: string): NamedGraph[] =>
  Array.from({ length: to - from }, (_, at) => problem(from + at, unit));

let directory: DataDirectory;
let primary: PrimaryStore;
const open: Analysts[] = [];
const directories: DataDirectory[] = [];

beforeEach(async () => {
  const folder = await mkdtemp(join(inject('scratch'), 'full-'));
  directory = await openDataDirectory(join(folder, 'data'), { create: true });
  directories.push(directory);
  primary = openPrimaryStore(directory, base);
});

afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await Promise.all(directories.map((each) => each.close()));
});

/** Analysts with memory for so many of the problems; a level takes half as much again as it is planned for. */
const analystsFor = (most: number): { on: Analysts; looks: () => number } => {
  let looks = 0;
  const view: LevelView = {
    ...identified,
    quadsOf: (graph, quads) => {
      looks++;
      return identified.quadsOf(graph, quads);
    },
  };
  const on = new BuiltAnalysts({
    primary,
    ontology,
    views: { deidentified: view, identified },
    planned: Math.ceil((most * SIZE) / 1.5),
    moreMemory: 'start the container with a larger --analyst-memory, which is 60 MB',
  });
  open.push(on);
  return { on, looks: () => looks };
};

const ask = async (on: Analysts): Promise<string | AnalystFailure> => {
  const answered = await on.answer(
    {
      sparql: 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }',
      level: 'deidentified',
      user: 'ann',
      purpose: 'a test',
      formats: { rows: 'csv', graph: 'ntriples' },
    },
    new AbortController().signal,
  );
  return 'failure' in answered ? answered.failure : text(answered.body);
};

/** Asks until what is told is no more that it is being filled. */
const told = async (on: Analysts): Promise<string | AnalystFailure> => {
  for (;;) {
    const answer = await ask(on);
    if (typeof answer === 'string' || answer.kind !== 'filling') return answer;
    await new Promise((next) => setImmediate(next));
  }
};

const FULL: AnalystFailure = {
  kind: 'unavailable',
  message:
    'The data does not fit the memory of analysts; start the container with a larger --analyst-memory, which is 60 MB.',
};
const rows = (count: number): string => `n\n${count}\n`;

test('a level that its memory cannot take says so, with the setting that helps, and is not filled again', async () => {
  await primary.write({ replace: problems(0, 400) });
  const { on, looks } = analystsFor(200);
  expect(await told(on)).toEqual(FULL);
  const before = looks();
  expect(before).toBeGreaterThan(0);
  await primary.write({ replace: problems(400, 402) });
  for (let asked = 0; asked < 20; asked++) expect(await ask(on)).toEqual(FULL);
  await expect(on.fill('deidentified')).rejects.toThrow(FULL.message);
  expect(looks()).toBe(before);
});

test('it is filled when there is less data, and at once with more memory', async () => {
  await primary.write({ replace: problems(0, 400) });
  const { on } = analystsFor(200);
  expect(await told(on)).toEqual(FULL);
  const more = analystsFor(600);
  expect(await told(more.on)).toBe(rows(400));
  await primary.write({ remove: problems(100, 400).map(({ name }) => name) });
  await expect.poll(() => told(on)).toBe(rows(100));
});

test('one that outgrows its memory after it was filled says so, and is filled when it fits again', async () => {
  await primary.write({ replace: problems(0, 100) });
  const { on, looks } = analystsFor(200);
  expect(await told(on)).toBe(rows(100));
  await primary.write({ replace: problems(100, 400) });
  expect(await told(on)).toEqual(FULL);
  const before = looks();
  for (let asked = 0; asked < 20; asked++) expect(await ask(on)).toEqual(FULL);
  expect(looks()).toBe(before);
  await primary.write({ remove: problems(40, 400).map(({ name }) => name) });
  await expect.poll(() => told(on)).toBe(rows(40));
});

test('what was replaced takes no room for long', async () => {
  await primary.write({ replace: problems(0, 180) });
  const { on } = analystsFor(200);
  for (const unit of ['g', 'kg']) {
    expect(await told(on)).toBe(rows(180));
    await primary.write({ replace: problems(0, 180, unit) });
  }
  expect(await told(on)).toBe(rows(180));
});

test('where no memory helps, what does is named', async () => {
  await primary.write({ replace: problems(0, 100) });
  const on = new BuiltAnalysts({
    primary,
    ontology,
    views: { deidentified: identified, identified },
    planned: 100,
  });
  open.push(on);
  const message =
    'The data does not fit the memory of analysts; put another SPARQL server behind it with --analyst-engine.';
  expect(await told(on)).toEqual({ kind: 'unavailable', message });
});
