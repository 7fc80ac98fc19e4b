// The store against a raw Oxigraph store with the same quads: how fast it starts, and what memory it takes.
// Each side is measured in a process of its own, several times, in turn.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDataDirectory } from '../dist/disk/data-directory.js';
import { readTriples } from '../dist/rdf/ntriples.js';
import { openTruth } from '../dist/store/truth.js';
import { BASE, patient } from './store-data.mjs';

const run = promisify(execFile);
const child = fileURLToPath(new URL('store-child.mjs', import.meta.url));

/** Prepares a data directory and an N-Quads file with the same quads; calls `measure` with both. */
async function withData(patients, measure) {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-bench-'));
  try {
    const dir = join(folder, 'data');
    const file = join(folder, 'quads.nq');
    const directory = await openDataDirectory(dir, { create: true });
    const truth = openTruth(directory, BASE);
    const lines = [];
    for (let number = 0; number < patients; number++) {
      const graphs = patient(number);
      await truth.write({ replace: graphs.map(({ name, text }) => ({ name, quads: readTriples(text) })) });
      for (const { name, text } of graphs) lines.push(text.replaceAll(' .\n', ` <${name}> .\n`));
    }
    await directory.close();
    await writeFile(file, lines.join(''));
    return await measure(dir, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(kind, path) {
  const { stdout } = await run(process.execPath, ['--expose-gc', child, kind, path]);
  return JSON.parse(stdout);
}

async function inTurn(rounds, dir, file) {
  const ours = [];
  const raw = [];
  for (let round = 0; round < rounds; round++) {
    raw.push(await measured('raw', file));
    ours.push(await measured('store', dir));
  }
  return { ours, raw };
}

function result({ value, peer, goal, atLeast, ...what }) {
  const ratio = value / peer;
  return { ...what, value, peer, ratio, goal, atLeast, ok: atLeast ? ratio >= goal : ratio <= goal };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Quads a second from an open data directory to the first answer, against loading them from an N-Quads file. */
export async function storeStart({ patients = 300, rounds = 5 } = {}) {
  return withData(patients, async (dir, file) => {
    const { ours, raw } = await inTurn(rounds, dir, file);
    const speed = (results) => Math.round(median(results.map(({ quads, ms }) => (quads / ms) * 1000)));
    const [value, peer] = [speed(ours), speed(raw)];
    return result({ name: 'start-up', unit: 'quads/s', value, peer, goal: 0.7, atLeast: true });
  });
}

/** Anonymous memory of a process that holds the quads, in MB, against one that holds them in a raw store. */
export async function storeMemory({ patients = 1000, rounds = 1 } = {}) {
  return withData(patients, async (dir, file) => {
    const { ours, raw } = await inTurn(rounds, dir, file);
    const size = (results) => Math.round(median(results.map(({ megabytes }) => megabytes)));
    const [value, peer] = [size(ours), size(raw)];
    return result({ name: 'memory', unit: 'MB', value, peer, goal: 1.3, atLeast: false });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const bench of [storeStart, storeMemory]) console.log(await bench());
}
