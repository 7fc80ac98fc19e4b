// What analysts wait for: the smallest query, a table of 100,000 rows, and the shipped analyses against a raw engine that
// holds the same level. All over HTTP, with a bearer token, in the access log.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bindAnalysis } from '../../dist/model/analyses/analysis.js';
import { loadAnalyses } from '../../dist/model/analyses/read-analysis.js';
import { analystTokens, answerTo, levelFilled, sparqlPath } from '../lib/analysts.mjs';
import { copyOf, model, patients, root } from '../lib/data.mjs';
import { eachLevelChunk } from '../lib/level-quads.mjs';
import { figure, inTurn, median, quantile, short } from '../lib/measure.mjs';
import { megabytesOf } from '../lib/memory.mjs';
import { serve } from '../lib/servers.mjs';

const { Store } = createRequire(import.meta.url)('oxigraph');
const CSV = 'text/csv';
const EVERYTHING = sparqlPath('SELECT ?s ?p ?o WHERE { ?s ?p ?o }');

export async function measure({ quick, rounds, wanted }) {
  const data = await copyOf(await patients(quick ? 200 : 2000, {}));
  const [bearer] = await analystTokens(data.dir, ['ana']);
  const server = await serve(data.dir, { workers: 1, analysts: true });
  const asked = { url: server.url, bearer };
  const results = [];
  try {
    await levelFilled(asked);
    if (wanted.includes('analyst-ask')) results.push(await smallest(asked, quick ? 40 : 200));
    if (wanted.includes('analyst-stream')) results.push(await streamed(asked, server.pid));
    if (wanted.includes('analyses')) results.push(await analyses(asked, data, Math.min(rounds, 3)));
    return results;
  } finally {
    await server.stop();
  }
}

/** Milliseconds of an ASK. */
async function smallest(asked, count) {
  const times = [];
  for (let n = 0; n < count; n++) {
    const start = performance.now();
    await answerTo(asked, sparqlPath('ASK {}'), CSV);
    times.push(performance.now() - start);
  }
  const of = (share) => short(quantile(times, share));
  return figure('analyst-ask', median(times), {
    goal: 20,
    better: 'lower',
    details: [
      `milliseconds; 90 % within ${of(0.9)}, 99 % within ${of(0.99)}; load average ${short(loadavg()[0])}`,
    ],
  });
}

/** Megabytes that the process of analysts takes more while it answers with all rows that it gives. */
async function streamed(asked, server) {
  const pid = analystsOf(server);
  // The copy of the data that waits for the next query is there after the first one.
  for (let n = 0; n < 5; n++) await answerTo(asked, sparqlPath('ASK {}'), CSV);
  await wait(3000);
  const before = megabytesOf(pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, megabytesOf(pid))), 20);
  const details = [];
  for (const accept of [CSV, 'application/sparql-results+json', 'application/vnd.apache.parquet']) {
    const start = performance.now();
    const { byteLength } = await answerTo(asked, EVERYTHING, accept);
    const seconds = (performance.now() - start) / 1000;
    const size = `${short(byteLength / 2 ** 20)} MB in ${short(seconds)} s`;
    details.push(`${accept}: ${size}, at most ${short(most - before)} MB more so far`);
  }
  clearInterval(watch);
  details.push(`megabytes; ${short(before)} before, with the data`);
  return figure('analyst-stream', most - before, { goal: 50, better: 'lower', details });
}

function analystsOf(server) {
  const found = readdirSync('/proc').find((pid) => {
    try {
      return (
        /^\d+$/u.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('analyst-process') &&
        Number(/PPid:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) === server
      );
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
  if (found === undefined) throw new Error('the server has no process of analysts');
  return found;
}

/** Each analysis with its standard parameters: the one that takes the most of what the raw engine does. */
async function analyses(asked, { dir }, rounds) {
  const raw = await rawLevel(dir, asked.url);
  const all = await loadAnalyses(join(root, 'queries'), model.ontology);
  const compared = [];
  for (const analysis of all.values()) {
    const sparql = bindAnalysis(analysis, []);
    const [ours, theirs] = await inTurn(
      [
        () => answerTo(asked, `/analyses/${analysis.name}`, CSV),
        () => raw.query(sparql, { results_format: CSV }),
      ],
      rounds,
    );
    const given = Buffer.from(await answerTo(asked, `/analyses/${analysis.name}`, CSV)).toString();
    const rows = given.trim().split('\n').length;
    const found = raw.query(sparql, { results_format: CSV }).trim().split(/\r?\n/u).length;
    if (found !== rows) throw new Error(`${analysis.name} has ${rows} rows, and ${found} in the raw engine`);
    compared.push({ name: analysis.name, ratio: ours / theirs, ours, theirs, rows: rows - 1 });
  }
  compared.sort((a, b) => b.ratio - a.ratio);
  return figure('analyses', compared[0].ratio, {
    goal: 2,
    better: 'lower',
    details: compared.map(
      ({ name, ratio, ours, theirs, rows }) =>
        `${short(ratio).padEnd(5)} ${name}: ${short(ours)} ms against ${short(theirs)}, ${rows} rows`,
    ),
  });
}

/** An engine in this process with what the de-identified level of a server has. */
async function rawLevel(dir, base) {
  const store = new Store();
  await eachLevelChunk(dir, base, (chunk) => store.load(chunk, { format: 'application/n-quads' }));
  return store;
}
