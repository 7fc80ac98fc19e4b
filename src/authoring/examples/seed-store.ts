import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { factsOf } from '../../model/ontology/answer-forms.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { QueryTemplate } from '../../model/query/template.js';
import type { Quad } from '../../rdf/terms.js';
import { blobGraph } from '../../records/blobs/blob-graph.js';
import {
  containerManifest,
  containerManifestGraph,
  type ContainerDescription,
} from '../../records/container-manifest.js';
import { memoryFiles } from '../../records/documents/memory-files.js';
import { ontologyIri } from '../../records/resource-paths.js';
import { deriveIndex } from '../../records/search-index.js';
import { readSeed, type SeedContent } from '../../records/seed.js';
import type { GraphStore } from '../../store/graph-store.js';
import { openMemoryStore } from '../../store/memory-store.js';
import { candidateRequests, keptText, senderOf, type Sender } from './example-request.js';

/** Graphs handled in one turn of the event loop, so that requests run in between. */
export const GRAPHS_A_TURN = 30;

export interface ExampleSource {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly base: string;
  /** The folder of the seed, never a data directory with real people. */
  readonly seed: string;
  readonly container: ContainerDescription;
}

/** The seed in memory, for the queries of the container. */
export interface SeedStore extends Pick<ExampleSource, 'ontology' | 'queries' | 'base'> {
  readonly store: GraphStore;
  readonly files: Pick<DocumentStore, 'read'>;
  readonly content: SeedContent;
  readonly sender: Sender;
}

/**
 * Reads a seed folder into memory, with the container's manifest and ontology, and a text for each place where an app
 * may store one. The caller closes the store. @returns undefined for a folder without records, users or apps
 * @throws Error that names the unreadable file
 */
export async function openSeedStore(source: ExampleSource): Promise<SeedStore | undefined> {
  const { ontology, quads, queries, base, seed: dir, container } = source;
  const files = memoryFiles();
  const content = await readSeed({ dir, ontology, base, files });
  const sender = senderOf(content);
  if (!sender) return undefined;
  const kept = ontology.calls.filter((call) => call.method === 'GET' && factsOf(call).ownedByApp);
  const store = openMemoryStore(base, deriveIndex(ontology));
  const graphs = [
    ...content.graphs,
    containerManifestGraph(containerManifest(container, ontology, base), base),
    { name: ontologyIri(base), quads },
    ...kept.flatMap((call) =>
      candidateRequests(call, sender, [], base).map(({ target }) =>
        blobGraph(base + target, call.target, keptText),
      ),
    ),
  ];
  for (let at = 0; at < graphs.length; at += GRAPHS_A_TURN) {
    await store.write({ replace: graphs.slice(at, at + GRAPHS_A_TURN) });
    await nextTurn();
  }
  return { ontology, queries, base, store, files, content, sender };
}
