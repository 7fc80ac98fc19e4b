// A raw Oxigraph in this process, asked what the container asks its own.
import { createRequire } from 'node:module';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { listOrder } from '../../dist/model/query/list-order.js';
import { readTriples } from '../../dist/rdf/ntriples.js';
import { namedNode } from '../../dist/rdf/terms.js';
import { writeRdf } from '../../dist/rdf/write.js';
import { deriveIndex } from '../../dist/records/search-index.js';
import { inGraph, resolveText } from '../../dist/store/relative-text.js';
import { model, queries } from './data.mjs';

const { Store } = createRequire(import.meta.url)('oxigraph');
const derive = deriveIndex(model.ontology);
const CHUNK = 1 << 21;

export const newStore = () => new Store();

/** Loads stored graphs, with what a working set derives from them. @param graphs entries of the table `graphs` */
export function loadRaw(store, graphs, base) {
  const options = { format: 'application/n-quads', no_transaction: true, lenient: true };
  let piece = '';
  const load = () => {
    store.load(Buffer.from(piece), options);
    piece = '';
  };
  for (const { key, value } of graphs) {
    const name = base + key;
    const text = resolveText(value, base);
    piece += inGraph(text, name) + inGraph(derive(name, text), `${name}#_index`);
    if (piece.length > CHUNK) load();
  }
  load();
}

/** A raw store with the very quads of the server's working set. */
export async function rawStore(dir, base) {
  const store = newStore();
  const directory = await openDataDirectory(dir);
  directory.read((tx) => loadRaw(store, tx.range('graphs'), base));
  await directory.close();
  return store;
}

/** Answers a list call: its SELECT and CONSTRUCT, written as RDF/XML. */
export async function answerRaw(store, base, call, record) {
  const query = queries.get(call.name);
  const values = { record: namedNode(`${base}/records/${record}`) };
  const order = listOrder(model.ontology, call, query.variable);
  store.query(query.select(values, order), { results_format: 'json' });
  const triples = store.query(query.bind(values), { results_format: 'application/n-triples' });
  await writeRdf(readTriples(triples), 'rdfxml');
}
