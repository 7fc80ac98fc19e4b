// The page of a record of 5,000 statements, signed in, of one worker: the first look after a write against the same
// queries in this process on a raw store of the same quads, and each look after it. Both are times of the processor,
// which others who use the machine change little.
import { openAccounts } from '../../dist/access/accounts/accounts.js';
import { loadSecretKey } from '../../dist/access/accounts/secret-key.js';
import { hashNewPassword } from '../../dist/access/accounts/passwords.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { RecordData } from '../../dist/http/record-data.js';
import { overviewContent } from '../../dist/pages/record/overview.js';
import { QueryQueue } from '../../dist/http/respond/query-queue.js';
import { longRecords, model, openStore, queries } from '../lib/data.mjs';
import { figure, median, short } from '../lib/measure.mjs';
import { processorTimeOf } from '../lib/processor-time.mjs';
import { rawStore } from '../lib/raw-store.mjs';
import { serve } from '../lib/servers.mjs';
import { signedIn } from '../lib/session.mjs';

const STATEMENTS = 5000;
const USER = 'bench';
const PASSWORD = 'a long bench password';
/** Records that are looked at first: about as many pages it takes until both engines have compiled what draws one. */
const WARM_UP = 15;
/** Records whose first looks count. */
const ROUNDS = 3;
/** Looks at a page that nothing has changed, in a round. */
const LOOKS = 20;

export async function measure({ quick }) {
  const warmUp = quick ? 2 : WARM_UP;
  // Each is asked for the first time once.
  const data = await longRecords(warmUp + (quick ? 1 : ROUNDS), STATEMENTS);
  await addUser(data.dir, data.records);
  const server = await serve(data.dir, { workers: 1 });
  try {
    const look = await signedIn(server.url, USER, PASSWORD);
    const [cold, peer, warm, waited, waitedWarm] = [[], [], [], [], []];
    let started;
    for (const [index, record] of data.records.entries()) {
      const path = `/account/records/${record}`;
      const [first, firstWait] = await costOf(server.pid, () => look(path));
      const [others, othersWait] = await costOf(server.pid, async () => {
        for (let again = 0; again < LOOKS; again++) await look(path);
      });
      started ??= firstWait;
      if (index < warmUp) continue;
      cold.push(first);
      waited.push(firstWait);
      warm.push(others / LOOKS);
      waitedWarm.push(othersWait / LOOKS);
    }
    const raw = await rawStore(data.dir, server.url);
    // Afterwards: while this process is busy, no connection is looked after.
    for (const [index, own] of (await queriesOf(data, server.url)).entries()) {
      const [queried] = await costOf(process.pid, () => {
        for (const [form, sparql] of own) raw.query(sparql, { results_format: FORMATS[form] });
      });
      if (index >= warmUp) peer.push(queried);
    }
    return [
      figure('page', mean(cold) / mean(peer), {
        goal: 1.5,
        better: 'lower',
        details: [
          `first look ${short(mean(cold))} ms of the processor against ${short(mean(peer))}, ${short(median(waited))} ms until it was there`,
          `${short(started)} ms the first page of a server that has just started`,
          `each after it ${short(mean(warm))} ms, ${short(median(waitedWarm))} ms until it was there`,
        ],
      }),
    ];
  } finally {
    await server.stop();
  }
}

/** Milliseconds of the processor that a process took meanwhile, and milliseconds that passed. */
async function costOf(pid, work) {
  const [before, start] = [processorTimeOf(pid), performance.now()];
  await work();
  return [(processorTimeOf(pid) - before) / 1000, performance.now() - start];
}

/** Times of the processor come in steps of 10 ms. */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The very queries that draw the page of each record, those too that are answered from graphs as they are stored. */
async function queriesOf({ dir, records }, base) {
  const { store, close } = await openStore({ dir, base });
  try {
    const asked = [];
    const recorded = new Proxy(store, {
      get(target, name) {
        // Where nothing is stored, all is queried.
        const own = name === 'stored' ? undefined : target[name];
        if (typeof own !== 'function') return own;
        return (...args) => {
          if (name === 'select' || name === 'construct') asked.at(-1).push([name, args[0]]);
          return own.apply(target, args);
        };
      },
    });
    const parts = {
      ...model,
      queries,
      base,
      store: recorded,
      primary: store.primary,
      queue: new QueryQueue(),
    };
    for (const record of records) {
      asked.push([]);
      await overviewContent({ base, basePath: '' }, parts, {
        data: new RecordData(parts, record),
        before: undefined,
        apps: [],
      });
    }
    return asked;
  } finally {
    await close();
  }
}

const FORMATS = { select: 'json', construct: 'application/n-triples' };

async function addUser(dir, records) {
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
  const passwordHash = await hashNewPassword(USER, PASSWORD);
  await directory.transact((tx) =>
    accounts.putUser(tx, { id: USER, role: 'clinician', records, passwordHash }),
  );
  await directory.close();
}
