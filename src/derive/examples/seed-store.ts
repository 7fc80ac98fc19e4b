import type { DocumentStore } from '../../disk/document-files.js';
import { factsOf } from '../../ontology/answer-forms.js';
import type { Ontology } from '../../ontology/model.js';
import type { QueryTemplate } from '../../query/template.js';
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
import { openMemoryStore } from '../../store/memory.js';
import { jsonLdContext, type JsonLdContext } from '../jsonld-context.js';
import { candidateRequests, keptText, senderOf, type Sender } from './example-request.js';

/** What the examples of a container are made from. */
export interface ExampleSource {
  readonly ontology: Ontology;
  /** All quads of the ontology's files. */
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  /** Without a slash at its end. */
  readonly base: string;
  /** The folder of the seed: never a data directory, which holds real people. */
  readonly seed: string;
  readonly container: ContainerDescription;
}

/** The seed in memory, where the queries of the container answer over it. */
export interface SeedStore extends Pick<ExampleSource, 'ontology' | 'queries' | 'base'> {
  readonly context: JsonLdContext;
  readonly store: GraphStore;
  readonly files: Pick<DocumentStore, 'read'>;
  readonly content: SeedContent;
  readonly sender: Sender;
}

/**
 * Reads a seed folder into memory, with the container's manifest and ontology and with a text in each place where an
 * app may keep one. The store is the caller's to close.
 * @returns undefined for a folder that lacks records, users or apps
 * @throws Error that names the file that cannot be read
 */
export async function openSeedStore(source: ExampleSource): Promise<SeedStore | undefined> {
  const { ontology, quads, queries, base, seed: dir, container } = source;
  const files = memoryFiles();
  const content = await readSeed({ dir, ontology, base, files });
  const sender = senderOf(content);
  if (!sender) return undefined;
  const kept = ontology.calls.filter((call) => call.method === 'GET' && factsOf(call).ownedByApp);
  const store = openMemoryStore(base, deriveIndex(ontology));
  await store.write({
    replace: [
      ...content.graphs,
      containerManifestGraph(containerManifest(container, ontology, base), base),
      { name: ontologyIri(base), quads },
      ...kept.flatMap((call) =>
        candidateRequests(call, sender, [], base).map(({ target }) =>
          blobGraph(base + target, call.target, keptText),
        ),
      ),
    ],
  });
  return { ontology, queries, base, context: jsonLdContext(ontology), store, files, content, sender };
}
