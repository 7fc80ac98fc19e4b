import { describe, expect, test } from 'vitest';
import { namedNode, literal, quad } from '../../src/rdf/terms.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { attachFiles } from '../../src/records/documents/attach.js';
import type { FileSource } from '../../src/records/documents/folder-source.js';
import { loadOntology } from '../../src/model/ontology/directory.js';

const ontology = await loadOntology('ontology').then((loaded) => loaded.ontology);
const base = 'https://records.example.org';
const names = Array.from({ length: 50 }, (_, at) => `${base}/records/1/documents/${at}`);
const graphs = names.map((name, at) => ({
  name,
  quads: [quad(namedNode(name), namedNode(sp.fileName), literal(String(at)))],
}));
const store = { put: () => Promise.reject(new Error('not asked for')), has: () => true };

/** A source that takes later files sooner than earlier ones, and counts those under way. */
function slowSource(broken: readonly number[] = []) {
  const seen = { begun: 0, now: 0, most: 0 };
  const source: FileSource = {
    async take(fileName) {
      seen.begun++;
      seen.most = Math.max(seen.most, ++seen.now);
      for (let turn = Number(fileName) % 7; turn < 7; turn++) await Promise.resolve();
      seen.now--;
      if (broken.includes(Number(fileName))) throw new Error(`file ${fileName}`);
      return fileName === '3' ? undefined : { sha256: fileName.padStart(64, '0'), size: 1 };
    },
  };
  return { seen, source };
}

const attach = (source: FileSource) =>
  attachFiles(graphs, { ontology, base, store, source, stored: () => undefined });

describe('the files of many documents', () => {
  test('are put several at a time, each into its own document, in the order of the documents', async () => {
    const { seen, source } = slowSource();
    const { graphs: attached, missing } = await attach(source);
    expect(attached.map(({ name }) => name)).toEqual(names);
    expect(missing).toEqual([`${names[3]}: There is no file "3".`]);
    const hashes = attached.map(({ quads }) => quads.find(({ object }) => object.value.length === 64));
    const expected = names.map((_, at) => (at === 3 ? undefined : String(at).padStart(64, '0')));
    expect(hashes.map((found) => found?.object.value)).toEqual(expected);
    expect(seen.most).toBe(16);
  });

  test('of several that fail the first is told, when nothing is under way any more', async () => {
    const { seen, source } = slowSource([5, 13]);
    await expect(attach(source)).rejects.toThrow('file 5');
    expect(seen.now).toBe(0);
    expect(seen.begun).toBeLessThan(names.length);
  });
});
