// What an entry of the access log costs, as a share of a warm signed GET of one worker in the same run: both are times of
// the processor, which others who use the machine change little. Entries come as requests do: as many in a turn of the
// event loop as the twenty connections of a warm GET bring; counted in the server, that is ten or eleven.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccessLog } from '../../dist/access/log/access-log.js';
import { Client } from '../lib/client.mjs';
import { patients } from '../lib/data.mjs';
import { figure, median, short } from '../lib/measure.mjs';
import { processorTimeOf } from '../lib/processor-time.mjs';
import { expectAll, listOfSize } from '../lib/requests.mjs';
import { serve } from '../lib/servers.mjs';

const SIZE = 42 * 1024;
const IN_A_TURN = 10;
/** In a round: fewer are over before the engine has compiled what a server runs compiled. */
const ENTRIES = 20_000;

export async function measure({ quick, rounds }) {
  const data = await patients(100, { large: 20 });
  const server = await serve(data.dir, { workers: 1 });
  const client = new Client();
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-access-log-'));
  const log = await openAccessLog(folder);
  try {
    const count = quick ? 2000 : 10_000;
    const { path, as } = await listOfSize({ data, url: server.url, client, size: SIZE });
    const requests = Array.from({ length: count }, () => ({ path, as }));
    const entries = [];
    const answers = [];
    for (let round = 0; round <= rounds; round++) {
      const before = processorTimeOf(server.pid);
      expectAll(await client.run(server.url, requests, { connections: 20 }));
      const answer = (processorTimeOf(server.pid) - before) / count;
      const entry = await costOfEntry(log, path);
      // In the first round engines compile: what is measured of entries is settled after as many as three rounds have.
      if (round === 0) {
        for (let more = 0; more < 2; more++) await costOfEntry(log, path);
        continue;
      }
      answers.push(answer);
      entries.push(entry);
    }
    const [entry, answer] = [median(entries), median(answers)];
    return [
      figure('access-log', entry / answer, {
        goal: 0.05,
        better: 'lower',
        details: [
          `${short(entry)} µs of the processor an entry, ${short(answer)} µs of the server a warm GET`,
        ],
      }),
    ];
  } finally {
    await log.close();
    await rm(folder, { recursive: true });
    await client.stop();
    await server.stop();
  }
}

/** Microseconds of the processor, kernel included, that an entry takes; what empty turns take is taken away. */
async function costOfEntry(log, resource) {
  const turns = ENTRIES / IN_A_TURN;
  const entry = {
    action: 'read',
    outcome: 'done',
    user: 'clinician',
    app: 'demo-ui@apps.example.org',
    tokenId: 'J3kf8sLq0aZx',
    call: 'http://smartplatforms.org/terms/api/calls#getProblems',
    resource,
    record: resource.split('/')[2],
    address: '127.0.0.1',
    status: 200,
    revision: 12345,
    requestId: '8d0dbf1e-5a3e-4c1e-9d0c-5d7a3f6a2b1c',
  };
  const full = await processorTime(turns, () =>
    Promise.all(Array.from({ length: IN_A_TURN }, () => log.record(entry))),
  );
  const empty = await processorTime(turns, () => new Promise((resolve) => setImmediate(resolve)));
  return (full - empty) / (turns * IN_A_TURN);
}

async function processorTime(turns, run) {
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
