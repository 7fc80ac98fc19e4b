import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { EngineCopy } from '../../src/analysts/engine-copy.js';
import type { WorkingSet } from '../../src/store/working-set.js';
import { base } from '../records/support.js';

// The threads of the engine are programs of their own: they exist as they were built.
const built = <T>(file: string): Promise<T> =>
  import(pathToFileURL(resolve(import.meta.dirname, '..', '..', 'dist', file)).href) as Promise<T>;
const { EngineCopy: Copy } = await built<{ EngineCopy: typeof EngineCopy }>('analysts/engine-copy.js');
const { WorkingSet: Source } = await built<{ WorkingSet: typeof WorkingSet }>('store/working-set.js');

const bounds = (signal = new AbortController().signal) => ({ timeout: 180_000, delivery: 180_000, signal });
const query = (sparql: string) => ({ sparql, most: 10, formats: { rows: 'csv', graph: undefined } as const });

async function started(): Promise<EngineCopy> {
  const copy = new Copy(new Source(), { base, mostBytes: 512 * 1024 * 1024, terms: [], prefixes: {} });
  onTestFinished(async () => {
    copy.terminate();
    await copy.ended;
  });
  await copy.ready;
  return copy;
}

test('a copy tells when it can take the next query: not before its answer was read', async () => {
  const copy = await started();
  await copy.released();
  const outcome = await copy.run(query('SELECT ?x { VALUES ?x { 1 2 3 } }'), bounds());
  if ('failure' in outcome) throw new Error(outcome.failure.message);
  const [first, second] = [copy.released(), copy.released()];
  expect(copy.isFree).toBe(false);
  expect(await text(outcome.body)).toBe('x\n1\n2\n3\n');
  await Promise.all([first, second]);
  expect(copy.isFree).toBe(true);
});

test('what a query waited before is part of its time', async () => {
  const copy = await started();
  const endless = 'ASK { ?a ?b ?c . ?d ?e ?f FILTER (STRLEN(STR(?c)) < 0) }';
  const outcome = await copy.run(query(endless), bounds(), bounds().timeout);
  expect(outcome).toMatchObject({
    failure: { limit: 'time', message: expect.stringContaining('longer than 180 s') as unknown },
  });
});

test('a copy whose query is refused, or that ends, keeps nobody waiting', async () => {
  const copy = await started();
  const refused = copy.run(query('SELECT {'), bounds());
  const released = copy.released();
  expect(await refused).toMatchObject({ failure: { kind: 'invalid' } });
  await released;
  const ended = new AbortController();
  const running = copy.run(query('ASK {}'), bounds(ended.signal));
  const last = copy.released();
  ended.abort('enough');
  expect(await running).toMatchObject({ failure: { kind: 'ended' } });
  await last;
  expect(copy.isFree).toBe(false);
});
