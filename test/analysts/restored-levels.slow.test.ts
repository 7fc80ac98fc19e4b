import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { AnalystFailure, AnalystQuery } from '../../src/analysts/analyst-messages.js';
import type { Analysts } from '../../src/analysts/analysts.js';
import { identified } from '../../src/analysts/levels.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { base, ontology } from '../records/support.js';

// The threads of the engine are programs of their own: they exist as they were built.
const built = resolve(import.meta.dirname, '..', '..', 'dist', 'analysts', 'analysts.js');
const { Analysts: BuiltAnalysts } = (await import(pathToFileURL(built).href)) as {
  Analysts: typeof Analysts;
};

/** More than a level takes in one turn. */
const KEPT = 3000;
const LOST = 500;

let directory: DataDirectory;
let primary: PrimaryStore;
let backup: string;
const open: Analysts[] = [];
const faults: unknown[] = [];

const problems = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const name = `${base}/records/1/problems/${from + at}`;
    const s = namedNode(name);
    return {
      name,
      quads: [
        quad(s, namedNode(rdf.type), namedNode(sp.Problem)),
        quad(s, namedNode(sp.notes), literal(`${from + at}${'x'.repeat(1000)}`)),
      ],
    };
  });

const made = (): Analysts => {
  const analysts = new BuiltAnalysts({
    primary,
    ontology,
    views: { deidentified: identified, identified },
    planned: 1_000_000,
    onFault: (error) => faults.push(error),
  });
  open.push(analysts);
  return analysts;
};

const query = (sparql: string): AnalystQuery => ({
  sparql,
  level: 'identified',
  user: 'ann',
  purpose: 'a test',
  formats: { rows: 'csv', graph: 'ntriples' },
});

const ask = async (on: Analysts): Promise<string | AnalystFailure> => {
  const count = query('SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }');
  const answered = await on.answer(count, new AbortController().signal);
  return 'failure' in answered ? answered.failure : text(answered.body);
};

/** Asks until there is an answer. @returns it, and what was said before */
const askOn = async (on: Analysts): Promise<{ answer: string; before: AnalystFailure[] }> => {
  const before: AnalystFailure[] = [];
  for (;;) {
    const answer = await ask(on);
    if (typeof answer === 'string') return { answer, before };
    before.push(answer);
    await new Promise((next) => setImmediate(next));
  }
};

const isFilled = (on: Analysts): boolean => on.states().identified.isFilled;

beforeAll(async () => {
  const folder = await mkdtemp(join(inject('scratch'), 'restored-'));
  directory = await openDataDirectory(join(folder, 'data'), { create: true });
  primary = openPrimaryStore(directory, base);
  await primary.write({ replace: problems(0, KEPT) });
  backup = join(folder, 'backup');
  await writeBackup(directory, backup);
  await primary.write({ replace: problems(KEPT, LOST) });
});

afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await directory.close();
  expect(faults).toEqual([]);
});

test('what is told of a level that is being filled is true: never all of it, nor none of none', async () => {
  const { answer, before } = await askOn(made());
  expect(answer).toBe(`n\n${KEPT + LOST}\n`);
  expect(before[0]).toEqual({
    kind: 'filling',
    message: 'The data is being brought to memory; try again.',
  });
  const told = before.flatMap((each) => (each.kind === 'filling' ? [each] : []));
  expect(told).toHaveLength(before.length);
  expect(told.some(({ progress }) => progress !== undefined)).toBe(true);
  for (const { progress, message } of told) {
    const far = progress ? `: ${progress.done} of ${progress.total} graphs` : '';
    expect(message).toBe(`The data is being brought to memory${far}; try again.`);
    if (!progress) continue;
    expect(progress.total).toBe(KEPT + LOST);
    expect(progress.done).toBeLessThan(progress.total);
  }
});

test('a level that was filled is filled anew after a restore without being asked', async () => {
  const [filled, unused] = [made(), made()];
  await filled.fill('identified');
  expect(await ask(filled)).toBe(`n\n${KEPT + LOST}\n`);
  filled.keepUp();
  expect(isFilled(filled)).toBe(true);
  await restoreBackup(directory, backup);
  for (const each of [filled, unused]) each.keepUp();
  expect(isFilled(filled)).toBe(false);
  await expect.poll(() => isFilled(filled)).toBe(true);
  // It is ready, not only begun.
  expect(await ask(filled)).toBe(`n\n${KEPT}\n`);
  // One that nobody has used takes no memory.
  expect(isFilled(unused)).toBe(false);
});

test('a restore while a level is being filled, or before it is first asked, ends in the data that was restored', async () => {
  const [filling, first] = [made(), made()];
  const begun = filling.fill('identified');
  await expect.poll(() => filling.states().identified.progress, { interval: 1 }).toBeDefined();
  await primary.write({ replace: problems(KEPT, LOST) });
  await restoreBackup(directory, backup);
  filling.keepUp();
  await begun;
  expect(isFilled(filling)).toBe(true);
  expect(await ask(filling)).toBe(`n\n${KEPT}\n`);
  const { answer, before } = await askOn(first);
  expect(answer).toBe(`n\n${KEPT}\n`);
  for (const each of before)
    if (each.kind === 'filling' && each.progress) expect(each.progress.total).toBe(KEPT);
});

test('an answer that has begun is given to its end, of the data as it was', async () => {
  const on = made();
  await on.fill('identified');
  // More than is sent before anything of it is taken.
  const all = 'SELECT * { ?s a sp:Problem . ?t a sp:Problem } LIMIT 50000';
  const answered = await on.answer(query(all), new AbortController().signal);
  if ('failure' in answered) throw new Error(answered.failure.message);
  await restoreBackup(directory, backup);
  on.keepUp();
  await expect.poll(() => isFilled(on)).toBe(true);
  expect((await text(answered.body)).trim().split('\n')).toHaveLength(50_001);
});

test('a query that finds another history begins the filling, which goes on by itself', async () => {
  const on = made();
  await on.fill('identified');
  await restoreBackup(directory, backup);
  expect(await ask(on)).toMatchObject({
    kind: 'filling',
    message: 'The data is being brought to memory; try again.',
  });
  await expect.poll(() => isFilled(on)).toBe(true);
  expect(await ask(on)).toBe(`n\n${KEPT}\n`);
});
