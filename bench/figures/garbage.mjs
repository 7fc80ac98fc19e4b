// The memory of a store after the same graphs were replaced again and again, against before, in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { base, copyOf, patients } from '../lib/data.mjs';
import { figure, median, short } from '../lib/measure.mjs';

const run = promisify(execFile);
const child = fileURLToPath(new URL('../lib/garbage-child.mjs', import.meta.url));

export async function measure({ quick, rounds }) {
  const data = await patients(quick ? 100 : 500, {});
  const replacements = quick ? 20_000 : 200_000;
  const results = [];
  for (let round = 0; round < (quick ? 1 : rounds); round++) {
    const { dir } = await copyOf(data);
    const { stdout } = await run(process.execPath, ['--expose-gc', child, dir, base, String(replacements)]);
    results.push(JSON.parse(stdout));
  }
  const ratios = results.map(({ before, after }) => after / before);
  const last = results.at(-1);
  return [
    figure('garbage', median(ratios), {
      goal: 1.3,
      better: 'lower',
      details: [
        `${short(last.after)} MB against ${short(last.before)} of ${short(data.quads)} quads, after ${short(replacements)} replacements; at most ${short(last.most)}`,
        `longest pause of the event loop beside queries ${short(last.pause)} ms, ${last.renewals} working sets made anew`,
      ],
    }),
  ];
}
