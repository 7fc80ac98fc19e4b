import { parseUrl } from '../../rdf/parse-url.js';
import { percentEncode } from '../percent.js';

/**
 * Adds parameters to a URL of an app (RFC 5849 §2.2): to its query, which stays, and before its fragment.
 * @param url of any scheme
 */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const added = Object.entries(parameters)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return address + joint + added + fragment;
}

/** The origin of a URL of an app; of another scheme than the web's, the scheme with its colon; '' where browsers read no URL. */
export function originOrScheme(url: string): string {
  // Manifests are held to a form of their own: it lets port 99999 pass.
  const parsed = parseUrl(url);
  if (!parsed) return '';
  const { origin, protocol } = parsed;
  return origin === 'null' ? protocol : origin;
}
