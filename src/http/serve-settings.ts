import type { Logger } from 'pino';
import type { AppManifest } from '../access/accounts/manifest.js';
import { TOKEN_LIFETIME } from '../access/accounts/tokens.js';
import type { SignOnSettings } from '../access/sign-on/identity-provider.js';
import type { CheckedModel } from '../model/read-model.js';
import type { Folders } from '../model/ontology/directory.js';
import { queriesOf, shipped } from './layer-folders.js';
import { kinds, setting, unset, type Setting } from './setting-kinds.js';
import { HISTORY_DAYS } from '../store/history.js';

const MB = 1024 * 1024;

/** All settings, in the order of `serve --help`. Unless noted, durations are in milliseconds and sizes in bytes. */
export const table = {
  data: setting('--data <dir>', kinds.text, 'data'),
  /** The PostgreSQL database that `data` is a copy of; undefined if `data` is the only store. */
  store: unset('--store <url>', kinds.store),
  /** Whether a new data directory encrypts the content of records; undefined: yes. An old one keeps its choice. */
  seal: unset('--seal <on|off>', kinds.onOff),
  host: setting('--host <address>  address to listen on (default: 127.0.0.1)', kinds.text, '127.0.0.1'),
  port: setting('--port <number>  port to listen on, 0 for any free one (default: 7000)', kinds.port, 7000),
  /** Without a slash at the end; undefined: derived from the port. */
  baseUrl: unset('--base-url <url>', kinds.url),
  /** The folder loaded into an empty data directory, or false. */
  seed: setting(
    '--seed <dir>  what an empty data directory is filled with (default: the shipped seed)',
    kinds.folderOrFalse,
    shipped('seed'),
    'start an empty data directory empty',
  ),
  ontology: setting(
    '--ontology <dir>  the ontology to serve instead of the shipped one; give it again for a layer on top, and the word shipped for the shipped one',
    kinds.ontologies,
    shipped('ontology') as Folders,
  ),
  /** Undefined: those that `queriesOf` finds. */
  queries: unset(
    '--queries <dir>  the queries to answer with, the lowest layer first (default: the folder queries of each layer, beneath which are the shipped ones)',
    kinds.queries,
  ),
  workers: unset(
    '--workers <number>  processes that answer requests, each with a working set of its own (default: one a core, at most 4)',
    kinds.workers,
  ),
  containerAccess: unset(
    '--container-access <who>  who may make calls outside records (default: open, where only this machine can ask)',
    kinds.access,
  ),
  /** Undefined: as the data directory keeps it; a new one keeps `related`. */
  clinicians: unset(
    '--clinicians <all|related>  which records clinicians open: all, or those of their patients; the data directory keeps it (default for a new one: related)',
    kinds.clinicians,
  ),
  name: setting('--name <text>  name of the container in its manifest', kinds.text, 'Chartgraph'),
  description: setting(
    '--description <text>  description of the container in its manifest',
    kinds.text,
    'A health record container',
  ),
  admin: setting(
    '--admin <mail>  mail address of the operator, for the manifest of the container',
    kinds.text,
    '',
  ),
  tokenLifetime: setting(
    '--token-lifetime <days>  how long the access tokens of apps live (default: 30)',
    kinds.days,
    TOKEN_LIFETIME,
  ),
  /** In all processes together; undefined: a quarter of the machine's memory. */
  memoryBytes: unset(
    "--memory <MB>  what the data in memory may take, of all processes together (default: a quarter of the machine's)",
    kinds.quota,
  ),
  analysts: setting(
    '--analysts <on|off>  whether analysts can ask queries at /sparql (default: on)',
    kinds.onOff,
    true,
  ),
  fhir: setting(
    '--fhir <on|off>  whether apps can read records as FHIR R4 at /fhir (default: on)',
    kinds.onOff,
    true,
  ),
  smart: setting(
    '--smart <on|off>  whether apps can come in by SMART App Launch 2, for /fhir (default: off)',
    kinds.onOff,
    false,
  ),
  examples: unset(
    '--examples  refuse to start where the example apps cannot be served (default: do without)',
    kinds.yesOrNo,
    'do not serve the example apps beside the demo data',
  ),
  /** For each level of the analysts' data; undefined: a quarter of the machine's memory. */
  analystMemoryBytes: unset(
    "--analyst-memory <MB>  what each level of the data of analysts may take (default: a quarter of the machine's)",
    kinds.quota,
  ),
  analystTimeout: setting(
    '--analyst-timeout <seconds>  how long a query of an analyst may run (default: 30)',
    kinds.seconds,
    30_000,
  ),
  /** Where another SPARQL server answers queries of analysts; `{level}` stands for the level. */
  analystEngine: unset(
    '--analyst-engine <url>  where another SPARQL server, fed by the container, answers the queries of analysts; {level} in it stands for the level (default: the container answers)',
    kinds.engineUrl,
  ),
  analystEngineUpdate: unset(
    '--analyst-engine-update <url>  where that server takes SPARQL updates',
    kinds.engineUrl,
  ),
  /** For servers without a default graph. */
  analystEngineGraph: unset(
    '--analyst-engine-graph <iri>  the graph to use as the default graph, for a server without one, such as Virtuoso',
    kinds.iri,
  ),
  /** Credentials for that server: `user:password`, or a bearer token. */
  analystEngineCredentials: unset('--analyst-engine-credentials <text>', kinds.credentials),
  /** Credentials for writing a mirror on another server: `user:password`, or a bearer token. */
  mirrorCredentials: unset('--mirror-credentials <text>', kinds.credentials),
  cacheBytes: setting(
    '--cache-size <MB>  what each process keeps of answers, 0 for nothing (default: 64)',
    kinds.megabytes,
    64 * MB,
  ),
  corsOrigins: setting(
    '--cors-origin <origin>  origin whose scripts may read answers; give it again for another (default: none)',
    kinds.origins,
    [],
  ),
  auditTo: unset(
    '--audit-to <url>  a FHIR server to send each entry of the access log to, as an AuditEvent (default: none)',
    kinds.url,
  ),
  /** Credentials for that server: `user:password`, or a bearer token. */
  auditCredentials: unset('--audit-credentials <text>', kinds.credentials),
  /** In days; 45 CFR 164.316(b)(2)(i) requires 6 years. */
  accessLogDays: setting(
    '--access-log-days <days>  how long entries of the access log are kept (default: 2192, 6 years)',
    kinds.retention,
    2192,
  ),
  history: setting(
    '--history <days|all|off>  how long what records said before is kept: in days, for ever, or not at all (default: 365)',
    kinds.history,
    HISTORY_DAYS,
  ),
  logLevel: setting(
    '--log-level <level>  trace, debug, info, warn, error, fatal or silent (default: info)',
    kinds.logLevel,
    'info',
  ),
  metrics: unset(
    '--metrics <host:port>  serve numbers for Prometheus there, at /metrics (default: nowhere)',
    kinds.address,
  ),
  trustProxy: setting(
    '--trust-proxy <cidr...>  addresses or networks of proxies whose X-Forwarded-For is believed (default: none)',
    kinds.networks,
    [],
  ),
  webhookNetworks: setting(
    '--webhook-network <cidr...>  addresses or networks that webhooks may go to beside the internet (default: none)',
    kinds.networks,
    [],
  ),
  secondFactorRoles: setting(
    '--second-factor <roles>  roles whose users must have a second factor to sign in, separated by commas (default: none)',
    kinds.roles,
    [],
  ),
  oidcIssuer: unset(
    '--oidc-issuer <url>  OpenID Connect provider at which people sign in, as it names itself',
    kinds.issuer,
  ),
  oidcClientId: unset('--oidc-client-id <id>  what that provider calls the container', kinds.text),
  oidcClientSecret: unset('--oidc-client-secret <text>', kinds.secret),
  oidcMapping: unset('--oidc-mapping <file>  what the claims of that provider make of a person', kinds.file),
  passwords: setting(
    '--passwords <on|off>  whether people can sign in with a password of the container (default: on)',
    kinds.onOff,
    true,
  ),
  /** In all processes together: enough for some hundred browsers behind one router. */
  connections: setting(
    '--connections <number>  connections that one address, proxies apart, may have open at a time (default: 1000)',
    kinds.connections,
    1000,
  ),
  /** A two-hundredth of a process's time, so that waiting for it does not show in the p99 of others. */
  senderBudget: setting(
    '--sender-budget <ms>  milliseconds in a second that each process gives to the long bodies and refused requests of one sender (default: 5)',
    kinds.milliseconds,
    5,
  ),
  postQuota: setting(
    '--post-quota <MB>  what one app may post to one record in a day (default: 64)',
    kinds.quota,
    64 * MB,
  ),
  textLimit: setting(
    '--text-limit <KB>  what a scratchpad or preferences may hold, at most 1024 (default: 1024)',
    kinds.kilobytes,
    MB,
  ),
  oauthDebug: setting('--oauth-debug  explain signatures to signers at /oauth/debug', kinds.yesOrNo, false),
} satisfies Record<string, Setting<unknown>>;

/** The settings of one command, merged from all sources, with absolute paths. */
export type Settings = {
  readonly [P in Exclude<keyof typeof table, 'queries'>]: (typeof table)[P] extends Setting<infer T>
    ? T
    : never;
} & { readonly queries: Folders };

/** Builds the settings by looking up each of them. */
export function eachSetting(find: (setting: Setting<unknown>) => unknown): Settings {
  const found = Object.fromEntries(Object.entries(table).map(([key, setting]) => [key, find(setting)]));
  return withQueries(found as Omit<Settings, 'queries'> & { readonly queries?: Folders | undefined });
}

function withQueries<T extends { readonly ontology: Folders; readonly queries?: Folders | undefined }>(
  found: T,
) {
  return { ...found, queries: found.queries ?? queriesOf(found.ontology) };
}

const { queries: _, ...defaults } = eachSetting(({ fallback }) => fallback);

/** The settings to start a container with; those with a default are optional. */
export interface ContainerSettings extends Partial<
  Omit<Settings, 'data' | 'containerAccess' | 'analysts' | 'examples' | `oidc${string}`>
> {
  readonly data: string;
  readonly containerAccess: 'open' | 'signed';
  readonly version: string;
  /** Answers the queries of analysts, in a separate process. Default: no queries. */
  readonly analysts?: AnalystSettings | undefined;
  /** The identity provider of an organisation. Default: people have passwords alone. */
  readonly signOn?: SignOnSettings | undefined;
  /** Serves the example apps beside demo data; not for a container that others can reach. Default: no apps. */
  readonly examples?: Examples | undefined;
  /** The manifests of the example apps, where they are not served: then nobody is offered one. Default: none. */
  readonly unservedApps?: readonly AppManifest[];
  /** Milliseconds before each further attempt of a failed webhook. Default: ten attempts in three days. */
  readonly webhookDelays?: readonly number[];
  /** Called once the data directory exists, before anything is stored in it. */
  readonly madeDirectory?: () => Promise<void>;
  /** The socket of the analyst process; set by the first process for those that serve. */
  readonly analystSocket?: string;
  /** The model that the first process checked, for those that serve. */
  readonly checkedModel?: CheckedModel;
  /** Listens only once searches can be answered, for a process that replaces another. Needs a port. */
  readonly listenLast?: boolean;
  readonly log?: Logger;
}

export type AllSettings = ReturnType<typeof allSettings>;

export function allSettings(given: ContainerSettings) {
  const absent = { analysts: undefined, examples: undefined, signOn: undefined, unservedApps: [] };
  return withQueries({ ...defaults, ...absent, ...given });
}

export interface AnalystLimits {
  readonly timeout: number;
  /** Time for a client to read an answer. */
  readonly delivery: number;
  readonly rows: number;
  readonly queryBytes: number;
  /** Queries that run, wait, and run for one person. */
  readonly running: number;
  readonly waiting: number;
  readonly perPerson: number;
}

export interface AnalystSettings {
  /** Bytes of memory for each level of the data. Default: a quarter of the machine's. */
  readonly memoryBytes?: number | undefined;
  readonly limits?: Partial<AnalystLimits>;
  readonly engine?: EngineSettings | undefined;
}

/** Another SPARQL server, with a dataset for each level. `{level}` in its URLs stands for the level. */
export interface EngineSettings {
  readonly query: string;
  readonly update: string;
  readonly credentials: string | undefined;
  readonly place: string | undefined;
}

export interface Examples {
  readonly program: string;
  /** The seed folder with the records and apps of the demo data. */
  readonly seed: string;
  /** Whether the user asked for them, so that failing to serve them is an error. */
  readonly isAsked?: boolean;
}
