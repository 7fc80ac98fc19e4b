import { methods } from '../model/ontology/answer-forms.js';
import type { Ontology } from '../model/ontology/model.js';
import { literal, namedNode, say, type Quad } from '../rdf/terms.js';
import { cg, rdf, rdfs, sp } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { ontologyIri } from './resource-paths.js';

export interface ContainerDescription {
  readonly name: string;
  readonly description: string;
  readonly admin: string;
  readonly version: string;
}

/** Builds the manifest of a container from its ontology's calls. Verifiers of this API allow no other keys. */
export function containerManifest(
  { name, description, admin, version }: ContainerDescription,
  ontology: Ontology,
  base: string,
) {
  const targets = [...new Set(ontology.calls.map(({ target }) => target))].sort();
  return {
    name,
    description,
    admin: admin === '' ? postmasterOf(base) : admin,
    smart_version: version.split('.').slice(0, 2).join('.'),
    api_base: base,
    launch_urls: {
      app_launch: `${base}/apps/{{app_id}}/launch`,
      request_token: `${base}/oauth/request_token`,
      authorize_token: `${base}/oauth/authorize`,
      exchange_token: `${base}/oauth/access_token`,
    },
    capabilities: Object.fromEntries(
      targets.map((target) => [target, { methods: methodsOf(ontology, target) }]),
    ),
    // Verifiers that know the keys above alone check containers without layers.
    ...(ontology.layers.length > 1 && {
      layers: ontology.layers.map(({ iri, label, version: of }) => ({ iri, name: label, version: of })),
    }),
  };
}

/** Returns the mailbox that every mail domain has (RFC 5321 §4.5.1), with IP addresses in brackets (§4.1.3). */
function postmasterOf(base: string): string {
  const { hostname } = new URL(base);
  const inBrackets = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : `[${hostname}]`;
  return `postmaster@${/^[\d.]+$|^\[/.test(hostname) ? inBrackets : hostname}`;
}

/** Builds the graph from which its call reads the JSON. */
export function containerManifestGraph(
  manifest: ReturnType<typeof containerManifest>,
  base: string,
): NamedGraph {
  const iri = namedNode(`${base}/manifest`);
  return {
    name: iri.value,
    quads: [
      say(iri, rdf.type, namedNode(sp.ContainerManifest)),
      say(iri, cg.json, literal(JSON.stringify(manifest), namedNode(rdf.JSON))),
    ],
  };
}

function methodsOf(ontology: Ontology, target: string): string[] {
  const used = new Set(ontology.calls.filter((call) => call.target === target).map(({ method }) => method));
  return methods.filter((method) => used.has(method));
}

interface PublishedContainer extends ContainerDescription {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly ontologyQuads: readonly Quad[];
  readonly base: string;
}

/** Says of each term which layer declares it; nothing where there is one layer. */
function definitions({ layers }: Ontology): Quad[] {
  if (layers.length < 2) return [];
  return layers.flatMap(({ iri, terms }) =>
    [...terms].map((term) => say(namedNode(term), rdfs.isDefinedBy, namedNode(iri))),
  );
}

/** Stores the manifest and the ontology at every start; unchanged content makes no change. */
export async function publishContainer(container: PublishedContainer): Promise<void> {
  const { primary, ontology, ontologyQuads, base } = container;
  const manifest = containerManifestGraph(containerManifest(container, ontology, base), base);
  await primary.write({
    replace: [manifest, { name: ontologyIri(base), quads: [...ontologyQuads, ...definitions(ontology)] }],
    // Both come from files that have their own history.
    isUnkept: true,
  });
}
