import type { DataDirectory } from '../../disk/data-directory.js';
import type { Ontology } from '../../ontology/model.js';
import type { Quad } from '../../rdf/terms.js';
import { openEmbeddedStore } from '../../store/embedded.js';
import type { GraphStore } from '../../store/graph-store.js';
import { openMemoryStore } from '../../store/memory.js';
import { openPrimaryStore } from '../../store/primary-store.js';
import { memoryFiles } from '../documents/memory-files.js';
import { recordPartition } from '../record-partition.js';
import { deriveIndex } from '../search-index.js';
import { readSeed } from '../seed.js';

/** Data that an ontology can be tried on. Nothing of it is ever written. */
export interface DataSource {
  /** Without a slash at its end. */
  readonly base: string;
  /** Names of all graphs, in no order that matters. */
  names(): readonly string[];
  /** What a graph holds; empty where there is none. */
  graph(name: string): readonly Quad[];
  /** Fills a working set with the index that an ontology asks for; the caller closes it. */
  open(ontology: Ontology): Promise<GraphStore>;
}

/** The data of a directory, which stays the caller's to close. A server may run on it. */
export function directorySource(directory: DataDirectory, base: string): DataSource {
  const primary = openPrimaryStore(directory, base);
  return {
    base,
    names: () => primary.names(),
    graph: (name) => primary.graph(name) ?? [],
    open: (ontology) =>
      openEmbeddedStore({
        directory,
        base,
        derive: deriveIndex(ontology),
        partition: recordPartition(ontology),
      }),
  };
}

/**
 * A seed folder, read into memory.
 * @param options.ontology by which it is read
 * @throws Error that names the file that cannot be read
 */
export async function seedSource(options: {
  readonly dir: string;
  readonly ontology: Ontology;
  readonly base: string;
}): Promise<DataSource> {
  const { graphs } = await readSeed({ ...options, files: memoryFiles() });
  const byName = new Map(graphs.map(({ name, quads }) => [name, quads]));
  return {
    base: options.base,
    names: () => [...byName.keys()],
    graph: (name) => byName.get(name) ?? [],
    open: async (ontology) => {
      const store = openMemoryStore(options.base, deriveIndex(ontology));
      await store.write({ replace: graphs });
      return store;
    },
  };
}
