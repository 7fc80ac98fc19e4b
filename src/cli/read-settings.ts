import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { isConfidential, isLoopback, kinds, type Kind, type Setting } from '../http/setting-kinds.js';
import { servedFolders } from '../http/layer-folders.js';
import { eachSetting, table, type Settings } from '../http/serve-settings.js';
import { isObject } from '../rdf/json-object.js';
import { parseJson, readText } from './argument-values.js';
import { UsageError } from './command-errors.js';

export type { Settings } from '../http/serve-settings.js';

const names = Object.values(table).map(nameOf);

const repeated: ReadonlySet<string> = new Set(
  Object.values<Setting<unknown>>(table).flatMap((each) => (each.kind.isRepeated ? `--${nameOf(each)}` : [])),
);

function nameOf({ option }: Setting<unknown>): string {
  return (option.split(' ')[0] ?? '').slice('--'.length);
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

/**
 * Merges the settings: flags (commander's options), then `CHARTGRAPH_*` variables, then chartgraph.config.json in the
 * working directory, then what the container of the data directory serves, then defaults. @throws UsageError for an invalid value or an unknown key
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  { env, cwd }: Surroundings = { env: process.env, cwd: process.cwd() },
  isServing = false,
): Settings {
  const config = readConfigFile(cwd);
  const givenAs = (name: string): Given | undefined =>
    fromFlags(flags, name) ?? fromEnvironment(env, name) ?? fromConfig(config, name);
  const data = resolve(cwd, String(givenAs('data')?.value ?? table.data.fallback));
  const served = isServing || givenAs('ontology') !== undefined ? {} : servedFolders(data);
  const fromServed = (name: string): Given | undefined =>
    Object.hasOwn(served, name) ? { value: served[name], source: `layers.json in ${data}` } : undefined;
  const valueOf = (setting: Setting<unknown>): unknown => {
    const name = nameOf(setting);
    const given = givenAs(name) ?? fromServed(name);
    return given === undefined ? setting.fallback : usable(setting.kind, given, cwd);
  };
  const settings = eachSetting(valueOf);
  return { ...settings, data: resolve(cwd, settings.data) };
}

/** Adds the settings that are options of `serve`. */
export function addSettings(command: Command): void {
  for (const setting of Object.values(table)) {
    const { kind, helpOff } = setting;
    const [flags = '', help] = setting.option.split('  ');
    if (help === undefined) continue;
    const option = new Option(flags, help);
    if (kind.choices) option.choices(kind.choices);
    command.addOption(option);
    if (helpOff !== undefined) command.option(`--no-${nameOf(setting)}`, helpOff);
  }
}

/** Lets the flags that may be given several times keep all their values. */
export function keepRepeated(command: Command): void {
  for (const option of command.options)
    if (repeated.has(option.long ?? ''))
      option.argParser((value, others: string[] = []) => [...others, value]);
  for (const each of command.commands) keepRepeated(each);
}

/** @throws UsageError for credentials that would go to another machine in the clear */
export function requireSecret(credentials: string | undefined, urls: readonly string[], name: string): void {
  if (credentials === undefined || urls.every((url) => isConfidential(url.replaceAll('{level}', 'level'))))
    return;
  throw new UsageError(
    `${name} goes to other machines by https only: use https, or leave the credentials out.`,
  );
}

function isLocal({ host, baseUrl }: Settings): boolean {
  return isLoopback(host) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
}

/** Whether to serve the example apps, which show data to anybody. @throws UsageError if requested for others */
export function mayServeExamples(settings: Settings): boolean {
  const may = isLocal(settings) && settings.store === undefined;
  if (may || settings.examples !== true) return may && settings.examples !== false;
  throw new UsageError(
    'The example apps are served on this machine alone, beside a data directory: leave --examples, --host, --base-url or --store out.',
  );
}

/** Returns who may call outside records. @throws UsageError without a choice, if others can connect */
export function containerAccessOf(settings: Settings): 'open' | 'signed' {
  if (settings.containerAccess !== undefined) return settings.containerAccess;
  if (isLocal(settings)) return 'open';
  throw new UsageError(
    'Others than this machine can reach the container: choose --container-access signed, or open if everybody may search its patients and users.',
  );
}

/** Returns the base URL of new IRIs: the configured one, else the local port. */
export function baseUrlOf(settings: Settings): string {
  return settings.baseUrl ?? `http://localhost:${settings.port}`;
}

interface Given {
  value: unknown;
  source: string;
}

/** Converts a value. @throws UsageError if it is invalid */
function usable(kind: Kind<unknown>, { value, source }: Given, cwd: string): unknown {
  const checked = kind.read(value, cwd);
  if (checked !== undefined) return checked;
  const instead = kind.isSecret?.(value) ? '' : `, not ${JSON.stringify(value)}`;
  throw new UsageError(`${source} must be ${kind.hint}${instead}.`);
}

function fromFlags(flags: Readonly<Record<string, unknown>>, name: string): Given | undefined {
  const value = flags[camelCase(name)];
  return value === undefined ? undefined : { value, source: `--${name}` };
}

function fromEnvironment(env: Surroundings['env'], name: string): Given | undefined {
  const variable = variableOf(name);
  const value = env[variable];
  const isGiven = value !== undefined && value !== '' && !isServiceLink(env, variable);
  if (isGiven) return { value, source: variable };
  return name === 'seed' ? fromNoSeed(env) : undefined;
}

const variableOf = (name: string): string => `CHARTGRAPH_${name.toUpperCase().replaceAll('-', '_')}`;

/** --no-seed is a separate flag, so it has its own variable. */
const NO_SEED = 'CHARTGRAPH_NO_SEED';

export const settingVariables: readonly string[] = [...names.map(variableOf), NO_SEED];

function fromNoSeed(env: Surroundings['env']): Given | undefined {
  const given = { value: env[NO_SEED], source: NO_SEED };
  if (given.value === undefined || given.value === '') return undefined;
  return usable(kinds.yesOrNo, given, '') === true ? { ...given, value: false } : undefined;
}

function fromConfig(config: ReadonlyMap<string, unknown>, name: string): Given | undefined {
  return config.has(name) ? { value: config.get(name), source: `${name} in ${CONFIG_FILE}` } : undefined;
}

const CONFIG_FILE = 'chartgraph.config.json';

/** Reads chartgraph.config.json, if it exists, by setting; keys may be in camelCase. @throws UsageError */
function readConfigFile(cwd: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const file = join(cwd, CONFIG_FILE);
  if (!existsSync(file)) return found;
  const members = parseJson(readText(file), CONFIG_FILE, UsageError);
  if (!isObject(members)) throw new UsageError(`${CONFIG_FILE} must hold one JSON object.`);
  for (const [key, value] of Object.entries(members)) {
    const name = names.find((each) => each === key || camelCase(each) === key);
    if (name === undefined) {
      throw new UsageError(
        `${CONFIG_FILE} has an unknown key ${JSON.stringify(key)}; known are ${names.join(', ')}.`,
      );
    }
    if (found.has(name)) throw new UsageError(`${CONFIG_FILE} gives ${name} twice.`);
    found.set(name, value);
  }
  return found;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

/**
 * Variables that Kubernetes sets for services in a pod's namespace; for one called `chartgraph` they look like
 * settings. https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const NAME = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/u;
const ADDRESS = /^(?:tcp|udp|sctp):\/\//u;

/** Whether Kubernetes made it, as `CHARTGRAPH_PORT=tcp://10.0.0.11:7000` with `CHARTGRAPH_SERVICE_HOST`. */
export function isServiceLink(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  const ending = ADDRESS.test(env[name] ?? '') && name.endsWith('_PORT') ? /_PORT$/u : NAME;
  const service = name.replace(ending, '');
  return service !== name && env[`${service}_SERVICE_HOST`] !== undefined;
}
