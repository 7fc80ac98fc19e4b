import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bodies } from './posted-bodies.mjs';

const run = promisify(execFile);

/** Below it, telling nodes apart by rounds grows a little faster than the body; what grows without end shows above. */
const SIZE = 320;

/** How often pieces of code ran, and iterators stepped, for bodies of three sizes, each twice the one before. */
async function workFor(dimension: string): Promise<number[]> {
  const script = join(import.meta.dirname, 'posted-work.mjs');
  const { stdout } = await run(process.execPath, [script, dimension, String(SIZE)]);
  return JSON.parse(stdout) as number[];
}

describe('the work between a posted body and its graph grows no faster than the body', () => {
  // The processor of JSON-LD compares each value of a property with all before it: it has a limit instead.
  const dimensions = Object.keys(bodies).filter((name) => name !== 'JSON-LD values');

  it.each(dimensions)(
    'with %s',
    async (dimension) => {
      const [once = 0, twice = 0, fourTimes = 0] = await workFor(dimension);
      expect(once).toBeGreaterThan(200);
      expect(twice / once).toBeLessThanOrEqual(2.3);
      expect(fourTimes / twice).toBeLessThanOrEqual(2.3);
    },
    120_000,
  );
});
