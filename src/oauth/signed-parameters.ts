import { readAuthorization } from './authorization-header.js';
import { splitTarget } from './base-string.js';
import type { IncomingSignature } from './incoming-signature.js';
import { readForm, type Parameter } from './percent.js';
import { SignatureRefusal } from './signature-refusal.js';

/** The parameters of a request that is signed, or says so. */
export interface SignedParameters {
  /** The `oauth_*` parameters, each of which occurs once. */
  readonly protocol: ReadonlyMap<string, string>;
  /** What the base string covers: header, query and form parameters without realm and oauth_signature. */
  readonly covered: readonly Parameter[];
  /** An RDF document that came as a form, one character a byte: a signature may cover its text as well. */
  readonly document?: string | undefined;
  readonly realm?: string | undefined;
  /** The path of the request target, raw. */
  readonly path: string;
}

/** Whether a parameter is one of the protocol itself (RFC 5849 §3.1). */
export const isProtocol = ([name]: Parameter): boolean => name.startsWith('oauth_');
/** Real clients send the callback in the form body of a request whose header has all else (oauth-flow.md §9). */
const mayStandApart = ([name]: Parameter): boolean => name === 'oauth_callback';
const proves = (parameter: Parameter): boolean => isProtocol(parameter) && !mayStandApart(parameter);

/**
 * Collects the parameters of a request (RFC 5849 §3.4.1.3.1, §3.5).
 * @returns undefined when the request does not try to be signed
 * @throws SignatureRefusal malformed when it tries and cannot be read: several Authorization headers, protocol
 * parameters in two places, a name that occurs twice, a broken percent-encoding
 */
export function readSignedParameters(request: IncomingSignature): SignedParameters | undefined {
  const { path, query } = splitTarget(request.rawTarget);
  const text = formBody(request);
  const form = request.isDocument ? undefined : text;
  // Most requests without a signature show it at a glance; a broken query of theirs is not our business.
  if (request.authorization.length === 0 && !mentionsProtocol(query) && !mentionsProtocol(form ?? ''))
    return undefined;
  if (request.authorization.length > 1 || !/^[\x21-\x7e]+$/.test(request.rawTarget)) {
    throw new SignatureRefusal('malformed');
  }
  const [authorization] = request.authorization;
  const header = authorization === undefined ? undefined : readAuthorization(authorization);
  const inHeader = header?.parameters ?? [];
  const inQuery = readStrict(query);
  const inForm = readStrict(form);
  const proving = [inHeader, inQuery, inForm].filter((parameters) => parameters.some(proves));
  if (proving.length === 0 && !header) return undefined;
  // RFC 5849 §3.5: protocol parameters are sent in one place and nowhere else.
  if (proving.length !== 1 || (proving[0] !== inQuery && inQuery.some(mayStandApart))) {
    throw new SignatureRefusal('malformed');
  }
  const isAlone = inQuery.length === 0 && inForm.length === 0;
  const all = isAlone ? inHeader : [...inHeader, ...inQuery, ...inForm];
  const protocol = collectOnce(all.filter(isProtocol));
  const covered = all.filter(([name]) => name !== 'oauth_signature');
  return {
    protocol,
    covered,
    path,
    document: request.isDocument ? text : undefined,
    realm: header?.realm,
  };
}

/** Whether a raw query or form may hold a protocol parameter; an escaped `o` or `_` counts too. */
function mentionsProtocol(raw: string): boolean {
  return raw !== '' && /(?:^|&)(?:o|%6f)(?:a|%61)(?:u|%75)(?:t|%74)(?:h|%68)(?:_|%5f)/i.test(raw);
}

function collectOnce(parameters: readonly Parameter[]): Map<string, string> {
  const once = new Map(parameters);
  if (once.size < parameters.length) throw new SignatureRefusal('malformed');
  return once;
}

/** The text of a form body; undefined when the body is no form (RFC 5849 §3.4.1.3.1). */
function formBody({ contentType, body }: IncomingSignature): string | undefined {
  if (!(body instanceof Uint8Array) || body.byteLength === 0 || contentType === undefined) return undefined;
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  return mediaType === 'application/x-www-form-urlencoded' ? Buffer.from(body).toString('latin1') : undefined;
}

function readStrict(raw = ''): Parameter[] {
  if (raw === '') return [];
  // Bytes beyond ASCII must be percent-encoded in both; whoever sends them raw and signed them signed other text.
  if (!/^[\x00-\x7f]*$/.test(raw)) throw new SignatureRefusal('malformed');
  try {
    return readForm(raw);
  } catch {
    throw new SignatureRefusal('malformed');
  }
}
