// The page of a record of 5,000 statements, signed in, of one worker: the first look after a write against the same
// queries in this process on a raw store of the same quads, and each look after it. Both are times of the processor,
// which others who use the machine change little.
import { openAccounts } from '../../dist/accounts/accounts.js';
import { loadSecretKey } from '../../dist/accounts/key.js';
import { hashNewPassword } from '../../dist/accounts/password-rules.js';
import { openDataDirectory } from '../../dist/disk/data-directory.js';
import { bindings } from '../../dist/http/handlers/reads.js';
import { chosenPage } from '../../dist/records/lists/list.js';
import { kindsOf } from '../../dist/records/shown/statement-kinds.js';
import { namedNode } from '../../dist/rdf/terms.js';
import { longRecords, model, queries } from '../lib/data.mjs';
import { figure, median, short } from '../lib/measure.mjs';
import { processorTimeOf } from '../lib/processor-time.mjs';
import { rawStore } from '../lib/raw-store.mjs';
import { serve } from '../lib/servers.mjs';
import { signedIn } from '../lib/session.mjs';

const STATEMENTS = 5000;
const USER = 'bench';
const PASSWORD = 'a long bench password';
/** Looks at a page that nothing has changed, in a round. */
const LOOKS = 20;

/** What the page of a record asks for of each kind: see `src/http/pages/record/overview.ts`. */
const limitOf = ({ group }) => (group === 'history' ? 40 : 500);

export async function measure({ quick, rounds }) {
  // Each is asked for the first time once; the first of them while engines compile.
  const data = await longRecords(quick ? 3 : rounds + 2, STATEMENTS);
  await addUser(data.dir);
  const server = await serve(data.dir, { workers: 1 });
  try {
    const look = await signedIn(server.url, USER, PASSWORD);
    const [cold, peer, warm, waited, waitedWarm] = [[], [], [], [], []];
    for (const [index, record] of data.records.entries()) {
      const path = `/account/records/${record}`;
      const [first, firstWait] = await costOf(server.pid, () => look(path));
      const [others, othersWait] = await costOf(server.pid, async () => {
        for (let again = 0; again < LOOKS; again++) await look(path);
      });
      if (index < 2) continue;
      cold.push(first);
      waited.push(firstWait);
      warm.push(others / LOOKS);
      waitedWarm.push(othersWait / LOOKS);
    }
    const raw = await rawStore(data.dir, server.url);
    // Afterwards: while this process is busy, no connection is looked after.
    for (const [index, record] of data.records.entries()) {
      const [queried] = await costOf(process.pid, () => askRaw(raw, server.url, record));
      if (index >= 2) peer.push(queried);
    }
    return [
      figure('page', median(cold) / median(peer), {
        goal: 1.5,
        better: 'lower',
        details: [
          `first look ${short(median(cold))} ms of the processor against ${short(median(peer))}, ${short(median(waited))} ms until it was there`,
          `each after it ${short(median(warm))} ms, ${short(median(waitedWarm))} ms until it was there`,
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

/** The very queries of the page, on a raw store. */
async function askRaw(raw, base, record) {
  for (const kind of kindsOf(model.ontology)) {
    const { call } = kind;
    const query = queries.get(call.name);
    const asked = { call, path: { record_id: record }, resource: base + call.path };
    const values = bindings({ ...asked, resource: base + call.path.replace('{record_id}', record) }, base);
    if (call.cardinality === 'single') {
      raw.query(query.bind(values), { results_format: 'application/n-triples' });
      continue;
    }
    const limit = limitOf(kind);
    const given = new Map([['limit', [String(limit)]]]);
    const { sparql } = chosenPage(model.ontology, base, { call, query, values, given });
    const { results } = JSON.parse(raw.query(sparql, { results_format: 'json' }));
    const members = results.bindings.slice(0, limit).map((row) => namedNode(row[query.variable].value));
    if (members.length > 0)
      raw.query(query.known(values, members), { results_format: 'application/n-triples' });
  }
}

async function addUser(dir) {
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
  const passwordHash = await hashNewPassword(USER, PASSWORD);
  await directory.transact((tx) =>
    accounts.putUser(tx, { id: USER, role: 'clinician', records: [], passwordHash }),
  );
  await directory.close();
}
