// Signed GETs, cold and warm, against SPARQL servers that are asked the same CONSTRUCT over HTTP for RDF/XML: each that is
// installed, or one given by --peer-url. All have every core of the machine. Lists that a peer answers with other triples
// are left out.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { namedNode } from '../../dist/rdf/terms.js';
import { Client } from '../lib/client.mjs';
import { base, lists, openStore, patients, queries } from '../lib/data.mjs';
import { installedEngines } from '../lib/engines.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';
import { quadsFile } from '../lib/quads-file.mjs';
import { expectAll, pathOf, recordIds } from '../lib/requests.mjs';
import { credentials, serve } from '../lib/servers.mjs';

const CONNECTIONS = 16;
const goals = { 'peer-cold': 3, 'peer-warm': 20 };
/** How long a round of a peer takes, about, and how many requests it is asked at least. */
const SECONDS = 2;
const FEWEST = 40;
/** Of each of three peers. */
const ROUNDS = 3;
/** Quads in one INSERT DATA: more than a thousand is too much for some. */
const INSERTED = 900;

export async function measure({ quick, wanted, peerUrl }) {
  const starts = peerUrl === undefined ? installedEngines() : [(file) => given(peerUrl, file)];
  if (starts.length === 0) {
    const details = [
      'no peer: install Virtuoso, Oxigraph or Fuseki (see lib/engines.mjs), or give --peer-url',
    ];
    return wanted.map((id) => figure(id, null, { goal: goals[id], better: 'higher', details }));
  }
  const data = await patients(quick ? 60 : 300, {});
  const file = await quadsFile(data);
  const against = [];
  for (const start of starts) {
    const peer = await start(file);
    try {
      against.push(await race(data, peer));
    } finally {
      await peer.stop();
    }
  }
  return wanted.map((id) => {
    const all = against
      .map(({ name, asked, rates }) => {
        const [ours, theirs] = rates[id].map(median);
        const detail = `${short(ours / theirs)} × ${name}: ${short(ours)} req/s against ${short(theirs)}, ${asked}`;
        return { ratio: ours / theirs, detail, spread: spreadOf(...rates[id]) };
      })
      .sort((a, b) => a.ratio - b.ratio);
    const [{ ratio, spread }] = all;
    const details = all.map(({ detail }) => detail);
    return figure(id, ratio, { goal: goals[id], better: 'higher', spread, details });
  });
}

/** Requests a second of both, by figure, on a server of which nothing was asked before. */
async function race(data, peer) {
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  const server = await serve(data.dir);
  const client = new Client();
  try {
    const asked = await alike(data, peer, records[0]);
    if (asked.length === 0) throw new Error(`${peer.name} answers no list as we do`);
    const own = (call, record) => ({ path: pathOf(call, record), as: tokens.get(record) });
    const theirs = (call, record) => question(peer, call, record, 'application/rdf+xml');
    const rateOf = async (url, requests) =>
      expectAll(await client.run(url, requests, { connections: CONNECTIONS })).rate;
    const rates = { 'peer-cold': [[], []], 'peer-warm': [[], []] };
    const all = records.flatMap((record) => asked.map((call) => [call, record]));
    const each = Math.floor(all.length / (ROUNDS + 1));
    for (let round = 0; round <= ROUNDS; round++) {
      const cold = all.slice(round * each, (round + 1) * each);
      const warm = Array.from({ length: each * 4 }, (_, index) => cold[index % Math.min(20, cold.length)]);
      for (const [id, some] of [
        ['peer-cold', cold],
        ['peer-warm', warm],
      ]) {
        const ours = await rateOf(
          server.url,
          some.map(([call, record]) => own(call, record)),
        );
        // Some take half a second for an answer: so many as they give in a few seconds, by what they gave before.
        const most = Math.max(FEWEST, SECONDS * (rates[id][1].at(-1) ?? 0));
        const other = await rateOf(
          new URL(peer.url).origin,
          some.slice(0, most).map(([call, record]) => theirs(call, record)),
        );
        rates[id][0].push(ours);
        rates[id][1].push(other);
      }
    }
    // In the first round engines compile.
    for (const sides of Object.values(rates)) for (const side of sides) side.shift();
    const names = asked.map(({ name }) => name.replace('get_', '')).join(', ');
    const lacking = `${asked.length} of ${lists.length} lists: ${names}`;
    return { name: peer.name, asked: asked.length === lists.length ? 'all lists' : lacking, rates };
  } finally {
    await client.stop();
    await server.stop();
  }
}

function question(peer, call, record, type) {
  const query = queries.get(call.name).bind({ record: namedNode(`${base}/records/${record}`) });
  const { pathname } = new URL(peer.url);
  return {
    method: 'POST',
    path: pathname,
    headers: { Accept: type, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ query }).toString(),
  };
}

/** The lists that the peer answers with as many triples as we do. */
async function alike(data, peer, record) {
  const { store, close } = await openStore(data);
  const found = [];
  for (const call of lists) {
    const own = await store.construct(
      queries.get(call.name).bind({ record: namedNode(`${base}/records/${record}`) }),
    );
    const { headers, body } = question(peer, call, record, 'text/plain');
    const response = await fetch(peer.url, { method: 'POST', headers, body });
    const lines = new Set((await response.text()).split('\n').filter((line) => /\.\s*$/.test(line)));
    if (response.ok && lines.size === own.length) found.push(call);
  }
  await close();
  return found;
}

/** A peer that runs already: its update address is the query address with `update` at the end. */
async function given(url, file) {
  const update = url.replace(/(query|sparql)\/?$/, 'update');
  const graphs = new Map();
  let waiting = 0;
  const flush = async () => {
    const blocks = [...graphs].map(([name, triples]) => `GRAPH ${name} { ${triples.join(' ')} }`);
    graphs.clear();
    waiting = 0;
    const body = new URLSearchParams({ update: `INSERT DATA { ${blocks.join(' ')} }` });
    const response = await fetch(update, { method: 'POST', body });
    if (!response.ok) throw new Error(`${update} answered ${response.status}`);
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, triple, name] = /^(.*) (<[^<>]*>) \.$/.exec(line);
    graphs.set(name, [...(graphs.get(name) ?? []), `${triple} .`]);
    if (++waiting === INSERTED) await flush();
  }
  if (waiting > 0) await flush();
  return { url, name: url, stop: () => Promise.resolve() };
}
