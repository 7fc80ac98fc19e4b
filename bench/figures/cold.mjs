// Statement lists that nobody has asked for before, signed, of one worker: against the same SELECT and CONSTRUCT in
// this process on a raw store of the same quads, written as RDF/XML. Both in a closed loop, so the figure compares
// the time that each answer takes of its server.
import { Client } from '../lib/client.mjs';
import { lists, patients } from '../lib/data.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';
import { answerRaw, rawStore } from '../lib/raw-store.mjs';
import { expectAll, pathOf, recordIds } from '../lib/requests.mjs';
import { credentials, serve } from '../lib/servers.mjs';

export async function measure({ quick, rounds }) {
  const data = await patients(quick ? 100 : 1000, { large: 20 });
  const each = Math.min(120, Math.floor(data.patients / (rounds + 1)));
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  const server = await serve(data.dir, { workers: 1 });
  const client = new Client();
  try {
    const raw = await rawStore(data.dir, server.url);
    const results = [];
    for (const call of lists) {
      const ours = [];
      const theirs = [];
      for (let round = 0; round <= rounds; round++) {
        // Records of its own in every round: nothing is asked twice.
        const some = records.slice(round * each, (round + 1) * each);
        const requests = some.map((record) => ({ path: pathOf(call, record), as: tokens.get(record) }));
        const { ms } = expectAll(await client.run(server.url, requests, { connections: 8 }));
        const start = performance.now();
        for (const record of some) await answerRaw(raw, server.url, call, record);
        const peer = performance.now() - start;
        if (round === 0) continue;
        ours.push(ms / each);
        theirs.push(peer / each);
      }
      const spread = spreadOf(ours, theirs);
      results.push({ name: call.name, ours: median(ours), theirs: median(theirs), spread });
    }
    results.sort((a, b) => a.theirs - b.theirs);
    const chosen = [results.at(-1), results[Math.floor(results.length / 2)]];
    const ratio = ({ ours, theirs }) => ours / theirs;
    return [
      figure('cold-get', Math.max(...chosen.map(ratio)), {
        goal: 1.3,
        better: 'lower',
        spread: Math.max(...chosen.map(({ spread }) => spread)),
        details: chosen.map(
          (one, index) =>
            `${index === 0 ? 'slowest' : 'median'}: ${one.name} ${short(one.ours)} ms against ${short(one.theirs)}, ${short(ratio(one))} ×`,
        ),
      }),
    ];
  } finally {
    await client.stop();
    await server.stop();
  }
}
