// What a raw store is given: the very quads of a working set of a data directory, as N-Quads.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { inGraph, resolveText } from '../../dist/store/relative-text.js';
import { base, model, scratch } from './data.mjs';
import { deriveIndex } from '../../dist/records/search-index.js';

const files = new Map();
const derive = deriveIndex(model.ontology);

/** The quads of a directory in a file, graph after graph with its index, blank nodes by their names in the store. */
export function quadsFile({ dir }) {
  if (!files.has(dir)) files.set(dir, write(dir));
  return files.get(dir);
}

async function write(dir) {
  const path = scratch(`quads-${files.size}.nq`);
  const out = createWriteStream(path);
  const directory = await openDataDirectory(dir);
  const parts = [];
  directory.read((tx) => {
    for (const { key, value } of tx.range('graphs')) {
      const [name, text] = [base + key, resolveText(value, base)];
      parts.push(inGraph(text, name) + inGraph(derive(name, text), `${name}#_index`));
    }
  });
  await directory.close();
  for (let from = 0; from < parts.length; from += 1000) {
    if (!out.write(parts.slice(from, from + 1000).join(''))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return path;
}
