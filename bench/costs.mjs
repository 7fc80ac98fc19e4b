// What sealing and the history cost a write: processor time and time by the clock of a `GraphStore.write`, 64 in flight,
// that adds a graph or replaces one, with and without each. Every process measures one combination, in turns; medians.
//   node bench/costs.mjs [rounds] [writes of each kind]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openDataDirectory } from '../dist/store/disk/data-directory.js';
import { patientMaker } from './synth/patient-maker.mjs';
import { literal, namedNode, quad } from '../dist/rdf/terms.js';
import { keepHistory } from '../dist/store/history.js';
import { openPrimaryStore } from '../dist/store/primary-store.js';
import { base, FIRST, model, removeData, scratch } from './lib/data.mjs';
import { inFlight, median, short } from './lib/measure.mjs';

const combinations = [
  { sealing: false, history: 'off' },
  { sealing: true, history: 'off' },
  { sealing: false, history: 'all' },
  { sealing: true, history: 'all' },
];

/** Microseconds for each write, by the processor and by the clock, in the second of two directories: the engine compiles in the first. */
async function measureHere(history, count) {
  const graphs = [];
  const make = patientMaker({ ontology: model.ontology, seed: 'costs', size: 'small', base, first: FIRST });
  for (let n = 0; graphs.length < count; n++) graphs.push(...make(n).graphs.slice(1));
  graphs.length = count;
  const changed = graphs.map(({ name, quads }) => {
    const said = quad(namedNode(name), namedNode('http://purl.org/dc/terms/title'), literal('changed'));
    return { name, quads: [...quads, said] };
  });
  let result;
  for (const turn of ['first', 'second']) {
    const directory = await openDataDirectory(scratch(turn), { create: true });
    await directory.transact((tx) => keepHistory(tx, history, Date.now()));
    const store = openPrimaryStore(directory, base);
    const cost = async (written) => {
      const [before, start] = [process.cpuUsage(), performance.now()];
      await inFlight(written.length, (index) => store.write({ replace: [written[index]] }));
      const { user, system } = process.cpuUsage(before);
      const clock = (performance.now() - start) * 1000;
      return { processor: (user + system) / written.length, clock: clock / written.length };
    };
    result = { add: await cost(graphs), replace: await cost(changed) };
    await directory.close();
  }
  return result;
}

const [rounds = '7', count = '4000', history] = process.argv.slice(2);
try {
  if (history) console.log(JSON.stringify(await measureHere(history, Number(count))));
  else {
    const costs = combinations.map(() => ({ add: [], replace: [] }));
    for (let round = 0; round < Number(rounds); round++) {
      for (const [index, combination] of combinations.entries()) {
        const hook = fileURLToPath(new URL('lib/unsealed.mjs', import.meta.url));
        const before = combination.sealing ? [] : ['--import', hook];
        const args = [...before, fileURLToPath(import.meta.url), rounds, count, combination.history];
        const { add, replace } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
        costs[index].add.push(add);
        costs[index].replace.push(replace);
      }
    }
    for (const kind of ['add', 'replace']) {
      for (const by of ['processor', 'clock']) {
        const [bare, sealed, kept, both] = costs.map((cost) => median(cost[kind].map((each) => each[by])));
        const more = (from, to) => `${short(from)} → ${short(to)} µs, ${short((to / from - 1) * 100)} %`;
        console.log(`${kind}, ${by}: sealing ${more(kept, both)}; without a history ${more(bare, sealed)}`);
        console.log(`${kind}, ${by}: history ${more(sealed, both)}; without sealing ${more(bare, kept)}`);
      }
    }
  }
} finally {
  await removeData();
}
