import type { Logger } from 'pino';
import type { AccessLog } from '../access/log/access-log.js';
import type { Accounts } from '../access/accounts/accounts.js';
import type { Model } from '../model/read-model.js';
import type { ServiceKey } from '../model/ontology/answer-forms.js';
import type { CallModel } from '../model/ontology/model.js';
import type { DataDirectory } from '../store/disk/data-directory.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Problem } from '../model/problem.js';
import type { PlainAnswer } from './answer.js';
import type { AppParts, PageParts } from './app-parts.js';
import type { AccessRules, RequireRecord } from './authorize.js';
import type { ClosedViews } from './closed-view.js';
import type { MetricValues } from './container-metrics.js';
import type { Description } from './descriptions.js';
import type { CallParts } from './handlers/reads.js';
import type { RecordedReads } from './recorded-reads.js';
import type { Handler, Route } from './request-context.js';
import type { Instead } from './route.js';
import type { AllSettings, ContainerSettings } from './serve-settings.js';

/** What a module adds to a container. The core knows no feature; `main.ts` lists them. */
export interface Feature {
  /** Handlers for calls of the ontology that have no graph to read. */
  handlers?(parts: CallParts): Partial<Readonly<Record<ServiceKey, Handler>>>;
  /** Routes outside the ontology. */
  routes?(app: RouteParts): readonly Route[];
  /** Routes of pages, which read of people what they get from `people` alone. */
  pages?(app: PageParts): readonly Route[];
  descriptions?(app: Omit<PageParts, 'people' | 'flow' | 'administration'>): readonly Description[];
  /** May replace the route of a request that has a query. */
  instead?(app: PageParts): Instead;
  /** May write a problem at a path in another form than `application/problem+json` or a page. */
  problem?(path: string, problem: Problem): PlainAnswer | undefined;
  /** Makes a function that returns the types of FHIR resources as which what a call answers goes out. */
  typesOf?(app: AppParts): (call: CallModel) => Promise<readonly string[]>;
  /** Whether scripts of any origin may request a path, with a token. */
  isOpen?(path: string): boolean;
  /** Called in the process that holds the data directory, before the container serves. */
  prepare?(settings: AllSettings): Promise<Prepared | undefined>;
  /** Starts background work once the container serves. @returns a function that ends it */
  beside?(container: HeldContainer): Promise<() => Promise<void> | void>;
}

/** What routes outside the ontology get: also what calls are checked with, for what they read by calls. */
export interface RouteParts extends AppParts {
  readonly access: AccessRules;
  readonly requireRecord: RequireRecord;
  readonly closedViews: ClosedViews;
  readonly people: RecordedReads;
}

export interface Prepared {
  /** Passed on to the processes that serve. */
  readonly settings: Partial<ContainerSettings>;
  close(): Promise<void>;
}

/** A container as seen by the process that holds the data directory. */
export interface HeldContainer {
  readonly settings: AllSettings;
  readonly directory: DataDirectory;
  readonly primary: PrimaryStore;
  readonly model: Model;
  readonly accounts: Accounts;
  readonly accessLog: AccessLog;
  readonly log: Logger;
  /** Adds a source of metrics for Prometheus. */
  count(source: () => Promise<MetricValues>): void;
}
