import type { Ontology } from '../ontology/model.js';
import type { Quad } from '../rdf/terms.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import {
  containerManifest,
  containerManifestGraph,
  type ContainerDescription,
} from './container-manifest.js';
import { ontologyIri } from './resource-paths.js';

export interface PublishedContainer extends ContainerDescription {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  /** All quads of the ontology's files. */
  readonly ontologyQuads: readonly Quad[];
  readonly base: string;
}

/** The graph that answers `/ontology`. */
function ontologyGraph(quads: readonly Quad[], base: string): NamedGraph {
  return { name: ontologyIri(base), quads };
}

/**
 * Puts the container's own resources, its manifest and its ontology, into the graph. What is there already is no
 * change and advances no revision, so that every start may do it.
 */
export async function publishContainer(container: PublishedContainer): Promise<void> {
  const { primary, ontology, ontologyQuads, base } = container;
  const manifest = containerManifest(container, ontology, base);
  await primary.write({
    replace: [containerManifestGraph(manifest, base), ontologyGraph(ontologyQuads, base)],
    // Files hold both, with a history of their own.
    isUnkept: true,
  });
}
