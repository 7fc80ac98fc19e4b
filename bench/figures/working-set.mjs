// Start-up and memory: our store against a raw Oxigraph store that is given the same quads.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { base, patients } from '../lib/data.mjs';
import { figure, median, short } from '../lib/measure.mjs';
import { quadsFile } from '../lib/quads-file.mjs';

const run = promisify(execFile);
const child = fileURLToPath(new URL('../lib/fill-child.mjs', import.meta.url));

/** Each takes twenty seconds, and they differ by a hundredth. */
const ROUNDS = 2;

/** @param wanted the ids that are asked for */
export async function measure({ quick, wanted }) {
  const data = await patients(quick ? 300 : 3000, { large: quick ? 0 : 20 });
  const file = await quadsFile(data);
  const ours = [];
  const raw = [];
  for (let round = 0; round < ROUNDS; round++) {
    raw.push(await measured('raw', file));
    ours.push(await measured('store', data.dir));
  }
  const { quads } = raw[0];
  if (ours[0].quads !== quads)
    throw new Error(`the working set holds ${ours[0].quads} quads, the raw store ${quads}`);
  const middle = (results, of) => median(results.map(of));
  const speed = ({ ms }) => (quads / ms) * 1000;
  const bytes = ({ megabytes }) => (megabytes * 2 ** 20) / quads;
  const pair = (of, unit) =>
    `${short(middle(ours, of))} against ${short(middle(raw, of))} ${unit}, ${short(quads)} quads, ${short(quads - data.quads)} of them derived`;
  return [
    figure('startup', middle(ours, speed) / middle(raw, speed), {
      goal: 0.8,
      better: 'higher',
      details: [pair(speed, 'quads/s')],
    }),
    figure('memory', middle(ours, bytes) / middle(raw, bytes), {
      goal: 1.2,
      better: 'lower',
      details: [pair(bytes, 'bytes a quad')],
    }),
  ].filter(({ id }) => wanted.includes(id));
}

async function measured(kind, path) {
  const { stdout } = await run(process.execPath, ['--expose-gc', child, kind, path, base]);
  return JSON.parse(stdout);
}
