// Every benchmark in one run: each figure is a ratio to a peer or a limit measured in the same run, since machines
// are noisy and absolute times prove little. Missed goals end with exit code 1. See README.md beside this file.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { removeData } from './lib/data.mjs';
import { short, slower } from './lib/measure.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    compare: { type: 'string' },
    'peer-url': { type: 'string' },
    'store-url': { type: 'string' },
  },
});

/** What measures which figures; a file that is not there has no figures. */
const table = [
  ['./figures/warm.mjs', 'warm-get', 'not-modified'],
  ['./figures/allocation.mjs', 'allocation', 'outlived'],
  ['./figures/cold.mjs', 'cold-get'],
  ['./figures/page.mjs', 'page'],
  ['./figures/access-log.mjs', 'access-log'],
  ['./figures/peer.mjs', 'peer-cold', 'peer-warm'],
  ['./figures/fhir-peer.mjs', 'fhir-cold', 'fhir-warm'],
  ['./figures/lists.mjs', 'flat-list'],
  ['./figures/pages.mjs', 'page-of-2000'],
  ['./figures/long-list.mjs', 'long-list'],
  ['./figures/search.mjs', 'search'],
  ['./figures/working-set.mjs', 'startup', 'memory'],
  ['./figures/scale.mjs', 'first-answer', 'cold-record', 'big'],
  ['./figures/writes.mjs', 'writes'],
  ['./figures/workers.mjs', 'workers'],
  ['./figures/shared.mjs', 'pg-writes', 'pg-load', 'pg-warm', 'pg-cold', 'gateways'],
  ['./figures/isolation.mjs', 'isolation'],
  ['./figures/floods.mjs', 'floods'],
  ['./figures/garbage.mjs', 'garbage'],
  ['./figures/refusals.mjs', 'refusals'],
  ['./figures/analysts.mjs', 'analyst-ask', 'analyst-stream', 'analyses'],
  [
    './analyst-engine.mjs',
    'door-fill',
    'door-analyses',
    'door-first-row',
    'door-memory',
    'door-write',
    'ten-queries',
  ],
  ['./figures/fhir.mjs', 'fhir'],
  ['./validate.mjs', 'validate'],
  ['./endpoint.mjs', 'endpoint'],
].filter(([file]) => existsSync(new URL(file, import.meta.url)));

const known = table.flatMap(([, ...ids]) => ids);
const unknown = options.only.filter((id) => !known.includes(id));
if (unknown.length > 0) {
  console.error(`No figure is called ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}
// Read before anything is measured: a file that is not there shows at once.
const earlier = options.compare && JSON.parse(readFileSync(options.compare, 'utf8')).figures;
const asked = options.only.length > 0 ? options.only : known;
const say = (line) => (options.json ? console.error(line) : console.log(line));
const comparison = (better) => (better === 'higher' ? '≥' : '≤');
const marks = new Map([
  [true, 'met   '],
  [false, 'MISSED'],
  [null, '–     '],
]);

const figures = [];
const began = performance.now();
/** How long it is since then, for people. */
const since = (start) => `${Math.round((performance.now() - start) / 1000)} s`;
say(`${'figure'.padEnd(14)} ${'value'.padStart(7)}  goal     result`);
try {
  for (const [file, ...ids] of table) {
    const wanted = ids.filter((id) => asked.includes(id));
    if (wanted.length === 0) continue;
    const { measure } = await import(file);
    const start = performance.now();
    const settings = {
      quick: options.quick,
      rounds: 5,
      wanted,
      peerUrl: options['peer-url'],
      storeUrl: options['store-url'],
    };
    const results = await measure(settings).catch((error) => {
      // One that breaks is missed, and the others are still worth having.
      const details = [String(error.stack ?? error)];
      return wanted.map((id) => ({ id, value: null, goal: null, better: 'lower', holds: false, details }));
    });
    for (const { details = [], ...figure } of results) {
      figures.push(figure);
      const { id, value, goal, better, holds } = figure;
      const limit = goal === null ? '' : `${comparison(better)} ${goal}`;
      say(
        `${id.padEnd(14)} ${(value === null ? '–' : short(value)).padStart(7)}  ${limit.padEnd(7)}  ${marks.get(holds)}`,
      );
      for (const line of details) say(`${' '.repeat(16)}${line}`);
    }
    say(`${' '.repeat(16)}in ${since(start)}`);
  }
} finally {
  await removeData();
}
say(`All of it took ${since(began)}.`);
const missed = figures.filter(({ holds }) => holds === false).map(({ id }) => id);
say(missed.length === 0 ? 'No goal is missed.' : `Missed: ${missed.join(', ')}.`);
const worse = earlier ? slower(figures, earlier) : [];
for (const { id, before, now } of worse)
  say(`Worse than before: ${id}, ${short(now)} and it was ${short(before)}.`);
if (earlier && worse.length === 0) say('No figure is worse than before.');
if (options.json) console.log(JSON.stringify({ figures }, null, 2));
process.exit(missed.length === 0 && worse.length === 0 ? 0 : 1);
