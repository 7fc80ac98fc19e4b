import type { AppManifest } from '../accounts/manifest.js';
import { literal, namedNode, say, type Quad } from '../rdf/terms.js';
import { cg, dcterms, rdf, sp } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';

/** The IRI of an app's manifest, which names its graph. */
export function appManifestIri(base: string, appId: string): string {
  return `${base}/apps/${appId}/manifest`;
}

/** The manifest that the graph of an app holds, as it was installed: it may break rules that came later. */
export function manifestIn(quads: readonly Quad[]): unknown {
  const json = quads.find(({ predicate }) => predicate.value === cg.json)?.object.value;
  return json === undefined ? undefined : JSON.parse(json);
}

/** The graph of an app: its JSON manifest, keys sorted, with name and description for queries. */
export function appGraph(manifest: AppManifest, base: string): NamedGraph {
  const iri = namedNode(appManifestIri(base, manifest.id));
  const sorted = Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    name: iri.value,
    quads: [
      say(iri, rdf.type, namedNode(sp.AppManifest)),
      say(iri, dcterms.title, literal(manifest.name)),
      say(iri, dcterms.description, literal(manifest.description)),
      say(iri, cg.json, literal(JSON.stringify(sorted), namedNode(rdf.JSON))),
    ],
  };
}
