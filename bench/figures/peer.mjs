// Signed GETs, cold and warm, against a SPARQL server that is asked the same CONSTRUCT over HTTP for RDF/XML: Virtuoso
// when it is installed, else an engine given by --peer-url. Lists that the peer answers with other triples are left out.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { namedNode } from '../../dist/rdf/terms.js';
import { Client } from '../lib/client.mjs';
import { base, lists, openStore, patients, queries } from '../lib/data.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';
import { quadsFile } from '../lib/quads-file.mjs';
import { expectAll, pathOf, recordIds } from '../lib/requests.mjs';
import { credentials, serve } from '../lib/servers.mjs';
import { isInstalled, startVirtuoso } from '../lib/virtuoso.mjs';

const CONNECTIONS = 16;
const goals = { 'peer-cold': 3, 'peer-warm': 20 };
/** Quads in one INSERT DATA: more than a thousand is too much for some. */
const INSERTED = 900;

export async function measure({ quick, wanted, rounds, peerUrl }) {
  if (peerUrl === undefined && !isInstalled()) {
    const details = ['no peer: install virtuoso-opensource-7-bin, or give --peer-url'];
    return wanted.map((id) => figure(id, null, { goal: goals[id], better: 'higher', details }));
  }
  const data = await patients(quick ? 60 : 300, {});
  const file = await quadsFile(data);
  const peer = peerUrl === undefined ? await startVirtuoso(file) : await given(peerUrl, file);
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  const server = await serve(data.dir, { workers: 1 });
  const client = new Client();
  try {
    const asked = await alike(data, peer, records[0]);
    if (asked.length === 0) throw new Error(`${peer.name} answers no list as we do`);
    const own = (call, record) => ({ path: pathOf(call, record), as: tokens.get(record) });
    const theirs = (call, record) => question(peer, call, record, 'application/rdf+xml');
    const results = { 'peer-cold': [[], []], 'peer-warm': [[], []] };
    const all = records.flatMap((record) => asked.map((call) => [call, record]));
    const each = Math.floor(all.length / (rounds + 1));
    for (let round = 0; round <= rounds; round++) {
      const cold = all.slice(round * each, (round + 1) * each);
      const warm = Array.from({ length: each * 4 }, (_, index) => cold[index % Math.min(20, cold.length)]);
      for (const [id, some] of [
        ['peer-cold', cold],
        ['peer-warm', warm],
      ]) {
        for (const [side, make, url] of [
          [0, own, server.url],
          [1, theirs, new URL(peer.url).origin],
        ]) {
          const requests = some.map(([call, record]) => make(call, record));
          const { rate } = expectAll(await client.run(url, requests, { connections: CONNECTIONS }));
          if (round > 0) results[id][side].push(rate);
        }
      }
    }
    return wanted.map((id) => {
      const [ours, others] = results[id].map(median);
      const details = [
        `${short(ours)} req/s against ${short(others)} of ${peer.name}, lists: ${asked.map(({ name }) => name.replace('get_', '')).join(', ')}`,
      ];
      const spread = spreadOf(...results[id]);
      return figure(id, ours / others, { goal: goals[id], better: 'higher', spread, details });
    });
  } finally {
    await client.stop();
    await server.stop();
    await peer.stop();
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
