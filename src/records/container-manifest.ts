import { methods } from '../ontology/answer-forms.js';
import type { Ontology } from '../ontology/model.js';
import { literal, namedNode, say } from '../rdf/terms.js';
import { cg, rdf, sp } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';

/** What the operator of a container says about it. */
export interface ContainerDescription {
  readonly name: string;
  readonly description: string;
  /** A mail address; where it is empty, the manifest shows that of the postmaster. */
  readonly admin: string;
  /** The version of the package; major and minor are what the manifest shows. */
  readonly version: string;
}

/** The container manifest; verifiers of this API allow no other keys. */
export interface ContainerManifest {
  readonly name: string;
  readonly description: string;
  readonly admin: string;
  readonly smart_version: string;
  readonly api_base: string;
  readonly launch_urls: Readonly<
    Record<'app_launch' | 'request_token' | 'authorize_token' | 'exchange_token', string>
  >;
  /** What can be done with each class, from the calls of the ontology. */
  readonly capabilities: Readonly<Record<string, { readonly methods: readonly string[] }>>;
}

/** Makes the manifest of a container that serves the calls of an ontology under a base URL. */
export function containerManifest(
  { name, description, admin, version }: ContainerDescription,
  ontology: Ontology,
  base: string,
): ContainerManifest {
  const targets = [...new Set(ontology.calls.map(({ target }) => target))].sort();
  return {
    name,
    description,
    admin: admin === '' ? postmasterOf(base) : admin,
    smart_version: version.split('.').slice(0, 2).join('.'),
    api_base: base,
    launch_urls: {
      // Clients replace the placeholder themselves.
      app_launch: `${base}/apps/{{app_id}}/launch`,
      request_token: `${base}/oauth/request_token`,
      authorize_token: `${base}/oauth/authorize`,
      exchange_token: `${base}/oauth/access_token`,
    },
    capabilities: Object.fromEntries(
      targets.map((target) => [target, { methods: methodsOf(ontology, target) }]),
    ),
  };
}

/** The mailbox that every domain with mail has (RFC 5321 §4.5.1); an address stands in brackets (§4.1.3). */
function postmasterOf(base: string): string {
  const { hostname } = new URL(base);
  const inBrackets = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : `[${hostname}]`;
  return `postmaster@${/^[\d.]+$|^\[/.test(hostname) ? inBrackets : hostname}`;
}

/** The graph of the container manifest, in which its call finds the JSON. */
export function containerManifestGraph(manifest: ContainerManifest, base: string): NamedGraph {
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
