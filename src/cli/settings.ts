import { resolve } from 'node:path';
import { HISTORY_DAYS, type HistoryLength } from '../store/history.js';
import { ACCESS_LOG_DAYS } from '../access-log/access-log-days.js';
import { camelCase, CONFIG_FILE, readConfigFile } from './config-file.js';
import { UsageError } from './command-errors.js';
import { shipped } from './package.js';
import { isServiceLink } from './service-links.js';
import { kinds, type Kind } from './setting-kinds.js';

/** Every setting by the name of its flag: what its value may be and what holds where nobody says anything. */
const table = {
  data: { kind: kinds.text, fallback: 'data' },
  store: { kind: kinds.store, fallback: undefined },
  seal: { kind: kinds.onOff, fallback: undefined },
  host: { kind: kinds.text, fallback: '127.0.0.1' },
  port: { kind: kinds.port, fallback: 7000 },
  'base-url': { kind: kinds.url, fallback: undefined },
  seed: { kind: kinds.textOrFalse, fallback: shipped('seed') },
  ontology: { kind: kinds.text, fallback: shipped('ontology') },
  queries: { kind: kinds.text, fallback: shipped('queries') },
  workers: { kind: kinds.workers, fallback: undefined },
  'container-access': { kind: kinds.access, fallback: undefined },
  name: { kind: kinds.text, fallback: 'Chartgraph' },
  description: { kind: kinds.text, fallback: 'A health record container' },
  admin: { kind: kinds.text, fallback: '' },
  'token-lifetime': { kind: kinds.days, fallback: 30 },
  'oauth-debug': { kind: kinds.yesOrNo, fallback: false },
  memory: { kind: kinds.quota, fallback: undefined },
  analysts: { kind: kinds.onOff, fallback: true },
  examples: { kind: kinds.yesOrNo, fallback: undefined },
  'analyst-timeout': { kind: kinds.seconds, fallback: 30 },
  'analyst-memory': { kind: kinds.quota, fallback: undefined },
  'mirror-credentials': { kind: kinds.credentials, fallback: undefined },
  'cache-size': { kind: kinds.megabytes, fallback: 64 },
  'cors-origin': { kind: kinds.origins, fallback: [] },
  metrics: { kind: kinds.address, fallback: undefined },
  'access-log-days': { kind: kinds.retention, fallback: ACCESS_LOG_DAYS },
  history: { kind: kinds.history, fallback: HISTORY_DAYS },
  'log-level': { kind: kinds.logLevel, fallback: 'info' },
  'trust-proxy': { kind: kinds.networks, fallback: [] },
  'webhook-network': { kind: kinds.networks, fallback: [] },
  'second-factor': { kind: kinds.roles, fallback: [] },
  connections: { kind: kinds.connections, fallback: 1000 },
  'sender-budget': { kind: kinds.milliseconds, fallback: 5 },
  'post-quota': { kind: kinds.quota, fallback: 64 },
  'text-limit': { kind: kinds.kilobytes, fallback: 1024 },
} as const satisfies Record<string, { kind: Kind<unknown>; fallback: unknown }>;

type SettingName = keyof typeof table;
const names = Object.keys(table) as SettingName[];

/** Where settings come from besides the flags. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

/**
 * Merges the settings: flags (as the options object of commander: camelCase names), then `CHARTGRAPH_*` in the
 * environment, then chartgraph.config.json in the working directory, then what is shipped.
 * Throws UsageError for a value that cannot be used and for an unknown key of the file.
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  { env, cwd }: Surroundings = { env: process.env, cwd: process.cwd() },
) {
  const config = readConfigFile(cwd, names);
  const value = <N extends SettingName>(name: N): (typeof table)[N]['fallback'] | Checked<N> => {
    const { kind, fallback }: { kind: Kind<unknown>; fallback: unknown } = table[name];
    const given = fromFlags(flags, name) ?? fromEnvironment(env, name) ?? fromConfig(config, name);
    if (given === undefined) return fallback as (typeof table)[N]['fallback'];
    return usable(kind, given) as Checked<N>;
  };
  const folder = value('seed');
  const seed: string | false = folder === false ? false : resolve(cwd, folder);
  const containerAccess: 'open' | 'signed' | undefined = value('container-access');
  const history: HistoryLength = value('history');
  return {
    /** The data directory. */
    data: resolve(cwd, value('data')),
    /** The address of a PostgreSQL database of which the data directory holds a copy. */
    store: value('store'),
    /** Whether what records say is sealed in a new data directory; undefined = yes, and what an older one has chosen. */
    seal: value('seal'),
    host: value('host'),
    /** TCP port; 0 = any free one. */
    port: value('port'),
    /** Without a slash at the end; undefined = made from the port. */
    baseUrl: value('base-url'),
    /** The folder loaded on the first start; false = none. */
    seed,
    ontology: resolve(cwd, value('ontology')),
    queries: resolve(cwd, value('queries')),
    workers: value('workers'),
    /** Undefined where nobody chose. */
    containerAccess,
    name: value('name'),
    description: value('description'),
    admin: value('admin'),
    /** How long access tokens live, in milliseconds; the setting is in days. */
    tokenLifetime: value('token-lifetime') * 24 * 60 * 60 * 1000,
    /** Whether /oauth/debug explains signatures. */
    oauthDebug: value('oauth-debug'),
    /** What the data in memory may take, in bytes; the setting is in megabytes. Undefined = a part of what there is. */
    memoryBytes: megabytes(value('memory')),
    /** Whether analysts can ask queries. */
    analysts: value('analysts'),
    /** Whether the example apps are served beside demo data; undefined = where they can be. */
    examples: value('examples'),
    /** How long a query of theirs may run, in milliseconds; the setting is in seconds. */
    analystTimeout: value('analyst-timeout') * 1000,
    /** What each level of their data may take, in bytes; the setting is in megabytes. Undefined = a part of what there is. */
    analystMemoryBytes: megabytes(value('analyst-memory')),
    /** What a mirror on another server is written with: `user:password`, or a bearer token. */
    mirrorCredentials: value('mirror-credentials'),
    /** What each process keeps of answers, in bytes; the setting is in megabytes. */
    cacheBytes: value('cache-size') * 1024 * 1024,
    /** Origins whose scripts may read answers. */
    corsOrigins: value('cors-origin'),
    /** Where monitors get numbers; undefined = nowhere. */
    metrics: value('metrics'),
    /** How long entries of the access log are kept, in days. */
    accessLogDays: value('access-log-days'),
    /** How long the history of records is kept: in days, for ever, or not at all. */
    history,
    logLevel: value('log-level'),
    /** Proxies whose X-Forwarded-For is believed. */
    trustProxy: value('trust-proxy'),
    /** Networks that webhooks may go to beside the internet. */
    webhookNetworks: value('webhook-network'),
    /** Roles whose users must have a second factor. */
    secondFactorRoles: value('second-factor'),
    /** Connections that one address may have open. */
    connections: value('connections'),
    /** Milliseconds in a second for the long bodies and refused requests of one sender. */
    senderBudget: value('sender-budget'),
    /** What one app may post to one record in a day, in bytes; the setting is in megabytes. */
    postQuota: value('post-quota') * 1024 * 1024,
    /** What a stored text may hold, in bytes; the setting is in kilobytes. */
    textLimit: value('text-limit') * 1024,
  };
}

/** The settings of one call, all sources merged; paths are absolute. */
export type Settings = ReturnType<typeof readSettings>;

const megabytes = (count: number | undefined): number | undefined =>
  count === undefined ? undefined : count * 1024 * 1024;

/** Addresses that only this machine reaches. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/u.test(host);

/** Whether only this machine can ask. */
function isLocal({ host, baseUrl }: Settings): boolean {
  return isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
}

/**
 * Whether the example apps may be served: they show what they read to whoever opens them.
 * @throws UsageError where they are asked for and others than this machine could open them
 */
export function mayServeExamples(settings: Settings): boolean {
  const may = isLocal(settings) && settings.store === undefined;
  if (may || settings.examples !== true) return may && settings.examples !== false;
  throw new UsageError(
    'The example apps are served on this machine alone, beside a data directory: leave --examples, --host, --base-url or --store out.',
  );
}

/**
 * Who may make the calls outside records: where nobody chose, everybody as long as only this machine can ask.
 * @throws UsageError off this machine without a choice: the searches show who the patients are
 */
export function containerAccessOf(settings: Settings): 'open' | 'signed' {
  if (settings.containerAccess !== undefined) return settings.containerAccess;
  if (isLocal(settings)) return 'open';
  throw new UsageError(
    'Others than this machine can reach the container: choose --container-access signed, or open if everybody may search its patients and users.',
  );
}

/** The base URL under which IRIs are made: the configured one, else the local port. */
export function baseUrlOf(settings: Settings): string {
  return settings.baseUrl ?? `http://localhost:${settings.port}`;
}

type Checked<N extends SettingName> = (typeof table)[N]['kind'] extends Kind<infer T> ? T : never;
interface Given {
  value: unknown;
  source: string;
}

/** A value as the program uses it. @throws UsageError where it cannot be used */
function usable<T>(kind: Kind<T>, { value, source }: Given): T {
  const checked = kind.read(value);
  if (checked !== undefined) return checked;
  const instead = kind.isSecret?.(value) ? '' : `, not ${JSON.stringify(value)}`;
  throw new UsageError(`${source} must be ${kind.hint}${instead}.`);
}

function fromFlags(flags: Readonly<Record<string, unknown>>, name: SettingName): Given | undefined {
  const value = flags[camelCase(name)];
  return value === undefined ? undefined : { value, source: `--${name}` };
}

function fromEnvironment(env: Surroundings['env'], name: SettingName): Given | undefined {
  const variable = variableOf(name);
  const value = env[variable];
  const isGiven = value !== undefined && value !== '' && !isServiceLink(env, variable);
  if (isGiven) return { value, source: variable };
  return name === 'seed' ? fromNoSeed(env) : undefined;
}

const variableOf = (name: SettingName): string => `CHARTGRAPH_${name.toUpperCase().replaceAll('-', '_')}`;

/** --no-seed is a flag of its own, so it has a variable of its own. */
const NO_SEED = 'CHARTGRAPH_NO_SEED';

/** The environment variables that settings come from. */
export const settingVariables: readonly string[] = [...names.map(variableOf), NO_SEED];

function fromNoSeed(env: Surroundings['env']): Given | undefined {
  const source = NO_SEED;
  const value = env[source];
  if (value === undefined || value === '') return undefined;
  return usable(kinds.yesOrNo, { value, source }) ? { value: false, source } : undefined;
}

function fromConfig(config: ReadonlyMap<string, unknown>, name: SettingName): Given | undefined {
  return config.has(name) ? { value: config.get(name), source: `${name} in ${CONFIG_FILE}` } : undefined;
}
