import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** `CHARTGRAPH_TEST_FUZZ=1000000` is the long run; so is `node bench/fuzz.mjs`. */
const REQUESTS = Number(process.env['CHARTGRAPH_TEST_FUZZ'] ?? 8_000);
const script = resolve(import.meta.dirname, '..', '..', 'bench', 'fuzz.mjs');

interface Outcome {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly faults: readonly unknown[];
}

it(
  `${REQUESTS} random and changed requests over all paths: no server error, no byte of a foreign record, and it lives`,
  { timeout: 60_000 + REQUESTS * 50 },
  async () => {
    // It ends with 1 where there are faults, which say what was asked and what came.
    const { stdout } = await promisify(execFile)(process.execPath, [
      script,
      '--requests',
      String(REQUESTS),
    ]).catch((error: { stdout: string }) => error);
    const lines = stdout.trim().split('\n');
    const outcome = JSON.parse(lines.at(-1) ?? '') as Outcome;
    expect(outcome.faults, lines[0]).toEqual([]);
    expect(outcome.requests).toBe(REQUESTS);
    // Signatures were valid often enough, and every kind of refusal was met.
    for (const status of [200, 204, 400, 401, 403, 404, 405])
      expect(outcome.statuses[status], String(status)).toBeGreaterThan(0);
  },
);
