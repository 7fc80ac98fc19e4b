import type { Logger } from 'pino';
import type { AnalystLimits } from './analysts/analysts.js';
import type { HistoryLength } from './store/history.js';
import type { UserRole } from './accounts/users.js';
import type { Metrics } from './metrics/container-metrics.js';
import type { Gather } from './metrics/metrics-listener.js';

/** What a container is started with; paths are absolute or relative to the working directory. */
export interface ContainerSettings {
  readonly data: string;
  /** Called when the data directory is there, before anything is stored in it. */
  readonly madeDirectory?: () => Promise<void>;
  /** The address of the PostgreSQL database of which `data` holds a copy. Default none: `data` is all there is. */
  readonly store?: string | undefined;
  /** Whether what records say is sealed in a new data directory. Default yes, and what an older one has chosen. */
  readonly seal?: boolean | undefined;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Default: `http://localhost:<port>`. */
  readonly baseUrl?: string;
  /** The folder loaded into an empty data directory, or false. */
  readonly seed: string | false;
  readonly ontology: string;
  readonly queries: string;
  readonly containerAccess: 'open' | 'signed';
  readonly name: string;
  readonly description: string;
  readonly admin: string;
  /** The version of the package, whose major and minor part the manifest shows. */
  readonly version: string;
  /** How many processes serve; more than one have a working set each. Default 1. */
  readonly workers?: number;
  /** How long access tokens live, in milliseconds. Default 30 days. */
  readonly tokenLifetime?: number;
  /** Whether `/oauth/debug` explains signatures to signers. Default no. */
  readonly oauthDebug?: boolean;
  /** How many days entries of the access log are kept. Default 6 years. */
  readonly accessLogDays?: number;
  /** How long the history of records is kept: in days, for ever, or not at all. Default a year. */
  readonly history?: HistoryLength;
  /** The least level of log lines, as pino names them. Default `info`. The access log does not depend on it. */
  readonly logLevel?: string;
  /** Origins whose scripts may read answers, such as `https://app.example.org`. Default none. */
  readonly corsOrigins?: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. Default none. */
  readonly trustProxy?: readonly string[];
  /** Addresses and networks that webhooks may go to beside the internet. Default none. */
  readonly webhookNetworks?: readonly string[];
  /** Milliseconds until a webhook is tried again, after each attempt that failed. Default: ten attempts in three days. */
  readonly webhookDelays?: readonly number[];
  /** Connections that one address, proxies apart, may have open at a time, of all processes together. Default 1000. */
  readonly connections?: number;
  /**
   * Milliseconds of its time that each process gives in a second to the long bodies and the refused requests of one
   * token, app or address. Default 5.
   */
  readonly senderBudget?: number;
  /** Bytes that one app may post to one record in a day. Default 64 MiB. */
  readonly postQuota?: number;
  /** Bytes that a scratchpad, or the preferences that an app keeps for a user, may have. Default 1 MiB. */
  readonly textLimit?: number;
  /** Roles whose users must have a second factor. Default none. */
  readonly secondFactorRoles?: readonly UserRole[];
  /** How many bytes of answers each process keeps in memory, 0 for none. Default 64 MiB. */
  readonly cacheBytes?: number;
  /** Where monitors get the numbers of the container. Default nowhere. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** How many bytes of memory the working sets of all processes may take. Default a quarter of the machine's. */
  readonly memoryBytes?: number;
  /** Runs the queries of analysts, in a process of its own. Default: nobody can ask any. */
  readonly analysts?: AnalystSettings;
  /** The example apps, served beside demo data. Default: they are not. Not for a container that others can reach. */
  readonly examples?: Examples;
  /** Where that process listens; set by the first process for those that serve. */
  readonly analystSocket?: string;
  /** The digest of the model that the first process checked, for those that serve. */
  readonly checkedModel?: string;
  /** Waits with listening until searches can be answered, for a process that takes the place of another. Needs a port. */
  readonly listenLast?: boolean;
  readonly log?: Logger;
}

/** How the queries of analysts are run. */
export interface AnalystSettings {
  /** How many bytes of memory each level of the data may take. Default a quarter of the machine's. */
  readonly memoryBytes?: number;
  /** What a query may cost, where not the usual. */
  readonly limits?: Partial<AnalystLimits>;
}

/** The example apps. */
export interface Examples {
  /** The program that serves them. */
  readonly program: string;
  /** The seed folder whose records and apps are the demo data. */
  readonly seed: string;
  /** Whether somebody asked for them, so that there is an error where they cannot be served. */
  readonly isAsked?: boolean;
}

/** A running container. */
export interface RunningContainer {
  readonly url: string;
  /** Where the numbers are, if anywhere. */
  readonly metricsUrl?: string | undefined;
  /** Stops taking requests, lets the running ones end (4 s at most), and closes the data directory. */
  close(): Promise<void>;
}

/** What serves, in this process or in several. */
export interface Serving extends RunningContainer {
  /** The numbers of all processes. */
  readonly gather: Gather;
}

/** A process that serves. */
export interface ServingProcess extends Serving {
  readonly metrics: Metrics;
}
