// The de-identified level of a data directory as N-Quads, for engines of others.
import { openSync, writeSync, closeSync } from 'node:fs';
import { deidentifiedView } from '../../dist/analysts/deidentify/view.js';
import { levelText } from '../../dist/analysts/level-text.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';
import { resolveText } from '../../dist/store/relative-text.js';
import { model } from './data.mjs';

const CHUNK = 1 << 22;

/** Calls `take` with one piece after the other. @param base of the server whose level it is */
export async function eachLevelChunk(dir, base, take) {
  const directory = await openDataDirectory(dir);
  const { ontology } = model;
  const text = levelText(deidentifiedView(openPrimaryStore(directory, base), ontology), { base, ontology });
  let chunk = '';
  directory.read((tx) => {
    for (const { key, value } of tx.range('graphs')) {
      const path = String(key);
      chunk += text(path.startsWith('/') ? base + path : path, resolveText(String(value), base));
      if (chunk.length <= CHUNK) continue;
      take(chunk);
      chunk = '';
    }
  });
  take(chunk);
  await directory.close();
}

/** Writes the level to a file. @returns the number of its lines */
export async function writeLevel(dir, base, path) {
  const file = openSync(path, 'w');
  let lines = 0;
  await eachLevelChunk(dir, base, (chunk) => {
    writeSync(file, chunk);
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) lines++;
  });
  closeSync(file);
  return lines;
}
