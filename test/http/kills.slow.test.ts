import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** `CHARTGRAPH_TEST_KILLS=10000` is the long run; so is `node bench/kills.mjs`. */
const KILLS = Number(process.env['CHARTGRAPH_TEST_KILLS'] ?? 9);
const script = resolve(import.meta.dirname, '..', '..', 'bench', 'kills.mjs');

interface Outcome {
  readonly kills: Readonly<Record<'start' | 'fill' | 'write', number>>;
  readonly acknowledged: number;
  /** Milliseconds of the slowest start. */
  readonly slowest: number;
}

it(
  `${KILLS} kills at the start, while workers fill and while they write: nothing is lost, every next start succeeds at once`,
  { timeout: 60_000 + KILLS * 20_000 },
  async () => {
    // It ends with an error as soon as a write is lost or a start hangs.
    const { stdout } = await promisify(execFile)(process.execPath, [script, String(KILLS), '20']);
    const { kills, acknowledged, slowest } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Outcome;
    expect(kills.start + kills.fill + kills.write).toBe(KILLS);
    expect(acknowledged).toBeGreaterThan(0);
    // A start that hangs has no end, and the script gives up after a minute; the rest is this machine's.
    expect(slowest).toBeLessThan(60_000);
  },
);
