import { percentDecode, readForm, type Parameter } from './percent.js';
import { SignatureRefusal } from './signature-refusal.js';
import { signatureMethods, splitTarget } from './signature.js';

export interface IncomingSignature {
  readonly method: string;
  readonly rawTarget: string;
  readonly authorization: readonly string[];
  readonly contentType?: string | undefined;
  /**
   * Needed for forms and oauth_body_hash; an omitted body is empty. The hash of an `unread` body is checked later;
   * the caller refuses a `too-large` one after this check.
   */
  readonly body?: Uint8Array | 'unread' | 'too-large';
  /** Whether a body labelled as a form is an RDF document, and read only as that. */
  readonly isDocument?: boolean;
  readonly host?: string | undefined;
  readonly secure: boolean;
}

export type SignedParameters = NonNullable<ReturnType<typeof readSignedParameters>>;

/** Whether a parameter belongs to the protocol (RFC 5849 §3.1). */
export const isProtocol = ([name]: Parameter): boolean => name.startsWith('oauth_');
/** Real clients send the callback in the form body, and everything else in the header. */
const mayStandApart = ([name]: Parameter): boolean => name === 'oauth_callback';
const proves = (parameter: Parameter): boolean => isProtocol(parameter) && !mayStandApart(parameter);

/**
 * Collects the parameters of a request (RFC 5849 §3.4.1.3.1, §3.5).
 * @returns undefined for a request that does not try to be signed
 * @throws SignatureRefusal malformed
 */
export function readSignedParameters(request: IncomingSignature) {
  const { path, query } = splitTarget(request.rawTarget);
  const text = formBody(request);
  const form = request.isDocument || text === undefined ? '' : text;
  // A shortcut for most unsigned requests.
  if (request.authorization.length === 0 && !mentionsProtocol(query) && !mentionsProtocol(form))
    return undefined;
  if (request.authorization.length > 1 || !/^[\x21-\x7e]+$/.test(request.rawTarget)) throw malformed();
  try {
    const [authorization] = request.authorization;
    const header = authorization === undefined ? undefined : readAuthorization(authorization);
    const inHeader = header?.parameters ?? [];
    const inQuery = readAscii(query);
    const inForm = readAscii(form);
    const proving = [inHeader, inQuery, inForm].filter((parameters) => parameters.some(proves));
    if (proving.length === 0 && !header) return undefined;
    // RFC 5849 §3.5.
    if (proving.length !== 1 || (proving[0] !== inQuery && inQuery.some(mayStandApart))) throw malformed();
    const isAlone = inQuery.length === 0 && inForm.length === 0;
    const all = isAlone ? inHeader : [...inHeader, ...inQuery, ...inForm];
    const sent = all.filter(isProtocol);
    const protocol = new Map(sent);
    if (protocol.size < sent.length) throw malformed();
    // The base string covers header, query and form parameters without realm and oauth_signature.
    const covered = all.filter(([name]) => name !== 'oauth_signature');
    // A signature may also cover the text of an RDF document labelled as a form: one character per byte.
    return { protocol, covered, path, document: request.isDocument ? text : undefined, realm: header?.realm };
  } catch (error) {
    throw error instanceof URIError ? malformed() : error;
  }
}

const malformed = (): SignatureRefusal => new SignatureRefusal('malformed');

// Sticky: each match begins where the last one ended, so nothing between them is skipped.
const HEADER_PARAMETER = /[ \t]*([^\s=",]+)="((?:[^"\\]|\\.)*)"[ \t]*(,|$)/y;

/** Reads an Authorization header (RFC 5849 §3.5.1): name="value", separated by commas; returns the realm apart. */
function readAuthorization(value: string): { realm: string | undefined; parameters: Parameter[] } {
  const scheme = /^OAuth[ \t]+/i.exec(value)?.[0];
  if (scheme === undefined) throw malformed();
  const parameters = new Map<string, string>();
  let realm: string | undefined;
  HEADER_PARAMETER.lastIndex = scheme.length;
  for (let comma = ','; comma !== '';) {
    const match = HEADER_PARAMETER.exec(value);
    if (!match) throw malformed();
    const [, name = '', quoted = ''] = match;
    comma = match[3] ?? '';
    // RFC 9110 §11.5: the realm is a quoted string, not percent-encoded.
    if (name.toLowerCase() === 'realm') {
      if (realm !== undefined) throw malformed();
      realm = quoted.replace(/\\(.)/g, '$1');
    } else {
      const decoded = percentDecode(name);
      if (parameters.has(decoded)) throw malformed();
      parameters.set(decoded, percentDecode(quoted));
    }
  }
  return { realm, parameters: [...parameters] };
}

/** Whether a raw query or form may contain a protocol parameter; an escaped `o` or `_` counts too. */
function mentionsProtocol(raw: string): boolean {
  return raw !== '' && /(?:^|&)(?:o|%6f)(?:a|%61)(?:u|%75)(?:t|%74)(?:h|%68)(?:_|%5f)/i.test(raw);
}

/** Whether a request has a body that is labelled as a form. */
export const hasForm = (request: IncomingSignature): boolean => formBody(request) !== undefined;

function formBody({ contentType, body }: IncomingSignature): string | undefined {
  if (!(body instanceof Uint8Array) || body.byteLength === 0 || contentType === undefined) return undefined;
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  return mediaType === 'application/x-www-form-urlencoded' ? Buffer.from(body).toString('latin1') : undefined;
}

/** Reads a query or form. Bytes beyond ASCII must be percent-encoded: raw ones would not match what was signed. */
function readAscii(raw: string): Parameter[] {
  if (raw === '') return [];
  if (!/^[\x00-\x7f]*$/.test(raw)) throw malformed();
  return readForm(raw);
}

export type Requirements = ReturnType<typeof readRequirements>;

// RSA-4096 signatures, the longest values, have 684 characters.
const MAX_LENGTH = 2048;
// RFC 5849 §3.1: defaults to 1.0. The documentation of a popular signer (npm oauth) suggests 1.0A.
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.0a', '1.0A']);
// RFC 5849 §3.3: a positive integer, in seconds.
const TIMESTAMP = /^[1-9]\d{0,11}$/;

/**
 * Reads the protocol parameters of a signature (RFC 5849 §3.1). An app that signs alone has no token; a PLAINTEXT
 * signature may omit its `stamp`.
 * @throws SignatureRefusal when a parameter is missing, empty or malformed
 */
export function readRequirements(protocol: ReadonlyMap<string, string>, secure: boolean) {
  if (!VERSIONS.has(protocol.get('oauth_version') ?? '1.0')) throw new SignatureRefusal('version');
  const method = signatureMethods.get(required(protocol, 'oauth_signature_method'));
  // RFC 5849 §3.4.4: PLAINTEXT shows the secrets to eavesdroppers.
  if (!method || (!method.coversRequest && !secure)) throw new SignatureRefusal('method');
  const isUnstamped = !protocol.has('oauth_timestamp') && !protocol.has('oauth_nonce');
  const token = protocol.get('oauth_token');
  return {
    consumerKey: required(protocol, 'oauth_consumer_key'),
    // OAuth Core 1.0 signers without a token send an empty one.
    token: token === undefined || token === '' ? undefined : required(protocol, 'oauth_token'),
    method,
    signature: required(protocol, 'oauth_signature'),
    stamp:
      isUnstamped && !method.coversRequest
        ? undefined
        : { timestamp: timestampOf(protocol), nonce: required(protocol, 'oauth_nonce') },
  };
}

function timestampOf(protocol: ReadonlyMap<string, string>): number {
  const written = required(protocol, 'oauth_timestamp');
  if (!TIMESTAMP.test(written)) throw malformed();
  return Number(written);
}

function required(protocol: ReadonlyMap<string, string>, name: string): string {
  const value = protocol.get(name);
  if (value === undefined || value === '' || value.length > MAX_LENGTH) throw malformed();
  return value;
}
