// The memory of a store after the same graphs were replaced again and again, against before, in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { base, copyOf, patients } from '../lib/data.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';

const run = promisify(execFile);
const child = fileURLToPath(new URL('../lib/garbage-child.mjs', import.meta.url));
// What Node.js 24 sets aside for young objects, up to 128 MB, and does not give back, is no memory of the store: here as
// much as Node.js 20 does.
const flags = ['--expose-gc', '--max-semi-space-size=16'];

/** As many at once as the smallest machine has cores. */
const ROUNDS = 2;

export async function measure({ quick }) {
  const data = await patients(quick ? 100 : 500, {});
  const replacements = quick ? 20_000 : 80_000;
  const replaced = async () => {
    const { dir } = await copyOf(data);
    const { stdout } = await run(process.execPath, [...flags, child, dir, base, String(replacements)]);
    return JSON.parse(stdout);
  };
  // Side by side: each takes a minute of one core, and neither the memory of another.
  const results = await Promise.all(Array.from({ length: quick ? 1 : ROUNDS }, replaced));
  const last = results.at(-1);
  return [
    figure('garbage', median(results.map(({ before, after }) => after / before)), {
      goal: 1.15,
      better: 'lower',
      spread: spreadOf(
        results.map(({ after }) => after),
        results.map(({ before }) => before),
      ),
      details: [
        `${short(last.after)} MB against ${short(last.before)} of ${short(data.quads)} quads, after ${short(replacements)} replacements, ${short(last.withPages)} with the pages that V8 keeps for its next objects; at most ${short(last.most)}`,
        `longest pause of the event loop beside queries ${short(last.pause)} ms, ${last.renewals} working sets made anew`,
      ],
    }),
  ];
}
