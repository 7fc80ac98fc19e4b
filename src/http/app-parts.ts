import type { Logger } from 'pino';
import type { AccessLog } from '../access-log/access-log.js';
import type { DocumentStore } from '../disk/document-files.js';
import type { Flow } from '../oauth/flow/flow.js';
import type { IncomingSignature } from '../oauth/incoming-signature.js';
import type { Verified } from '../oauth/verify.js';
import type { Metrics } from '../metrics/container-metrics.js';
import type { Analysis } from '../analysts/analyses/analysis.js';
import type { Locate } from '../ontology/check/positions.js';
import type { Ontology } from '../ontology/model.js';
import type { QueryTemplate } from '../query/template.js';
import type { GraphStore } from '../store/graph-store.js';
import type { PastStores } from '../store/past-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { AnalystClient } from './analysts/analyst-client.js';
import type { Description } from './descriptions.js';
import type { LongGraphs } from './handlers/long-graphs.js';
import type { QueryQueue } from './respond/query-queue.js';
import type { Streams } from './streams.js';

/** Where the container lives and what it is called. */
export interface Site {
  readonly name: string;
  readonly description: string;
  /** The base URL without a trailing slash, and its path. */
  readonly base: string;
  readonly basePath: string;
  /** Whether the base URL is https, so that PLAINTEXT signatures and Secure cookies are in order. */
  readonly secure: boolean;
  /** Whether analysts' queries are answered: pages lead nowhere else. */
  readonly hasAnalysts: boolean;
}

/** What the container is a program of. */
export interface Program {
  readonly ontology: Ontology;
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly analyses: ReadonlyMap<string, Analysis>;
  /** Of both: part of every entity tag. */
  readonly digest: string;
}

/** What is stored. */
export interface Data {
  readonly store: GraphStore;
  /** The durable half of the store: what must be written together with something else goes there. */
  readonly primary: PrimaryStore;
  /** Earlier states of records. */
  readonly past: PastStores;
  /** The files of documents. */
  readonly documents: DocumentStore;
  /** The epoch of the data directory, which `restore` begins anew. */
  readonly epoch: () => string;
  /** Brings the data up to date where several gateways share a store. @throws Problem unavailable */
  readonly current?: (() => Promise<void>) | undefined;
}

/** Proves who signed a request: undefined when nobody did. @throws Problem unauthorized */
export type Verify = (request: IncomingSignature) => Promise<Verified | undefined>;

/** What the composition root gives to the HTTP application; each part of it takes what it uses. */
export interface AppParts {
  readonly site: Site;
  readonly program: Program;
  readonly data: Data;
  readonly verify: Verify;
  /** The same for the exchange of request tokens, which sign with their own secrets. */
  readonly verifyRequestToken: Verify;
  /** What the pages and the token endpoints work on. */
  readonly flow: Flow;
  /** What the container says of itself. */
  readonly descriptions: readonly Description[];
  readonly containerAccess: 'open' | 'signed';
  /** Whether `/oauth/debug` explains signatures. */
  readonly oauthDebug: boolean;
  /** How many bytes of answers are cached; 0 for none. */
  readonly cacheBytes: number;
  /** Origins whose scripts may read answers. */
  readonly corsOrigins: readonly string[];
  /** Milliseconds in a second that one sender may cost by bodies that take long and requests that are refused. */
  readonly senderBudget: number;
  /** Bytes that one app may post to one record in a day. */
  readonly postQuota: number;
  /** Bytes that a scratchpad, or the preferences that an app keeps for a user, may have. */
  readonly textLimit: number;
  /** Where the ontology says something, by file and line. */
  readonly locate: Locate;
  /** Where analysts' queries are run, and the path of the program of the workbench; undefined for a container without. */
  readonly analysts: { readonly client: AnalystClient; readonly script: string } | undefined;
  readonly accessLog: Pick<AccessLog, 'record' | 'recordsOf'>;
  readonly metrics: Metrics;
  /** The streams that are open in this process. */
  readonly streams: Streams;
  /** Queries that wait for the store. */
  readonly queue: QueryQueue;
  readonly longGraphs: LongGraphs;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  readonly log: Logger;
}
