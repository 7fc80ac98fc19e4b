import { isObject } from '../rdf/json-object.js';
import { parseUrl } from '../rdf/parse-url.js';
import { methods } from '../ontology/answer-forms.js';
import { appModes } from './apps.js';
import { isAppId } from './account-ids.js';

/** Says what is wrong with a value, as the end of a sentence that begins with its key. */
type Check = (value: unknown) => string | undefined;

interface ManifestKey {
  /** `for-people`: required unless the app is a background one. */
  readonly required: boolean | 'for-people';
  readonly check: Check;
}

// Scheme; host and port, or nothing; then a path, query or fragment that does not end a sentence.
const URL_HOST = /^[\w-]+:\/\/(?:[\w-]+(?:\.[\w-]+)*(?::\d+)?)?/;
const URL_REST = /^[/?#][\w\-.?,'/\\+&%$#=~;]*$/;

/** Schemes whose URLs are programs or pages of their own: they would run as the page that links to them. */
const EXECUTABLE = /^(?:javascript|data|vbscript):/i;

/** Whether a text has the URL form that manifests of this API are held to; it is narrower than RFC 3986. */
export function isManifestUrl(text: string): boolean {
  const start = URL_HOST.exec(text)?.[0];
  if (start === undefined || EXECUTABLE.test(text)) return false;
  const rest = text.slice(start.length);
  if (rest === '') return !start.endsWith('/');
  return URL_REST.test(rest) && !/[.,]$/.test(rest);
}

/** Whether a browser on this machine alone would go there: http shows what is sent to whoever listens. */
const LOOPBACK = /^http:\/\/(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3})(?:[:/?#]|$)/i;

/** Whether a manifest may send browsers to a URL: by https, or by http to an app on the same machine. */
export function isAppAddress(text: string): boolean {
  return (
    isManifestUrl(text) &&
    parseUrl(text) !== undefined &&
    (/^https:\/\/\w/i.test(text) || LOOPBACK.test(text))
  );
}

// XML 1.0 §2.2: what these match cannot be written in RDF/XML, where names and descriptions end up.
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
  url(value) ??
  (isAppAddress(value as string) ? undefined : 'must be an https address, or an http one of localhost');
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

const environments = listOf(oneOf(['desktop', 'tablet', 'mobile']));
const SMART_VERSION = /^\d+(?:\.\d+){0,2}$/;

/** Every key of an app manifest with its rule, in the order in which problems are told. */
export const manifestKeys: Readonly<Record<string, ManifestKey>> = {
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
};

/** Keys that only an app for people has; a background app may still have an icon. */
export const MODE_ONLY: ReadonlySet<string> = new Set([
  'index',
  'oauth_callback',
  'optimalBrowserEnvironments',
  'supportedBrowserEnvironments',
]);
