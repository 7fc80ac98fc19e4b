// How many files and named functions of the server one signed GET of a list passes, from the cache and from the store:
// what a reader has to hold in mind to follow a request. From V8's precise coverage of this process: what ran in each of
// several such requests, since this process does other things now and then.
//   node bench/path-of-a-request.mjs [--list]
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openAccounts } from '../dist/access/accounts/accounts.js';
import { loadSecretKey } from '../dist/access/accounts/secret-key.js';
import { openDataDirectory } from '../dist/store/disk/data-directory.js';
import { startContainer } from '../dist/main.js';
import { signRequest } from '../dist/access/oauth/sign-request.js';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const RECORDS = ['1000001', '1000003', '1000004', '1000005', '1000006'];
const pathOf = (record) => `/records/${record}/medications/`;
const APP = 'demo-ui@apps.example.org';

const data = await mkdtemp(join(tmpdir(), 'chartgraph-path-'));
const container = await startContainer({
  data,
  host: '127.0.0.1',
  port: 0,
  seed: join(root, 'seed'),
  ontology: join(root, 'ontology'),
  queries: join(root, 'queries'),
  containerAccess: 'open',
  name: 'Path of a request',
  description: '',
  admin: 'admin@example.org',
  version: '0.0.0',
  log: pino({ level: 'info' }, { write: () => undefined }),
});
const session = new Session();
session.connect();
try {
  const credentials = new Map();
  for (const record of ['1000002', ...RECORDS]) credentials.set(record, await issue(record));
  const ask = (record) => passed(pathOf(record), credentials.get(record));
  // What fills the memory meanwhile is no part of a request.
  while ((await (await fetch(`${container.url}/health/ready`)).text()).includes('memory: filling'))
    await wait(20);
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // The first list of another record makes what is made once; the lists that count come after it.
  await ask('1000002');
  for (const what of ['from the store', 'from the cache']) {
    const each = [];
    for (const record of RECORDS) each.push(await ask(record));
    print(what, inAll(each));
  }
} finally {
  session.disconnect();
  await container.close();
  await rm(data, { recursive: true, force: true });
}

async function issue(record) {
  const directory = await openDataDirectory(data);
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    const { token, secret } = await accounts.issueToken({ app: APP, user: 'clinician', record });
    const consumerSecret = directory.read((tx) => accounts.appCredentials(tx, APP)?.secret ?? '');
    return { consumerKey: APP, consumerSecret, token, tokenSecret: secret };
  } finally {
    await directory.close();
  }
}

/** The named functions that one signed GET runs, by file. */
async function passed(path, as) {
  const url = container.url + path;
  const headers = { Authorization: signRequest({ method: 'GET', url, ...as }) };
  await session.post('Profiler.takePreciseCoverage');
  await new Promise((done, failed) => {
    request(url, { headers }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`the list was answered with ${response.statusCode}`));
      response.resume().on('end', done);
    })
      .on('error', failed)
      .end();
  });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = new Map();
  for (const { url: script, functions } of result) {
    if (!script.startsWith('file://') || !fileURLToPath(script).startsWith(dist)) continue;
    const names = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0);
    if (names.length > 0)
      files.set(
        relative(dist, fileURLToPath(script)),
        names.map(({ functionName }) => functionName),
      );
  }
  return files;
}

/** The functions that several requests have in common. */
function inAll([first, ...others]) {
  const common = new Map();
  for (const [file, names] of first) {
    const own = names.filter((name) => others.every((files) => files.get(file)?.includes(name)));
    if (own.length > 0) common.set(file, own);
  }
  return common;
}

function print(what, files) {
  const functions = [...files.values()].flat().length;
  console.log(`${what}: ${files.size} files, ${functions} named functions`);
  if (process.argv.includes('--list'))
    for (const [file, names] of files) console.log(`  ${file}: ${names.join(', ')}`);
}
