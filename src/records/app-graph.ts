import { type AppManifest, readManifest } from '../access/accounts/manifest.js';
import { literal, namedNode, say, type Quad } from '../rdf/terms.js';
import { cg, dcterms, rdf, sp } from '../rdf/vocabulary.js';
import type { NamedGraph, GraphStore } from '../store/graph-store.js';
import { writeSparqlTerm } from '../model/query/sparql-term.js';
import { SHARED } from '../store/parts.js';
import { isAccountId } from './identifiers.js';

/** Returns the IRI of an app's manifest, which names its graph. */
export function appManifestIri(base: string, appId: string): string {
  return `${base}/apps/${appId}/manifest`;
}

/** Returns the manifest as installed; it may violate newer rules. */
export function manifestIn(quads: readonly Quad[]): unknown {
  const json = quads.find(({ predicate }) => predicate.value === cg.json)?.object.value;
  return json === undefined ? undefined : JSON.parse(json);
}

/** Builds the graph of an app: its JSON manifest with sorted keys, plus name and description for queries. */
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

/** Returns the manifest of an installed app; undefined if there is none. */
export async function storedManifest(store: GraphStore, appId: string): Promise<AppManifest | undefined> {
  if (!isAccountId(appId)) return undefined;
  const iri = writeSparqlTerm(namedNode(appManifestIri(store.base, appId)));
  const property = writeSparqlTerm(namedNode(cg.json));
  const sparql = `SELECT ?json WHERE { GRAPH ${iri} { ${iri} ${property} ?json } }`;
  const [row] = await store.select(sparql, [SHARED]);
  const json = row?.['json']?.value;
  return json === undefined ? undefined : readManifest(JSON.parse(json));
}
