// One measurement: fills the store of a data directory, or a raw Oxigraph store from a file, and prints how long it
// took, how many quads there are, and how much memory the process holds then.
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataDirectory } from '../dist/disk/data-directory.js';
import { openEmbeddedStore } from '../dist/store/embedded.js';
import { BASE } from './store-data.mjs';

const PIECE = 1 << 20;
const COUNT = 'SELECT (COUNT(*) AS ?count) WHERE { GRAPH ?g { ?s ?p ?o } }';

const fillers = {
  async store(path) {
    const store = await openEmbeddedStore({ directory: await openDataDirectory(path), base: BASE });
    return async () => Number((await store.select(COUNT))[0].count.value);
  },
  /** The fastest way known to get a file into Oxigraph. */
  async raw(path) {
    const { Store } = createRequire(import.meta.url)('oxigraph');
    const store = new Store();
    const options = { format: 'application/n-quads', no_transaction: true, lenient: true };
    const file = await open(path);
    let rest = '';
    for await (const chunk of file.createReadStream({ encoding: 'utf8', highWaterMark: PIECE })) {
      const text = rest + chunk;
      const end = text.lastIndexOf('\n') + 1;
      store.load(Buffer.from(text.slice(0, end)), options);
      rest = text.slice(end);
    }
    return () => Number(store.query(COUNT)[0].get('count').value);
  },
};

function megabytes() {
  globalThis.gc();
  const anonymous = /RssAnon:\s+(\d+) kB/.exec(readStatus());
  return anonymous ? Number(anonymous[1]) / 1024 : process.memoryUsage().rss / 2 ** 20;
}

function readStatus() {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}

const [, , kind, path] = process.argv;
const start = performance.now();
const count = await fillers[kind](path);
const ms = performance.now() - start;
await wait(200);
const held = megabytes();
console.log(JSON.stringify({ ms, megabytes: held, quads: await count() }));
process.exit(0);
