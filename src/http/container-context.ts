import type { Logger } from 'pino';
import type { Descriptions } from './descriptions.js';
import type { IncomingSignature } from '../oauth/incoming-signature.js';
import type { Principal } from '../oauth/verify.js';
import type { Flow } from '../oauth/flow/flow.js';
import type { Ontology } from '../ontology/model.js';
import type { QueryTemplate } from '../query/template.js';
import type { DocumentStore } from '../disk/document-files.js';
import type { GraphStore } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** Everything the HTTP room is given by the composition root; made once at start. */
export interface ContainerContext {
  readonly ontology: Ontology;
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly store: GraphStore;
  /** The durable half of the store: what must be written together with something else goes there. */
  readonly primary: PrimaryStore;
  /** The files of documents. */
  readonly documents: DocumentStore;
  /** Proves who signed a request: undefined when nobody did. @throws Problem unauthorized */
  readonly verify: (request: IncomingSignature) => Promise<Principal | undefined>;
  /** The same for the exchange of request tokens, which sign with their own secrets. */
  readonly verifyRequestToken: (request: IncomingSignature) => Promise<Principal | undefined>;
  /** What the pages and the token endpoints work on. */
  readonly flow: Flow;
  /** Whether `/oauth/debug` explains signatures. */
  readonly oauthDebug: boolean;
  /** What the pages call the container, and say of it. */
  readonly name: string;
  readonly description: string;
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
  /** How many bytes of answers are kept in memory; 0 for none. */
  readonly cacheBytes: number;
  /** What the container says of itself, by path. */
  readonly descriptions: Descriptions;
  /** Origins whose scripts may read answers. */
  readonly corsOrigins: readonly string[];
  readonly log: Logger;
}
