import { parseUrl } from '../rdf/parse-url.js';
import { isIP } from 'node:net';
import { userRoles, type UserRole } from '../accounts/users.js';

/** What the value of a setting may be, and how to say so. */
export interface Kind<T> {
  hint: string;
  /** Whether what was given is never repeated: it may hold a password. */
  isSecret?(given: unknown): boolean;
  /** The value as the program uses it, or undefined where it cannot be used. */
  read(given: unknown): T | undefined;
}

/** The levels of pino. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The kinds of settings. Values come as text from flags and the environment, as JSON from the file. */
export const kinds = {
  text: { hint: 'text', read: text },
  /** `false` switches the thing off. */
  textOrFalse: {
    hint: 'a folder or false',
    read: (given) => (given === false || given === 'false' ? false : text(given)),
  },
  store: {
    hint: 'the address of a PostgreSQL database, such as postgres://user@host1,host2/name',
    isSecret: () => true,
    read: (given) => (/^postgres(?:ql)?:\/\/[^\s]+$/u.test(text(given) ?? '') ? text(given) : undefined),
  },
  /** Of RFC 7617, which a line of a header can carry, or of RFC 6750. */
  credentials: {
    hint: 'user:password, or a bearer token',
    isSecret: () => true,
    read: (given) =>
      /^(?:[^:\u0000-\u001f\u007f]+:[^\u0000-\u001f\u007f]*|[\w.~+/-]+=*)$/u.test(text(given) ?? '')
        ? text(given)
        : undefined,
  },
  port: { hint: 'a whole number from 0 to 65535', read: (given) => integer(given, 0, 65535) },
  /** More than a large machine has use for, and not yet so many that starting them takes a small one away. */
  workers: { hint: 'a whole number from 1 to 64', read: (given) => integer(given, 1, 64) },
  megabytes: {
    hint: 'a whole number of megabytes from 0 to 65536',
    read: (given) => integer(given, 0, 65536),
  },
  quota: {
    hint: 'a whole number of megabytes from 1 to 65536',
    read: (given) => integer(given, 1, 65536),
  },
  kilobytes: {
    hint: 'a whole number of kilobytes from 1 to 1024',
    read: (given) => integer(given, 1, 1024),
  },
  milliseconds: {
    hint: 'a whole number of milliseconds from 1 to 1000',
    read: (given) => integer(given, 1, 1000),
  },
  seconds: { hint: 'a whole number of seconds from 1 to 3600', read: (given) => integer(given, 1, 3600) },
  connections: { hint: 'a whole number from 1 to 100000', read: (given) => integer(given, 1, 100_000) },
  days: { hint: 'a whole number of days from 1 to 3650', read: (given) => integer(given, 1, 3650) },
  /** A hundred years are as good as for ever. */
  retention: { hint: 'a whole number of days from 1 to 36500', read: (given) => integer(given, 1, 36_500) },
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
  access: {
    hint: 'open or signed',
    read: (given) => (given === 'open' || given === 'signed' ? given : undefined),
  },
  address: { hint: 'HOST:PORT, such as 127.0.0.1:9100', read: address },
  yesOrNo: { hint: 'true or false', read: yesOrNo },
  onOff: {
    hint: 'on or off',
    read: (given) => (given === 'on' ? true : given === 'off' ? false : yesOrNo(given)),
  },
  /** A list, or text with commas. */
  origins: { hint: 'origins like https://app.example.org, separated by commas', read: listOf(isOrigin) },
  networks: {
    hint: 'addresses or networks like 10.0.0.0/8 or fd00::/8, separated by commas',
    read: listOf(isNetwork),
  },
  roles: {
    hint: `roles (${userRoles.join(', ')}), separated by commas`,
    read: listOf((part): part is UserRole => (userRoles as readonly string[]).includes(part)),
  },
} as const satisfies Record<string, Kind<unknown>>;

function text(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined;
}

function integer(given: unknown, least: number, most: number): number | undefined {
  const digits = typeof given === 'number' ? String(given) : text(given);
  if (digits === undefined || !/^\d{1,9}$/u.test(digits)) return undefined;
  const number = Number(digits);
  return number >= least && number <= most ? number : undefined;
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

/** A host, in brackets where it is an IPv6 address, and a port. */
function address(given: unknown): { host: string; port: number } | undefined {
  const [, v6, name, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/u.exec(text(given) ?? '') ?? [];
  const host = v6 ?? name;
  const port = integer(digits, 0, 65535);
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** The URL without slashes at its end: paths are appended to it as text. */
function url(given: unknown): string | undefined {
  const parsed = typeof given === 'string' ? parseUrl(given) : undefined;
  if (typeof given !== 'string' || !parsed) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = parsed;
  const web = protocol === 'http:' || protocol === 'https:';
  if (!web || username !== '' || password !== '' || search !== '' || hash !== '' || /[?#]/u.test(given))
    return undefined;
  return (origin + pathname).replace(/\/+$/u, '');
}

/** A reader of lists: an array, or text with commas. */
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

/** Whether text is an origin as browsers send it: no path, no default port, lower case. */
function isOrigin(text: string): boolean {
  return /^https?:/u.test(text) && parseUrl(text)?.origin === text;
}

/** Whether text is an IP address, or a network as CIDR writes it; a network of all addresses would trust everybody. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (most === 0 || more.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/u.test(bits) && Number(bits) <= most);
}
