import { clinicianModes } from '../store/disk/clinician-mode.js';
import { isIP } from 'node:net';
import { delimiter, resolve } from 'node:path';
import { userRoles, type UserRole } from '../access/accounts/users.js';
import { parseUrl } from '../rdf/parse-url.js';
import { shipped, SHIPPED } from './layer-folders.js';

export interface Kind<T> {
  hint: string;
  choices?: readonly string[];
  /** Whether its flag may be given several times. */
  isRepeated?: boolean;
  /** Whether a value must not be shown, since it may contain a password. */
  isSecret?(given: unknown): boolean;
  /** Converts a value for the program; undefined if it is invalid. @param cwd base of relative paths */
  read(given: unknown, cwd: string): T | undefined;
}

/** A setting that the command line, the environment or chartgraph.config.json may set. */
export interface Setting<T> {
  /** In commander's syntax. An option of `serve` also has its help text, after two spaces. */
  readonly option: string;
  readonly kind: Kind<unknown>;
  readonly fallback: T;
  readonly helpOff: string | undefined;
}

export function setting<T>(option: string, kind: Kind<T>, fallback: T, helpOff?: string): Setting<T> {
  return { option, kind, fallback, helpOff };
}

export function unset<T>(option: string, kind: Kind<T>, helpOff?: string): Setting<T | undefined> {
  return { option, kind, fallback: undefined, helpOff };
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const MB = 1024 * 1024;

/**
 * The kinds of settings. Values are text in flags and the environment, JSON in the file. Sizes are given in the unit of
 * their hint and converted to bytes, durations to milliseconds.
 */
export const kinds = {
  text: { hint: 'text', read: text },
  ontologies: folders('ontology'),
  queries: folders('queries'),
  /** `false` disables the feature. */
  folderOrFalse: {
    hint: 'a folder or false',
    read: (given, cwd) => (given === false || given === 'false' ? false : folder(given, cwd)),
  },
  store: {
    hint: 'the address of a PostgreSQL database, such as postgres://user@host1,host2/name',
    isSecret: () => true,
    read: (given) => (/^postgres(?:ql)?:\/\/[^\s]+$/u.test(text(given) ?? '') ? text(given) : undefined),
  },
  secret: { hint: 'text', isSecret: () => true, read: text },
  /** User and password (RFC 7617) without control characters, or a bearer token (RFC 6750). */
  credentials: {
    hint: 'user:password, or a bearer token',
    isSecret: () => true,
    read: (given) =>
      /^(?:[^:\u0000-\u001f\u007f]+:[^\u0000-\u001f\u007f]*|[\w.~+/-]+=*)$/u.test(text(given) ?? '')
        ? text(given)
        : undefined,
  },
  port: whole(0, 65_535),
  /** Enough for a large machine; starting more could overwhelm a small one. */
  workers: whole(1, 64),
  megabytes: whole(0, 65_536, 'megabytes', MB),
  quota: whole(1, 65_536, 'megabytes', MB),
  kilobytes: whole(1, 1024, 'kilobytes', 1024),
  milliseconds: whole(1, 1000, 'milliseconds'),
  seconds: whole(1, 3600, 'seconds', 1000),
  connections: whole(1, 100_000),
  days: whole(1, 3650, 'days', 24 * 60 * 60 * 1000),
  retention: whole(1, 36_500, 'days'),
  history: {
    hint: 'a whole number of days from 1 to 36500, all or off',
    read: (given) => (given === 'all' || given === 'off' ? given : integer(given, 1, 36_500)),
  },
  logLevel: {
    hint: 'trace, debug, info, warn, error, fatal or silent',
    read: (given) => logLevels.find((level) => level === given),
  },
  url: {
    hint: 'an http or https URL without user, password, query and fragment',
    isSecret: (given) => text(given)?.includes('@') ?? false,
    read: url,
  },
  /** May contain `{level}`, and a query. */
  engineUrl: {
    hint: 'an http or https URL without user and password',
    isSecret: (given) => text(given)?.includes('@') ?? false,
    read: engineUrl,
  },
  /** Kept as it is written: a slash at its end tells issuers apart. */
  issuer: {
    hint: 'an https URL, or an http URL of this machine, without user, password, query and fragment',
    isSecret: (given) => text(given)?.includes('@') ?? false,
    read: (given) => (isConfidential(url(given) ?? '') ? text(given) : undefined),
  },
  file: { hint: 'a file', read: folder },
  iri: {
    hint: 'an absolute IRI, such as urn:example:patients',
    read: (given) =>
      parseUrl(text(given) ?? '') && !/[\s<>"{}|\\^`]/u.test(text(given) ?? '') ? text(given) : undefined,
  },
  access: {
    hint: 'open or signed',
    choices: ['open', 'signed'],
    read: (given) => (given === 'open' || given === 'signed' ? given : undefined),
  },
  clinicians: {
    hint: 'all or related',
    choices: clinicianModes,
    read: (given) => clinicianModes.find((mode) => mode === given),
  },
  address: { hint: 'HOST:PORT, such as 127.0.0.1:9100', read: address },
  yesOrNo: { hint: 'true or false', read: yesOrNo },
  onOff: {
    hint: 'on or off',
    choices: ['on', 'off'],
    read: (given) => (given === 'on' ? true : given === 'off' ? false : yesOrNo(given)),
  },
  origins: {
    isRepeated: true,
    hint: 'origins like https://app.example.org, separated by commas',
    read: listOf(isOrigin),
  },
  networks: {
    hint: 'addresses or networks like 10.0.0.0/8 or fd00::/8, separated by commas',
    read: listOf(isNetwork),
  },
  roles: {
    hint: `roles (${userRoles.join(', ')}), separated by commas`,
    read: listOf((part): part is UserRole => (userRoles as readonly string[]).includes(part)),
  },
} as const satisfies Record<string, Kind<unknown>>;

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/u.test(host);

/** Whether nobody on the network can read what is sent to a URL: https, or http on this machine. */
export function isConfidential(url: string): boolean {
  const parsed = parseUrl(url);
  return parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
}

function text(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined;
}

function folder(given: unknown, cwd: string): string | undefined {
  const path = text(given);
  return path === undefined ? undefined : resolve(cwd, path);
}

/** One folder or several: of flags and the file as a list, of the environment as in PATH. */
function folders(name: string): Kind<readonly string[]> {
  return {
    hint: `a folder, or several${name === 'ontology' ? ', the lowest layer first' : ''}`,
    isRepeated: true,
    read: (given, cwd) => {
      const parts: unknown[] = typeof given === 'string' ? given.split(delimiter) : [given].flat();
      const found = parts.map((part) => (part === SHIPPED ? shipped(name) : folder(part, cwd)));
      return found.every((each) => each !== undefined) && found.length > 0 ? found : undefined;
    },
  };
}

function whole(least: number, most: number, unit?: string, size = 1): Kind<number> {
  return {
    hint: `a whole number${unit === undefined ? '' : ` of ${unit}`} from ${least} to ${most}`,
    read: (given) => integer(given, least, most, size),
  };
}

function integer(given: unknown, least: number, most: number, unit = 1): number | undefined {
  const digits = typeof given === 'number' ? String(given) : text(given);
  if (digits === undefined || !/^\d{1,9}$/u.test(digits)) return undefined;
  const number = Number(digits);
  return number >= least && number <= most ? number * unit : undefined;
}

const booleans: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  false: false,
  '0': false,
  no: false,
};

function yesOrNo(given: unknown): boolean | undefined {
  return booleans[String(given).toLowerCase()];
}

/** Reads a host and a port; an IPv6 address is in brackets. */
function address(given: unknown): { host: string; port: number } | undefined {
  const [, v6, name, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/u.exec(text(given) ?? '') ?? [];
  const host = v6 ?? name;
  const port = integer(digits, 0, 65535);
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** Removes slashes at the end: paths are appended to the URL as text. */
function url(given: unknown): string | undefined {
  const parsed = typeof given === 'string' ? parseUrl(given) : undefined;
  if (typeof given !== 'string' || !parsed) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = parsed;
  const web = protocol === 'http:' || protocol === 'https:';
  if (!web || username !== '' || password !== '' || search !== '' || hash !== '' || /[?#]/u.test(given))
    return undefined;
  return (origin + pathname).replace(/\/+$/u, '');
}

function engineUrl(given: unknown): string | undefined {
  const parsed = parseUrl((text(given) ?? '').replaceAll('{level}', 'level'));
  const isFit =
    /^https?:$/u.test(parsed?.protocol ?? '') && parsed?.username === '' && parsed.password === '';
  return isFit && parsed.hash === '' ? text(given) : undefined;
}

function listOf<T extends string>(
  fits: ((part: string) => part is T) | ((part: string) => boolean),
): (given: unknown) => readonly T[] | undefined {
  return (given) => {
    const parts: unknown[] = typeof given === 'string' ? [given] : Array.isArray(given) ? given : [undefined];
    if (!parts.every((part) => typeof part === 'string')) return undefined;
    const all = parts.flatMap((part) => part.split(',')).map((part) => part.trim());
    const found = all.filter((part) => part !== '');
    return found.every(fits) ? (found as T[]) : undefined;
  };
}

function isOrigin(text: string): boolean {
  return /^https?:/u.test(text) && parseUrl(text)?.origin === text;
}

/** Whether text is an IP address or CIDR network; one of all addresses would trust everybody, so it is refused. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (most === 0 || more.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/u.test(bits) && Number(bits) <= most);
}
