import type { Logger } from 'pino';
import type { AccessLog } from '../access/log/access-log.js';
import type { DocumentStore } from '../store/documents/document-files.js';
import type { Flow } from '../access/oauth/flow.js';
import type { IncomingSignature } from '../access/oauth/signed-request.js';
import type { Verified } from '../access/oauth/verify.js';
import type { Metrics } from './container-metrics.js';
import type { Analysis } from '../model/analyses/analysis.js';
import type { Locate } from '../model/check/positions.js';
import type { Ontology } from '../model/ontology/model.js';
import type { QueryTemplate } from '../model/query/template.js';
import type { Quad } from '../rdf/terms.js';
import type { AllSettings } from './serve-settings.js';
import type { GraphStore } from '../store/graph-store.js';
import type { PastStores } from '../store/past-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Administration } from './administration.js';
import type { Feature } from './feature.js';
import type { LongGraphs } from './handlers/long-graphs.js';
import type { RecordedReads } from './recorded-reads.js';
import type { QueryQueue } from './respond/query-queue.js';
import type { Streams } from './admission/streams.js';

export interface Site {
  readonly name: string;
  readonly description: string;
  readonly base: string;
  readonly basePath: string;
  /** Whether the base URL is https. PLAINTEXT signatures and Secure cookies need it. */
  readonly secure: boolean;
  readonly hasAnalysts: boolean;
}

export interface Program {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly analyses: ReadonlyMap<string, Analysis>;
  /** Digest of both and of the program version: part of every entity tag. */
  readonly digest: string;
}

export interface Data {
  readonly store: GraphStore;
  /** The durable half of the store, for writes that must be atomic with others. */
  readonly primary: PrimaryStore;
  readonly past: PastStores;
  readonly documents: DocumentStore;
}

/** Verifies the signature of a request; undefined for an unsigned one. @throws Problem unauthorized */
export type Verify = (request: IncomingSignature) => Promise<Verified | undefined>;

export interface AppParts {
  readonly site: Site;
  readonly program: Program;
  readonly data: Data;
  readonly verify: Verify;
  /** For exchanging request tokens, which sign with their own secrets. */
  readonly verifyRequestToken: Verify;
  readonly flow: Flow;
  readonly features: readonly Feature[];
  readonly settings: AllSettings;
  readonly locate: Locate;
  readonly accessLog: Pick<AccessLog, 'record' | 'list' | 'read' | 'checkpoint' | 'verifyInSteps'>;
  readonly metrics: Metrics;
  readonly streams: Streams;
  readonly queue: QueryQueue;
  readonly longGraphs: LongGraphs;
  readonly log: Logger;
  /** Adds a step to the closing of the container. */
  onClose(step: () => Promise<void> | void): void;
}

/** What pages get: in place of data, readers that record. */
export interface PageParts extends Omit<AppParts, 'data' | 'accessLog' | 'verify' | 'verifyRequestToken'> {
  readonly people: RecordedReads;
  readonly administration: Administration;
}
