import { methods } from '../../model/ontology/answer-forms.js';
import { isObject } from '../../rdf/json-object.js';
import { parseUrl } from '../../rdf/parse-url.js';
import { AccountError, isAppId } from './account-ids.js';
import { type AppMode, appModes } from './apps.js';

/** Checks a value; the result completes a sentence that begins with the key. */
type Check = (value: unknown) => string | undefined;

interface ManifestKey {
  readonly required: boolean | 'for-people';
  readonly check: Check;
}

// Scheme; host and port, or nothing; then a path, query or fragment without closing punctuation.
const URL_HOST = /^[\w-]+:\/\/(?:[\w-]+(?:\.[\w-]+)*(?::\d+)?)?/;
const URL_REST = /^[/?#][\w\-.?,'/\\+&%$#=~;]*$/;

/** Schemes whose URLs would run as script of the linking page. */
const EXECUTABLE = /^(?:javascript|data|vbscript):/i;

/** Checks the URL form of manifests, which is narrower than RFC 3986. */
export function isManifestUrl(text: string): boolean {
  const start = URL_HOST.exec(text)?.[0];
  if (start === undefined || EXECUTABLE.test(text)) return false;
  const rest = text.slice(start.length);
  if (rest === '') return !start.endsWith('/');
  return URL_REST.test(rest) && !/[.,]$/.test(rest);
}

/** Loopback addresses stay on this machine, so http exposes nothing. */
const LOOPBACK = /^http:\/\/(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3})(?:[:/?#]|$)/i;

function isAppAddress(text: string): boolean {
  return isManifestUrl(text) && parseUrl(text) !== undefined && /^https?:\/\/\w/i.test(text);
}

// XML 1.0 §2.2 excludes these, and names and descriptions end up in RDF/XML.
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be a text';
  return NO_XML.test(value) ? 'has a character that XML cannot carry' : undefined;
};

const matching =
  (fits: (value: string) => boolean, otherwise: string): Check =>
  (value) =>
    text(value) ?? (fits(value as string) ? undefined : otherwise);

const url = matching(isManifestUrl, 'must be a URL');
const address: Check = (value) =>
  url(value) ?? (isAppAddress(value as string) ? undefined : 'must be an https or http address');
const oneOf = (values: readonly string[]): Check =>
  matching((value) => values.includes(value), `must be one of ${values.join(', ')}`);

const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (new Set(value).size < value.length) return 'names something twice';
    const problem = value.map(check).find((found) => found !== undefined);
    return problem === undefined ? undefined : `has an entry that ${problem}`;
  };

const requirementKeys: Readonly<Record<string, Check>> = {
  methods: listOf(oneOf(methods)),
  codes: listOf(url),
};

const members = (value: unknown): [string, unknown][] | undefined =>
  isObject(value) ? Object.entries(value) : undefined;

const requirement: Check = (value) => {
  const entries = members(value);
  if (!entries) return 'must be an object';
  for (const [key, given] of entries) {
    const check = Object.hasOwn(requirementKeys, key) ? requirementKeys[key] : undefined;
    if (!check) return `has an unknown key ${JSON.stringify(key)}`;
    const problem = check(given);
    if (problem !== undefined) return `has ${key}, which ${problem}`;
  }
  return undefined;
};

const requires: Check = (value) => {
  const entries = members(value);
  if (!entries) return 'must be an object from class IRIs to what is needed of them';
  for (const [iri, needed] of entries) {
    if (!isManifestUrl(iri)) return `has the key ${JSON.stringify(iri)}, which is not a class IRI`;
    const problem = requirement(needed);
    if (problem !== undefined) return `for ${iri} ${problem}`;
  }
  return undefined;
};

/** Addresses that get codes and tokens: https, or this machine. */
const closedAddress: Check = (value) =>
  address(value) ??
  (/^https:/i.test(value as string) || LOOPBACK.test(value as string)
    ? undefined
    : 'must be an https address');

/** RFC 6749 §3.1.2: an address to return to has no fragment. */
const returnAddress: Check = (value) =>
  closedAddress(value) ?? ((value as string).includes('#') ? 'must have no part after a #' : undefined);

/** How an app proves to be itself to a SMART provider, by the names of RFC 7591. */
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const keySet: Check = (value) => {
  const keys = isObject(value) ? value['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isObject))
    return 'must be a JSON Web Key Set, an object whose keys are a list';
  if (keys.some((each) => PRIVATE.some((name) => name in each)))
    return 'has a private key; give its public half';
  return undefined;
};

const environments = listOf(oneOf(['desktop', 'tablet', 'mobile']));
const SMART_VERSION = /^\d+(?:\.\d+){0,2}$/;

const manifestKeys: Readonly<Record<string, ManifestKey>> = {
  id: {
    required: true,
    check: matching(isAppId, 'must have 1 to 64 letters, digits or . _ ~ - @ +, and be no reserved word'),
  },
  name: { required: true, check: text },
  description: { required: true, check: text },
  mode: { required: true, check: oneOf(appModes) },
  index: { required: 'for-people', check: address },
  icon: { required: 'for-people', check: address },
  oauth_callback: { required: false, check: address },
  scope: { required: false, check: oneOf(['record', 'container']) },
  author: { required: false, check: text },
  version: { required: false, check: text },
  smart_version: {
    required: false,
    check: matching((value) => SMART_VERSION.test(value), 'must be one to three numbers joined by dots'),
  },
  standalone: {
    required: false,
    check: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  },
  optimalBrowserEnvironments: { required: false, check: environments },
  supportedBrowserEnvironments: { required: false, check: environments },
  requires: { required: false, check: requires },
  smart_launch_url: { required: false, check: closedAddress },
  redirect_uris: { required: false, check: listOf(returnAddress) },
  token_endpoint_auth_method: { required: false, check: oneOf(authMethods) },
  jwks: { required: false, check: keySet },
};

const MODE_ONLY: ReadonlySet<string> = new Set([
  'index',
  'oauth_callback',
  'smart_launch_url',
  'redirect_uris',
  'optimalBrowserEnvironments',
  'supportedBrowserEnvironments',
]);

export interface AppManifest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly mode: AppMode;
  readonly index?: string;
  readonly icon?: string;
  readonly oauth_callback?: string;
  /** Where SMART App Launch starts the app, and where it may return to. */
  readonly smart_launch_url?: string;
  readonly redirect_uris?: readonly string[];
  readonly token_endpoint_auth_method?: (typeof authMethods)[number];
  readonly jwks?: { readonly keys: readonly object[] };
  readonly [key: string]: unknown;
}

class ManifestError extends AccountError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join(' '));
    this.name = 'ManifestError';
  }
}

/** @param value a parsed JSON value @returns one sentence per problem; empty for a valid app manifest */
export function manifestProblems(value: unknown): string[] {
  if (!isObject(value)) return ['An app manifest is a JSON object.'];
  const mode = value['mode'];
  const problems: string[] = [];
  for (const [key, { required, check }] of Object.entries(manifestKeys)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined) {
      if (required === true || (required === 'for-people' && mode !== 'background')) {
        problems.push(
          required === true ? `${key} is missing.` : `${key} is missing; only a background app has none.`,
        );
      }
    } else if (mode === 'background' && MODE_ONLY.has(key)) {
      problems.push(`${key} is not for a background app, which no person sees.`);
    } else {
      const problem = check(given);
      if (problem !== undefined) problems.push(`${key} ${problem}.`);
    }
  }
  if (value['token_endpoint_auth_method'] === 'private_key_jwt' && value['jwks'] === undefined)
    problems.push('jwks is missing; private_key_jwt proves a key of it.');
  if (value['smart_launch_url'] !== undefined && value['redirect_uris'] === undefined)
    problems.push('redirect_uris is missing; an app with smart_launch_url says where it may return to.');
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(manifestKeys, key));
  return [...problems, ...unknown.map((key) => `${JSON.stringify(key)} is not a key of an app manifest.`)];
}

/** The keys of a manifest whose addresses anybody on the way can read and change: http, and not of this machine. */
export function openAddresses(manifest: AppManifest): string[] {
  return ['index', 'icon', 'oauth_callback'].filter((key) => {
    const given = manifest[key];
    return typeof given === 'string' && /^http:/i.test(given) && !LOOPBACK.test(given);
  });
}

export function readManifest(value: unknown): AppManifest {
  const problems = manifestProblems(value);
  if (problems.length > 0) throw new ManifestError(problems);
  return value as AppManifest;
}
