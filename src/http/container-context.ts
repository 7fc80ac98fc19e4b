import type { Logger } from 'pino';
import type { IncomingSignature } from '../oauth/incoming-signature.js';
import type { Principal } from '../oauth/verify.js';
import type { Ontology } from '../ontology/model.js';
import type { QueryTemplate } from '../query/template.js';
import type { GraphStore } from '../store/graph-store.js';

/** Everything the HTTP room is given by the composition root; made once at start. */
export interface ContainerContext {
  readonly ontology: Ontology;
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly store: GraphStore;
  /** Proves who signed a request: undefined when nobody did. @throws Problem unauthorized */
  readonly verify: (request: IncomingSignature) => Promise<Principal | undefined>;
  /** The base URL without a trailing slash, and its path. */
  readonly base: string;
  readonly basePath: string;
  /** Whether the base URL is https, so that PLAINTEXT signatures and Secure cookies are in order. */
  readonly secure: boolean;
  /** The epoch of the data directory, which `restore` begins anew. */
  readonly epoch: () => string;
  /** Digest of the ontology and the queries: part of every entity tag. */
  readonly digest: string;
  readonly containerAccess: 'open' | 'signed';
  readonly log: Logger;
}
