import type { DataDirectory } from '../../store/disk/data-directory.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { Quad } from '../../rdf/terms.js';
import { openEmbeddedStore } from '../../store/embedded-store.js';
import type { GraphStore } from '../../store/graph-store.js';
import { openMemoryStore } from '../../store/memory-store.js';
import { openPrimaryStore } from '../../store/primary-store.js';
import { memoryFiles } from '../../records/documents/memory-files.js';
import { recordPartition } from '../../records/record-partition.js';
import { deriveIndex } from '../../records/search-index.js';
import { readSeed } from '../../records/seed.js';

/** Data to try an ontology on; never written. */
export interface DataSource {
  readonly base: string;
  names(): readonly string[];
  graph(name: string): readonly Quad[];
  /** Fills a working set with the ontology's index; the caller closes it. */
  open(ontology: Ontology): Promise<GraphStore>;
}

/** Opens the data of a directory, also while a server runs. The caller closes the directory. */
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

/** Reads a seed folder into memory. @throws Error that names the unreadable file */
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
