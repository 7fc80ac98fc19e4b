import { percentDecode, type Parameter } from './percent.js';
import { SignatureRefusal } from './signature-refusal.js';

/** The parameters of an `Authorization: OAuth` header; the realm is no protocol parameter and stands apart. */
export interface AuthorizationHeader {
  readonly realm?: string | undefined;
  readonly parameters: readonly Parameter[];
}

// Sticky: each match begins where the last one ended, so that nothing between them is passed over.
const PARAMETER = /[ \t]*([^\s=",]+)="((?:[^"\\]|\\.)*)"[ \t]*(,|$)/y;

/**
 * Reads the value of an Authorization header (RFC 5849 §3.5.1).
 * @throws SignatureRefusal malformed for another scheme, a name that occurs twice, a broken percent-encoding, or
 * anything else that is not a list of name="value"
 */
export function readAuthorization(value: string): AuthorizationHeader {
  const scheme = /^OAuth[ \t]+/i.exec(value)?.[0];
  if (scheme === undefined) throw new SignatureRefusal('malformed');
  const parameters = new Map<string, string>();
  let realm: string | undefined;
  PARAMETER.lastIndex = scheme.length;
  for (let comma = ','; comma !== '';) {
    const match = PARAMETER.exec(value);
    if (!match) throw new SignatureRefusal('malformed');
    const [, name = '', quoted = ''] = match;
    comma = match[3] ?? '';
    // The realm is a quoted string of HTTP (RFC 9110 §11.5) and not percent-encoded.
    if (name.toLowerCase() === 'realm') {
      if (realm !== undefined) throw new SignatureRefusal('malformed');
      realm = quoted.replace(/\\(.)/g, '$1');
    } else {
      const decoded = decode(name);
      if (parameters.has(decoded)) throw new SignatureRefusal('malformed');
      parameters.set(decoded, decode(quoted));
    }
  }
  return { realm, parameters: [...parameters] };
}

function decode(text: string): string {
  try {
    return percentDecode(text);
  } catch {
    throw new SignatureRefusal('malformed');
  }
}
