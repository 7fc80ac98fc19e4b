// Searches of patients of Synthea, in the container and in a FHIR server that was given the same bundles: HAPI's, with H2
// in memory. Both have every core. Searches in which the two find other numbers of resources are left out. What counts is
// the time of the processor: by the clock, a server of many threads gets more of a machine that others use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { loadFhir } from '../../dist/fhir/load-fhir.js';
import { mappingThreads } from '../../dist/fhir/mapping-threads.js';
import { MAPPING_FOLDER, readMapping } from '../../dist/fhir/mapping.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';
import { Client } from '../lib/client.mjs';
import { base, model, root, scratch } from '../lib/data.mjs';
import { hasFhirServer, startFhirServer } from '../lib/fhir-server.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';
import { timeOfAll } from '../lib/processor-time.mjs';
import { expectAll } from '../lib/requests.mjs';
import { bearers, serve } from '../lib/servers.mjs';
import { NO_PATIENTS, patientBundles } from '../lib/synthea.mjs';

const CONNECTIONS = 16;
/** So many bytes of patients are loaded at least, where there are as many. */
const [WHOLE, QUICK] = [12_000_000, 1_000_000];
/** How long a round of each takes, about. */
const SECONDS = 0.8;
/** So many requests are answered before anything counts, by when most code is compiled. */
const WARMING = { ours: 1000, theirs: 2000 };
/** What searches find; the rest, claims for the most part, nobody asks for. */
const LISTED = new Set(
  'Patient Encounter Observation Condition Medication MedicationRequest AllergyIntolerance Immunization Procedure'.split(
    ' ',
  ),
);
const searches = [
  'AllergyIntolerance?',
  'Condition?',
  'Encounter?',
  'Immunization?',
  'MedicationRequest?',
  'Observation?category=laboratory&',
  'Procedure?',
];
/**
 * The quickest that a search can say, of what was asked before, too: HAPI then neither keeps what it has found nor looks
 * for what it found before, which costs it more than to find it.
 */
const headers = { Accept: 'application/fhir+json', 'Cache-Control': 'no-store' };
/** By figure: the least ratio, and what the container is started with. Without its cache it makes every answer anew. */
const ways = {
  'fhir-cold': { goal: 1.5, settings: ['--cache-size', '0'] },
  'fhir-warm': { goal: 10, settings: [] },
};

export async function measure({ quick, wanted, rounds }) {
  const goal = (id) => ({ goal: ways[id].goal, better: 'higher' });
  const paths = patientBundles(quick ? QUICK : WHOLE);
  const none = (why) => wanted.map((id) => figure(id, null, { ...goal(id), details: [why] }));
  if (!hasFhirServer())
    return none(
      'no FHIR server: .ci/fhir-server DIR fetches it, and CHARTGRAPH_TEST_FHIR_SERVER=DIR tells of it',
    );
  if (paths === undefined) return none(NO_PATIENTS);
  const bundles = paths.map((path) => ({ path, text: listed(path) }));
  const dir = await loaded(bundles);
  const began = performance.now();
  const peer = await startFhirServer();
  const client = new Client();
  try {
    const started = performance.now();
    const isShared = ({ path }) => /Information/u.test(path);
    const ids = await peer.store({
      shared: bundles.filter(isShared).map(({ text }) => text),
      people: bundles.filter((bundle) => !isShared(bundle)).map(({ text }) => text),
    });
    const stored = performance.now();
    const seconds = (from, to) => `${short((to - from) / 1000)} s`;
    const told = `the FHIR server took ${seconds(began, started)} to start and ${seconds(started, stored)} to store the bundles`;
    const same = await alike(dir, peer, ids);
    const theirs = { ...peer, requests: same.map(({ path }) => ({ path, headers })) };
    await round(client, theirs, quick ? WARMING.theirs / 10 : WARMING.theirs);
    const figures = [];
    for (const id of wanted) {
      const sides = await race(id, { dir, client, same, theirs, rounds });
      const costs = sides.map((all) => all.map(({ cost }) => cost));
      const [cost, otherCost] = costs.map(median);
      const [ours, others] = sides.map((all) => short(median(all.map(({ rate }) => rate))));
      const details = [
        `${short(cost)} ms of the processor each against ${short(otherCost)} of HAPI on H2; ${ours} a second against ${others}`,
      ];
      if (figures.length === 0) details.push(same.told, told);
      figures.push(figure(id, otherCost / cost, { ...goal(id), spread: spreadOf(...costs), details }));
    }
    return figures;
  } finally {
    await client.stop();
    await peer.stop();
  }
}

/** A bundle with what is asked for, and what hospitals and practitioners are. */
function listed(path) {
  const bundle = JSON.parse(readFileSync(path, 'utf8'));
  if (path.includes('Information')) return JSON.stringify(bundle);
  const entry = bundle.entry.filter(({ resource }) => LISTED.has(resource.resourceType));
  return JSON.stringify({ ...bundle, entry });
}

/** A data directory with the bundles. */
async function loaded(bundles) {
  const dir = scratch('fhir-peer');
  const directory = await openDataDirectory(dir, { create: true });
  try {
    await loadFhir({
      files: bundles.map(({ path, text }) => ({ name: path, open: () => chunksOf(text) })),
      primary: openPrimaryStore(directory, base),
      ontology: model.ontology,
      mapping: await readMapping(join(root, 'queries', MAPPING_FOLDER), model.ontology),
      base,
      threads: mappingThreads(),
    });
  } finally {
    await directory.close();
  }
  return dir;
}

async function* chunksOf(text) {
  yield Buffer.from(text);
}

/** The searches that find as many resources on both sides, one at least. */
async function alike(dir, peer, ids) {
  const tokens = await bearers(dir, [...ids.keys()]);
  const server = await serve(dir);
  const found = [];
  const sums = [0, 0, 0];
  const ask = async (url, path, more) =>
    (await fetch(url + path, { headers: { ...headers, ...more } })).text();
  try {
    for (const [record, patient] of ids) {
      const authorization = { Authorization: `Bearer ${tokens.get(record)}` };
      for (const search of searches) {
        const path = (id) => `/fhir/${search}patient=${id}&_count=200`;
        const own = { path: path(record), headers: { ...headers, ...authorization } };
        const texts = [await ask(server.url, own.path, authorization), await ask(peer.url, path(patient))];
        const [members, others] = texts.map((text) => JSON.parse(text).entry?.length ?? 0);
        if (members === 0 || members !== others) continue;
        found.push({ search, own, path: path(patient) });
        [members, ...texts.map((text) => Buffer.byteLength(text))].forEach((size, at) => (sums[at] += size));
      }
    }
  } finally {
    await server.stop();
  }
  if (found.length === 0) throw new Error('the FHIR server finds nothing as we do');
  const [members, ours, theirs] = sums.map((sum) => short(sum / found.length));
  const counts = searches.map((search) => {
    const number = found.filter((each) => each.search === search).length;
    return `${search.replace(/\?.*/u, '')} ${number}`;
  });
  const all = ids.size * searches.length;
  const told = `${found.length} of ${all} searches of ${ids.size} patients: ${counts.join(', ')}; in the mean ${members} resources, ${ours} bytes against ${theirs}`;
  return Object.assign(found, { told });
}

/** Rounds of both, in turns: of the container, of the FHIR server. */
async function race(id, { dir, client, same, theirs, rounds }) {
  const server = await serve(dir, { settings: ways[id].settings });
  const sides = [{ ...server, requests: same.map(({ own }) => own) }, theirs];
  try {
    // The first tells how many a later one has.
    const results = [
      [await round(client, sides[0], WARMING.ours)],
      [await round(client, theirs, same.length)],
    ];
    for (let number = 0; number < rounds; number++)
      for (const [index, side] of sides.entries())
        results[index].push(await round(client, side, results[index].at(-1).rate * SECONDS));
    for (const all of results) all.shift();
    return results;
  } finally {
    await server.stop();
  }
}

/** @returns answers a second, and milliseconds of the processor that each took the server */
async function round(client, { url, pid, requests }, count) {
  const some = Array.from({ length: Math.ceil(count) }, (_, index) => requests[index % requests.length]);
  await client.prepare(url, some, { connections: CONNECTIONS });
  const before = timeOfAll(pid);
  const { rate } = expectAll(await client.go());
  return { rate, cost: (timeOfAll(pid) - before) / 1000 / some.length };
}
