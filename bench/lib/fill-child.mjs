// One measurement in a process of its own: fills the store of a data directory, or a raw Oxigraph store from a file,
// and prints how long it took, how many quads of the data there are, and how much memory that took.
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { loadOntology } from '../../dist/model/ontology/directory.js';
import { deriveIndex } from '../../dist/records/search-index.js';
import { openEmbeddedStore } from '../../dist/store/embedded-store.js';
import { ownMegabytes } from './memory.mjs';

const PIECE = 1 << 20;
const COUNT = 'SELECT (COUNT(*) AS ?count) WHERE { GRAPH ?g { ?s ?p ?o } }';
const [, , kind, path, base] = process.argv;

const fillers = {
  async store() {
    const { ontology } = await loadOntology(join(resolve(import.meta.dirname, '..', '..'), 'ontology'));
    const derive = deriveIndex(ontology);
    const before = await ownMegabytes();
    const start = performance.now();
    const directory = await openDataDirectory(path);
    const store = await openEmbeddedStore({ directory, base, derive });
    const ms = performance.now() - start;
    const megabytes = (await ownMegabytes()) - before;
    return { ms, megabytes, quads: Number((await store.select(COUNT))[0].count.value) };
  },
  /** The fastest way known to get a file into Oxigraph. */
  async raw() {
    const { Store } = createRequire(import.meta.url)('oxigraph');
    const before = await ownMegabytes();
    const start = performance.now();
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
    const ms = performance.now() - start;
    const megabytes = (await ownMegabytes()) - before;
    return { ms, megabytes, quads: Number(store.query(COUNT)[0].get('count').value) };
  },
};

console.log(JSON.stringify(await fillers[kind]()));
process.exit(0);
