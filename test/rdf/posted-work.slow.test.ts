import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bodies } from './posted-bodies.mjs';

const run = promisify(execFile);

/**
 * How often pieces of code ran, and iterators stepped, for bodies of three sizes, each twice the one before. Code that
 * V8 has optimised is not counted, so it optimises none.
 */
async function workFor(dimension: string): Promise<number[]> {
  const script = join(import.meta.dirname, 'posted-work.mjs');
  const { stdout } = await run(process.execPath, ['--no-opt', script, dimension, String(SIZE)]);
  return JSON.parse(stdout) as number[];
}

const SIZE = 320;

/** Where the work grows faster than the body, a limit ends it: values that JSON-LD compares with each other, and blank nodes that are told apart by what is around them. */
const limited = ['JSON-LD values', 'one node referred to'];

describe('the work between a posted body and its graph grows no faster than the body', () => {
  const dimensions = Object.keys(bodies).filter((name) => !limited.includes(name));

  it.each(dimensions)(
    'with %s',
    async (dimension) => {
      const [once = 0, twice = 0, fourTimes = 0] = await workFor(dimension);
      expect(once).toBeGreaterThan(200);
      expect(twice / once).toBeLessThanOrEqual(2.3);
      // A body that a limit refuses costs little, and how little varies: it is weighed against the last one that was read.
      expect(fourTimes / Math.max(once, twice)).toBeLessThanOrEqual(2.3);
    },
    120_000,
  );

  it.each(limited)(
    'or ends at a limit, with %s',
    async (dimension) => {
      const work = await workFor(dimension);
      expect(Math.max(...work)).toBeLessThanOrEqual(2_000_000);
      expect(work[2]).toBeLessThan(work[1] ?? 0);
    },
    120_000,
  );
});
