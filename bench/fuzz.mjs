// Sends random and changed requests to a running container, over all its paths, with the tokens of two patients and
// without any. No answer may be a server error but 503, none may hold a byte of a record that it is not about, and
// the container must live.
//   node bench/fuzz.mjs [--requests 1000000] [--seed N]
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openAccounts } from '../dist/access/accounts/accounts.js';
import { loadSecretKey } from '../dist/access/accounts/secret-key.js';
import { readManifest } from '../dist/access/accounts/manifest.js';
import { openDataDirectory } from '../dist/store/disk/data-directory.js';
import { loadOntology } from '../dist/model/ontology/directory.js';
import { appGraph } from '../dist/records/app-graph.js';
import { loadFile } from '../dist/records/load-file.js';
import { userGraph } from '../dist/records/user-graph.js';
import { openPrimaryStore } from '../dist/store/primary-store.js';
import { requestMaker } from './lib/fuzz-requests.mjs';

const root = resolve(import.meta.dirname, '..');
const base = 'http://localhost:7000';
const AT_ONCE = 24;
/** Refusals slow down an address and a token: many of both, so that most requests get past that. */
const ADDRESSES = 200;
const TOKENS = 20;
const APPS = Array.from({ length: TOKENS }, (_, number) => `fuzz${number}@apps.example.org`);
const SHOWN_FAULTS = 20;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? randomInt(2 ** 32));
console.log(`seed ${seed}, ${requests} requests`);
let serving;
process.on('exit', () => serving?.kill('SIGKILL'));
const folder = await mkdtemp(join(tmpdir(), 'chartgraph-fuzz-'));
let outcome;
try {
  outcome = await fuzz();
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(JSON.stringify(outcome));
process.exit(outcome.faults.length === 0 ? 0 : 1);

async function fuzz() {
  const data = join(folder, 'data');
  const { ontology } = await loadOntology(join(root, 'ontology'));
  const people = await furnish(data, ontology);
  const server = await serve(data);
  const make = requestMaker({ seed, url: server.url, calls: ontology.calls, people, apps: APPS });
  const agents = Array.from(
    { length: ADDRESSES },
    (_, number) => new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.0.${number + 2}` }),
  );
  const port = Number(new URL(server.url).port);
  const statuses = {};
  const faults = [];
  /** Whose marker an answer to themselves held: else no answer could have shown another's. */
  const seen = new Set();
  let sent = 0;
  const began = Date.now();
  const one = async (number) => {
    const asked = make();
    const answer = await (
      asked.bytes === undefined
        ? exchange(asked, agents[number % ADDRESSES], port)
        : exchangeBytes(asked.bytes, port)
    ).catch((error) => ({ status: 0, text: '', error }));
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const foreign = people.filter(({ marker }) => answer.text.includes(marker) && marker !== asked.marker);
    if (answer.status === 200 && asked.marker && answer.text.includes(asked.marker)) seen.add(asked.marker);
    const wrong =
      answer.status >= 500 && answer.status !== 503
        ? `status ${answer.status}`
        : foreign.length > 0
          ? 'a foreign record is shown'
          : answer.error && `no answer: ${answer.error.message}`;
    if (wrong && faults.length < SHOWN_FAULTS)
      faults.push({ number, wrong, asked: shown(asked), answer: answer.text.slice(0, 500) });
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < requests && server.child.exitCode === null && server.child.signalCode === null) {
        const number = sent++;
        await one(number);
        if (number % 50_000 === 49_999)
          console.log(
            `${number + 1} requests, ${faults.length} faults, ${Math.round((Date.now() - began) / 1000)} s`,
          );
      }
    }),
  );
  const ready = await fetch(`${server.url}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
  if (ready !== 200) faults.push({ wrong: 'the container does not answer any more', answer: server.said() });
  if (/"level":60|uncaught|died|ended with/i.test(server.said()))
    faults.push({ wrong: 'a process of the container ended', answer: server.said() });
  const blind = people.filter(({ marker }) => !seen.has(marker)).length;
  if (blind > 0) faults.push({ wrong: 'a token never showed its own record: nothing was proved' });
  for (const agent of agents) agent.destroy();
  await server.stop();
  return { seed, requests: sent, seconds: Math.round((Date.now() - began) / 1000), statuses, faults };
}

function shown({ method, target, headers, body, bytes }) {
  return bytes ?? { method, target, headers, body: body?.slice(0, 1000) };
}

/** Two patients, whose statements all say their marker, a person for each, and tokens of many apps. */
async function furnish(data, ontology) {
  const directory = await openDataDirectory(data, { create: true });
  const accounts = openAccounts(directory, await loadSecretKey(data, {}));
  const primary = openPrimaryStore(directory, base);
  const people = [];
  await mkdir(join(folder, 'files'));
  const manifests = APPS.map((id) =>
    readManifest({ id, name: 'Fuzz', description: 'An app.', mode: 'background' }),
  );
  await primary.write({ replace: manifests.map((manifest) => appGraph(manifest, base)) }, (tx) => {
    for (const manifest of manifests) accounts.putApp(tx, manifest);
  });
  for (const record of ['1000017', '1000018']) {
    const user = `person${record}`;
    const marker = `marker-of-${record}-only`;
    const path = join(folder, 'files', `${record}.ttl`);
    const statements = [...ontology.classes.values()]
      .filter(({ kind, basePath, name }) => kind === 'statement' && basePath && name !== 'Demographics')
      .map(({ iri }) => `[] a <${iri}> ; dcterms:title "${marker}" ; dcterms:date "2001-01-01" .`);
    await writeFile(path, ['@prefix dcterms: <http://purl.org/dc/terms/> .', ...statements].join('\n'));
    const { status, errors } = await loadFile({ path, recordId: record, primary, ontology, base });
    if (status !== 'loaded') throw new Error(JSON.stringify(errors));
    const person = userGraph({ id: user, givenName: 'G', familyName: 'F', role: 'person' }, base);
    await primary.write({ replace: [person] }, (tx) =>
      accounts.putUser(tx, { id: user, role: 'person', records: [record] }),
    );
    const ids = primary.names(`${base}/records/${record}/`).map((name) => name.replace(/^.*\//, ''));
    const tokens = [];
    for (const app of APPS) {
      const { token, secret: tokenSecret } = await accounts.issueToken({ app, user, record });
      const consumerSecret = directory.read((tx) => accounts.appCredentials(tx, app)?.secret);
      tokens.push({ consumerKey: app, consumerSecret, token, tokenSecret });
    }
    people.push({ record, user, marker, ids, tokens });
  }
  await directory.close();
  return people;
}

async function serve(data) {
  const program = join(root, 'dist', 'cli', 'chartgraph.js');
  const args = ['serve', '--data', data, '--port', '0', '--no-seed', '--workers', '2', '--log-level', 'warn'];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  serving = child;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-4000)));
  const exited = once(child, 'exit');
  const [text] = await Promise.race([once(child.stdout, 'data'), exited]);
  const url = /ready at (\S+)/.exec(String(text))?.[1];
  if (!url) throw new Error(`the container did not start: ${text} ${said}`);
  child.stdout.setEncoding('utf8').on('data', (line) => (said = (said + line).slice(-4000)));
  const stop = async () => {
    child.kill();
    await exited;
  };
  return { child, url, said: () => said, stop };
}

function exchange({ method, target, headers, body }, agent, port) {
  return new Promise((resolve, reject) => {
    // Without a length the client would send a body of a GET as what follows the request.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path: target,
      headers: { ...headers, ...length },
      agent,
      setHost: !headers.host,
    };
    const asked = send(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, text: JSON.stringify(response.headers) + text }),
      );
      response.on('error', reject);
    });
    asked.setTimeout(30_000, () => asked.destroy(new Error('nothing for 30 s')));
    asked.on('error', (error) => {
      // The server may close a connection that it keeps no longer in the moment when it is used again, or before it
      // has read a body that it refuses.
      if (['ECONNRESET', 'EPIPE'].includes(error.code)) resolve({ status: 'closed', text: '' });
      else reject(error);
    });
    asked.end(body);
  });
}

/** Writes bytes and reads until the server closes, or has nothing more to say. */
function exchangeBytes(bytes, port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' });
    let text = '';
    const done = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0) || 'closed', text });
    };
    socket.setTimeout(200, done);
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
    socket.on('close', done);
    socket.on('error', (error) => (['ECONNRESET', 'EPIPE'].includes(error.code) ? done() : reject(error)));
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}
