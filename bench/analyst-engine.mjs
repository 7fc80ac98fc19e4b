// Another engine behind the door of analysts: the native Oxigraph (`oxigraph` of PyPI), fed and asked by the container,
// against the same engine asked directly; and ten queries of analysts on the embedded engine beside it.
// node bench/analyst-engine.mjs [--patients N | --data FOLDER] [--rounds N] [--only FIGURE]…; a folder is copied first.
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { bindAnalysis } from '../dist/model/analyses/analysis.js';
import { loadAnalyses } from '../dist/model/analyses/read-analysis.js';
import { literal, namedNode, quad } from '../dist/rdf/terms.js';
import { rdf, sp } from '../dist/rdf/vocabulary.js';
import { openDataDirectory } from '../dist/store/disk/data-directory.js';
import { openPrimaryStore } from '../dist/store/primary-store.js';
import { analystQueries } from './lib/analyst-queries.mjs';
import { analystTokens, answerTo, levelFilled, sparqlPath } from './lib/analysts.mjs';
import { copyOf, FIRST, model, removeData, root, scratch } from './lib/data.mjs';
import { works, writableOxigraph } from './lib/engines.mjs';
import { writeLevel } from './lib/level-quads.mjs';
import { figure, inTurn, median, short } from './lib/measure.mjs';
import { megabytesOfAll } from './lib/memory.mjs';
import { processorTimeOf, timeOfAll, timeOfEnded } from './lib/processor-time.mjs';
import { serve } from './lib/servers.mjs';

const PATIENTS = 150;
const CSV = 'text/csv';
const ROWS = 1_000_000;
const WRITES = 10;
/** Seconds that a query may take: what is slow is a figure here, not an error. */
const TIMEOUT = ['--analyst-timeout', '300'];
/** The container's own working set takes no time from what is measured. */
const SMALL = { workers: 1, memory: 256, isWhole: false, analysts: true };
export const ids = [
  'door-fill',
  'door-analyses',
  'door-first-row',
  'door-memory',
  'door-write',
  'ten-queries',
];

export async function measure({
  quick,
  rounds,
  wanted,
  size = quick ? 30 : PATIENTS,
  data: given,
  report = () => {},
}) {
  if (!works('oxigraph', '--version')) {
    const details = ['the native Oxigraph is not installed (pip install oxigraph)'];
    return wanted.map((id) => figure(id, null, { goal: null, better: 'lower', details }));
  }
  const data = await copyOf({ dir: given ?? (await synthesised(size)) });
  const [bearer] = await analystTokens(data.dir, ['ana'], { allRows: true });
  const engine = await writableOxigraph(scratch('engine'));
  const direct = (sparql, accept = CSV) => directly(engine, sparql, accept);
  const results = [];
  const add = (...figures) => {
    results.push(...figures);
    figures.forEach(report);
  };
  const parts = { data, bearer, engine, direct, rounds: Math.min(rounds, 3) };
  try {
    const at = ['--analyst-engine', `${engine.url}/query`, '--analyst-engine-update', `${engine.url}/update`];
    const server = await serve(data.dir, { ...SMALL, settings: [...at, ...TIMEOUT] });
    const door = { ...parts, server, asked: { url: server.url, bearer } };
    try {
      const filled = await filledIn(door);
      if (wanted.includes('door-fill')) add(await fill(door, filled));
      if (wanted.includes('door-analyses')) add(await analyses(door));
      if (wanted.includes('door-first-row') || wanted.includes('door-memory'))
        add(...(await streamed(door)).filter(({ id }) => wanted.includes(id)));
      if (wanted.includes('door-write')) add(await writes(door));
    } finally {
      await server.stop();
    }
    if (wanted.includes('ten-queries')) add(await embedded(parts));
    return results;
  } finally {
    await engine.stop();
  }
}

/** Patients of real size, with the codes that the seed has. @returns their data directory */
async function synthesised(number) {
  const dir = scratch('synthesised');
  const args = ['--patients', String(number), '--size', 'real', '--data', dir];
  await promisify(execFile)(process.execPath, [join(root, 'bench', 'synth.mjs'), ...args]);
  return dir;
}

/** Asks the engine itself. @returns the bytes of the answer */
async function directly({ url }, query, accept) {
  const response = await fetch(`${url}/query`, {
    method: 'POST',
    headers: { Accept: accept },
    body: new URLSearchParams({ query }),
  });
  const body = await response.arrayBuffer();
  if (!response.ok) throw new Error(`the engine answered ${response.status}: ${Buffer.from(body)}`);
  return body;
}

/** Seconds until the first answer, and those of processors. */
async function filledIn({ asked, server, engine }) {
  // The first process has its own start to work for, the ones that it started have not.
  const worked = () => (timeOfAll(server.pid) - processorTimeOf(server.pid) + timeOfAll(engine.pid)) / 1e6;
  const [start, before] = [performance.now(), worked()];
  await levelFilled(asked);
  return { wall: (performance.now() - start) / 1000, worked: worked() - before };
}

async function fill({ data, server }, filled) {
  const file = scratch('level.nq');
  const lines = await writeLevel(data.dir, server.url, file);
  const [start, before] = [performance.now(), timeOfEnded()];
  const loader = ['load', '--location', scratch('loaded'), '--file', file, '--format', 'nq'];
  await promisify(execFile)('oxigraph', loader);
  const loaded = (performance.now() - start) / 1000;
  const worked = (timeOfEnded() - before) / 1e6;
  const size = `${short(lines)} statements, ${short(statSync(file).size / 2 ** 20)} MB`;
  return figure('door-fill', loaded / filled.wall, {
    goal: 0.5,
    better: 'higher',
    details: [
      `${size}: ${short(filled.wall)} s from the records, against ${short(loaded)} s from a file`,
      `seconds of processors: ${short(filled.worked)} of the process of analysts and the engine, against ${short(worked)}`,
    ],
  });
}

async function analyses({ asked, direct, rounds }) {
  const all = await loadAnalyses(join(root, 'queries'), model.ontology);
  const compared = [];
  for (const analysis of all.values()) {
    const through = () => answerTo(asked, `/analyses/${analysis.name}`, CSV);
    compared.push(await comparison(analysis.name, through, () => direct(bindAnalysis(analysis, [])), rounds));
  }
  return worst('door-analyses', compared, 1.5);
}

/** Milliseconds of both, and their ratio; their rows must be as many. */
async function comparison(name, ours, theirs, rounds) {
  const found = [await rowsOf(ours), await rowsOf(theirs)];
  if (found[0] !== found[1]) throw new Error(`${name} has ${found[0]} rows, and ${found[1]} in the engine`);
  const [own, other] = await inTurn([ours, theirs], rounds);
  return { name, ratio: own / other, own, other, rows: found[0] - 1 };
}

const rowsOf = async (ask) =>
  Buffer.from(await ask())
    .toString()
    .trim()
    .split(/\r?\n/u).length;

function worst(id, compared, goal) {
  compared.sort((a, b) => b.ratio - a.ratio);
  return figure(id, compared[0].ratio, {
    goal,
    better: 'lower',
    details: compared.map(
      ({ name, ratio, own, other, rows }) =>
        `${short(ratio).padEnd(5)} ${name}: ${short(own)} ms against ${short(other)}, ${rows} rows`,
    ),
  });
}

/** The first row of everything, and memory while as many rows are read as there are, a million at most. */
async function streamed({ asked, server, engine }) {
  const query = `SELECT ?s ?p ?o { ?s ?p ?o } LIMIT ${ROWS}`;
  // Before anything counts, memory takes what it keeps.
  await firstRow(asked.url + sparqlPath(query), asked.bearer, 50_000);
  await wait(2000);
  const before = megabytesOfAll(server.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, megabytesOfAll(server.pid))), 20);
  const start = performance.now();
  const { first, rows, bytes } = await firstRow(asked.url + sparqlPath(query), asked.bearer, Infinity);
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  const through = [first];
  const plain = [];
  for (let round = 0; round < 3; round++) {
    plain.push((await firstRow(`${engine.url}/query?query=${encodeURIComponent(query)}`, '', 1)).first);
    through.push((await firstRow(asked.url + sparqlPath(query), asked.bearer, 1)).first);
  }
  return [
    figure('door-first-row', Math.max(...through) / 1000, {
      goal: 1,
      better: 'lower',
      details: [
        `seconds, the worst of four; the middle ${short(median(through))} ms, the engine directly ${short(median(plain))}`,
      ],
    }),
    figure('door-memory', most - before, {
      goal: 50,
      better: 'lower',
      details: [
        `megabytes of all processes of the container, ${short(before)} before; ${short(rows)} rows, ${short(bytes / 2 ** 20)} MB in ${short(seconds)} s`,
      ],
    }),
  ];
}

/** Reads rows as CSV, and leaves after so many. @returns milliseconds until the first one, rows and bytes */
function firstRow(url, bearer, most) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { Accept: CSV, ...(bearer && { Authorization: `Bearer ${bearer}` }) };
    let [first, lines, bytes] = [undefined, 0, 0];
    const sent = request(url, { headers }, (response) => {
      const end = () => {
        response.destroy();
        if (response.statusCode === 200) resolve({ first, rows: lines - 1, bytes });
        else reject(new Error(`it was answered with ${response.statusCode}`));
      };
      response.on('data', (chunk) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
        if (lines > 1) first ??= performance.now() - start;
        if (lines > most) end();
      });
      response.once('end', end);
    });
    sent.once('error', reject).end();
  });
}

/** Seconds from the end of a write until the answer has it: the longest. */
async function writes({ data, server, asked }) {
  const directory = await openDataDirectory(data.dir);
  const primary = openPrimaryStore(directory, server.url);
  const path = sparqlPath('SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }');
  const count = async () =>
    Number(
      Buffer.from(await answerTo(asked, path, CSV))
        .toString()
        .split('\n')[1],
    );
  const before = await count();
  const times = [];
  for (let number = 1; number <= WRITES; number++) {
    const name = `${server.url}/records/${FIRST}/problems/bench-${number}`;
    const subject = namedNode(name);
    const quads = [
      quad(subject, namedNode(rdf.type), namedNode(sp.Problem)),
      quad(subject, namedNode(sp.belongsTo), namedNode(`${server.url}/records/${FIRST}`)),
      quad(subject, namedNode(sp.startDate), literal('2010-06')),
    ];
    await primary.write({ replace: [{ name, quads }] });
    const start = performance.now();
    while ((await count()) < before + number) await wait(20);
    times.push((performance.now() - start) / 1000);
  }
  await directory.close();
  return figure('door-write', Math.max(...times), {
    goal: 2,
    better: 'lower',
    details: [
      `seconds, the longest of ${WRITES}, with the query that counts; the middle ${short(median(times))}`,
    ],
  });
}

async function embedded({ data, bearer, direct, rounds }) {
  const server = await serve(data.dir, { ...SMALL, settings: TIMEOUT });
  const asked = { url: server.url, bearer };
  const compared = [];
  try {
    await levelFilled(asked);
    for (const [name, query] of analystQueries) {
      const ours = () => answerTo(asked, sparqlPath(query), CSV);
      compared.push(await comparison(name, ours, () => direct(query), rounds));
    }
  } finally {
    await server.stop();
  }
  return worst('ten-queries', compared, null);
}

if (process.argv[1] === import.meta.filename) {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { patients: text, data: text, rounds: text, only: { ...text, multiple: true } },
  });
  const { patients: size, data, rounds = '3', only: wanted = ids } = values;
  try {
    const settings = { quick: false, rounds: Number(rounds), wanted, data };
    const report = ({ id, value, goal, holds, details }) => {
      const mark = holds === null ? '' : `, goal ${goal}: ${holds ? 'met' : 'MISSED'}`;
      console.log([`${id} ${value === null ? '–' : short(value)}${mark}`, ...details].join('\n    '));
    };
    await measure({ ...settings, report, ...(size && { size: Number(size) }) });
  } finally {
    await removeData();
  }
}
