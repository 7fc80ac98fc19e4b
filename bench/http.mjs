import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '../dist/accounts/accounts.js';
import { loadSecretKey } from '../dist/accounts/key.js';
import { openDataDirectory } from '../dist/disk/data-directory.js';
import { signRequest } from '../dist/oauth/sign.js';
import { listOrder } from '../dist/query/list-order.js';
import { loadQueries } from '../dist/query/load.js';
import { namedNode } from '../dist/rdf/terms.js';
import { writeTriples } from '../dist/rdf/ntriples.js';
import { deriveIndex } from '../dist/records/index.js';
import { readList } from '../dist/records/lists/list.js';
import { responseSummary } from '../dist/records/lists/summary.js';
import { oneTitlePerCode } from '../dist/records/titles.js';
import { writeRdf } from '../dist/rdf/write.js';
import { openEmbeddedStore } from '../dist/store/embedded.js';
import { openTruth } from '../dist/store/truth.js';
import { nameInnerNodes } from '../dist/rdf/inner-nodes.js';
import { inTurn, result } from './measure.mjs';
import { fillDirectory, model, root } from './patients.mjs';

const PATIENTS = 100;
const ROUNDS = 100;
const APP = 'bench@apps.example.org';

/**
 * Every statement list, nothing cached, against its bare SELECT and CONSTRUCT in process; the slowest of them is the
 * result. Twice: the answer as the server makes it (page, titles, summary, RDF/XML text), and the whole signed round
 * trip over one connection as the client sees it, with what sockets and processes cost on this machine.
 */
export async function coldList() {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-bench-'));
  await fillDirectory(dir, PATIENTS);
  const server = await serve(dir);
  try {
    const bare = await bareStore(dir, server.url);
    const directory = await openDataDirectory(dir);
    const store = await openEmbeddedStore({
      directory,
      base: server.url,
      derive: deriveIndex(model.ontology),
    });
    const queries = await loadQueries(join(root, 'queries'), model.ontology);
    const calls = model.ontology.calls.filter(
      (call) => call.scope === 'record' && call.cardinality === 'multiple' && call.answer === 'rdf',
    );
    let slowest;
    for (const call of calls) {
      const query = queries.get(call.name);
      const values = (round) => ({ record: namedNode(`${server.url}/records/p${round % 10}`) });
      const sort = listOrder(model.ontology, call, query.variable);
      const answer = async (round) => {
        const list = await readList(store, model.ontology, {
          call,
          query,
          values: values(round),
          given: new Map(),
        });
        const summary = responseSummary({ ...list, nextPageURL: undefined });
        await writeRdf([...oneTitlePerCode(list.quads, model.ontology), ...summary], 'rdfxml');
      };
      const engine = (round) => {
        bare.query(query.select(values(round), sort), { results_format: 'json' });
        bare.query(query.bind(values(round)), { results_format: 'application/n-triples' });
      };
      const http = (round) =>
        server.get(call.path.replace('{record_id}', `p${round % 10}`), `p${round % 10}`);
      const [inProcess, peer] = await inTurn([answer, engine], ROUNDS);
      if (slowest && peer <= slowest[0].peer) continue;
      const [overHttp, otherPeer] = await inTurn([http, engine], ROUNDS);
      slowest = [
        result(`${call.name} cold, against bare SELECT + CONSTRUCT`, inProcess, peer, 1.5),
        result(`${call.name} cold, signed, over HTTP, against the same`, overHttp, otherPeer, 1.5),
      ];
    }
    await store.close();
    await directory.close();
    return slowest;
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

async function serve(dir) {
  const tokens = await issueTokens(dir);
  const child = spawn(
    process.execPath,
    [join(root, 'dist/cli/chartgraph.js'), 'serve', '--data', dir, '--port', '0', '--no-seed'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(/ready at (\S+)/.exec(String(text))[1]));
    child.once('exit', () => reject(new Error('the server ended')));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    url,
    get: (path, record) => {
      const Authorization = signRequest({ method: 'GET', url: url + path, ...tokens.get(record) });
      return new Promise((resolve, reject) => {
        request(url + path, { agent, headers: { Authorization } }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
          response.resume().on('end', resolve);
        })
          .on('error', reject)
          .end();
      });
    },
    stop: () => {
      agent.destroy();
      return new Promise((resolve) => {
        child.removeAllListeners('exit').once('exit', resolve);
        child.kill();
      });
    },
  };
}

async function issueTokens(dir) {
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
  const { secret } = await directory.transact((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
  const tokens = new Map();
  for (let n = 0; n < 10; n++) {
    const { token, secret: tokenSecret } = await accounts.issueToken({ app: APP, record: `p${n}` });
    tokens.set(`p${n}`, { consumerKey: APP, consumerSecret: secret, token, tokenSecret });
  }
  await directory.close();
  return tokens;
}

/** An Oxigraph store of its own with the same quads as the replica of the server. */
async function bareStore(dir, url) {
  const { Store } = createRequire(import.meta.url)('oxigraph');
  const store = new Store();
  const directory = await openDataDirectory(dir);
  const truth = openTruth(directory, url);
  const derive = deriveIndex(model.ontology);
  for (const name of truth.names()) {
    const text = writeTriples(await nameInnerNodes(name, truth.graph(name)));
    const quads = (triples, graph) => triples.replaceAll(' .\n', ` <${graph}> .\n`);
    store.load(quads(text, name) + quads(derive(name, text), `${name}#_index`), {
      format: 'application/n-quads',
    });
  }
  await directory.close();
  return store;
}
