// Records that are not in memory: the first answer after a start, and a container that memory does not hold, against one
// that it holds.
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { Client } from '../lib/client.mjs';
import { base, lists, model, patients } from '../lib/data.mjs';
import { placesInRecord } from '../../dist/records/record-partition.js';
import { inventedName } from '../synth/invented-names.mjs';
import { figure, median, short } from '../lib/measure.mjs';
import { megabytesOf } from '../lib/memory.mjs';
import { answerRaw, loadRaw, newStore } from '../lib/raw-store.mjs';
import { expectAll, pathOf, recordIds } from '../lib/requests.mjs';
import { credentials, serve } from '../lib/servers.mjs';

/** What the container that is too large may take, in megabytes, and how many lists of each kind it is asked for. */
const MEMORY = 512;
const ASKED = 300;
/** Records that all lists are asked of before, until the code of the server is compiled. */
const WARM_UP = 30;

export async function measure({ quick, wanted, rounds }) {
  const figures = [];
  if (wanted.includes('first-answer'))
    figures.push(await firstAnswer({ quick, rounds: Math.min(rounds, 3) }));
  if (wanted.includes('cold-record') || wanted.includes('big'))
    figures.push(...(await big({ quick, wanted })));
  return figures;
}

async function firstAnswer({ quick, rounds }) {
  const full = await patients(quick ? 300 : 3000, { large: quick ? 0 : 20 });
  const empty = await patients(1, {});
  const took = { full: [], empty: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, data] of Object.entries({ full, empty })) {
      const record = recordIds(data).small.at(-1);
      const as = (await credentials(data.dir, [record])).get(record);
      const client = new Client();
      const start = performance.now();
      const server = await serve(data.dir, { isWhole: false });
      expectAll(await client.run(server.url, [{ path: pathOf(lists[0], record), as }], { connections: 1 }));
      if (round > 0) took[name].push(performance.now() - start);
      await client.stop();
      await server.stop();
    }
  }
  const [ours, theirs] = [median(took.full), median(took.empty)];
  return figure('first-answer', ours / theirs, {
    goal: 1.5,
    better: 'lower',
    details: [`${short(ours)} ms with ${full.patients} patients against ${short(theirs)} with one`],
  });
}

/** Some records all over the container: a step that has no divisor in common with their number meets each once. */
const spread = (all, most = ASKED) =>
  Array.from({ length: Math.min(most, all.length) }, (_, index) => all[(index * 7919) % all.length]);

async function big({ quick, wanted }) {
  const large = await coldLists(await patients(quick ? 3000 : 10_000, {}), {
    workers: 1,
    memory: quick ? 256 : MEMORY,
    isWhole: 'filled',
  });
  const figures = [];
  if (wanted.includes('cold-record')) {
    const [{ ms }] = large.lists;
    const raw = await rawAnswers(large);
    const details = [
      `${short(ms)} ms against ${short(raw)}, ${large.firstRecords.length} records of ${large.patients}`,
    ];
    figures.push(figure('cold-record', ms / raw, { goal: 2.5, better: 'lower', details }));
  }
  if (!wanted.includes('big')) return figures;
  const small = await coldLists(await patients(quick ? 300 : 1000, {}), { workers: 1 });
  const ratios = large.lists
    .map(({ name, ms }, index) => ({ name, ms, ratio: ms / small.lists[index].ms }))
    .sort((a, b) => a.ratio - b.ratio);
  const worst = ratios.at(-1);
  const big = figure('big', worst.ratio, {
    goal: 1.5,
    better: 'lower',
    details: [
      `${worst.name} ${short(worst.ms)} ms, the median list ${short(ratios[Math.floor(ratios.length / 2)].ratio)} ×; ${ratios.map(({ name, ratio }) => `${name} ${short(ratio)}`).join(', ')}`,
      `searches ${short(large.search)} ms against ${short(small.search)}`,
      `${short(large.megabytes)} MB with ${large.patients} patients, ${short(small.megabytes)} with ${small.patients}`,
    ],
  });
  return [...figures, big];
}

/** The median time of each list, each of records all over the container of which nothing was asked before. */
async function coldLists(data, options) {
  const all = recordIds(data).small;
  const each = Math.min(ASKED, Math.floor((all.length - WARM_UP) / lists.length));
  const chosen = spread(all, each * lists.length + WARM_UP);
  const before = chosen.splice(-WARM_UP);
  const tokens = await credentials(data.dir, [...chosen, ...before]);
  const server = await serve(data.dir, options);
  const client = new Client();
  const ask = async (call, records) => {
    const requests = records.map((record) => ({ path: pathOf(call, record), as: tokens.get(record) }));
    return expectAll(await client.run(server.url, requests, { connections: 1 }));
  };
  try {
    for (const call of lists) await ask(call, before);
    const results = [];
    for (const [index, call] of lists.entries()) {
      const { latencies } = await ask(call, chosen.slice(index * each, (index + 1) * each));
      results.push({ name: call.name, ms: median(latencies) });
    }
    const searches = Array.from({ length: 100 }, (_, index) => ({
      path: `/records/search?family_name=${inventedName(index)}&limit=20`,
    }));
    const { latencies } = expectAll(await client.run(server.url, searches, { connections: 1 }));
    const megabytes = megabytesOf(server.pid);
    const firstRecords = chosen.slice(0, each);
    return { ...data, lists: results, firstRecords, search: median(latencies), megabytes };
  } finally {
    await client.stop();
    await server.stop();
  }
}

/** The median time in which a raw store loads what the first list of a record is made of, and answers. */
async function rawAnswers({ dir, firstRecords }) {
  const took = [];
  const directory = await openDataDirectory(dir);
  // Once before, until the code of the engine is compiled as that of the server is.
  for (const record of [...firstRecords, ...firstRecords]) {
    const start = performance.now();
    const store = newStore();
    for (const place of placesInRecord(model.ontology, lists[0], { record_id: record })) {
      directory.read((tx) => loadRaw(store, tx.range('graphs', { prefix: `${place}/` }), base));
    }
    await answerRaw(store, base, lists[0], record);
    took.push(performance.now() - start);
    store.free();
  }
  await directory.close();
  return median(took.slice(firstRecords.length));
}
