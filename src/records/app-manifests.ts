import { readManifest, type AppManifest } from '../accounts/manifest.js';
import { writeSparqlTerm } from '../query/sparql-term.js';
import { namedNode } from '../rdf/terms.js';
import { cg } from '../rdf/vocabulary.js';
import type { GraphStore } from '../store/graph-store.js';
import { SHARED } from '../store/parts.js';
import { appManifestIri } from './app-graph.js';
import { isAccountId } from './identifiers.js';

/** The manifest of an installed app, or undefined when there is no such app. */
export async function storedManifest(store: GraphStore, appId: string): Promise<AppManifest | undefined> {
  if (!isAccountId(appId)) return undefined;
  const iri = writeSparqlTerm(namedNode(appManifestIri(store.base, appId)));
  const property = writeSparqlTerm(namedNode(cg.json));
  const sparql = `SELECT ?json WHERE { GRAPH ${iri} { ${iri} ${property} ?json } }`;
  const [row] = await store.select(sparql, [SHARED]);
  const json = row?.['json']?.value;
  return json === undefined ? undefined : readManifest(JSON.parse(json));
}
