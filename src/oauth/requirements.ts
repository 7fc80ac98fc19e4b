import { SignatureRefusal, type RefusalReason } from './signature-refusal.js';
import { signatureMethods, type SignatureMethod } from './signature.js';

/** The protocol parameters that every signature has (RFC 5849 §3.1), in a form that can be checked. */
export interface Requirements {
  readonly consumerKey: string;
  /** Undefined when the app signs alone. */
  readonly token: string | undefined;
  readonly method: SignatureMethod;
  readonly signature: string;
  /** When and with which nonce; a PLAINTEXT signature may leave both out. */
  readonly stamp: { readonly timestamp: number; readonly nonce: string } | undefined;
}

// Longer values are no token, nonce or signature of anybody; RSA-4096 signatures have 684 characters.
const LONGEST = 2048;
// RFC 5849 §3.1: may be left out, and is 1.0 otherwise. The documentation of a signer in wide use (npm oauth) has its
// users write 1.0A, which means the same.
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.0a', '1.0A']);
const TIMESTAMP = /^[1-9]\d{0,11}$/;

/**
 * Reads the protocol parameters.
 * @param secure whether the request came over TLS
 * @throws SignatureRefusal when one is missing, empty or of a form that it cannot have
 */
export function readRequirements(protocol: ReadonlyMap<string, string>, secure: boolean): Requirements {
  const text = (name: string, reason: RefusalReason = 'malformed'): string => {
    const value = protocol.get(name);
    if (value === undefined || value === '' || value.length > LONGEST) throw new SignatureRefusal(reason);
    return value;
  };
  if (!VERSIONS.has(protocol.get('oauth_version') ?? '1.0')) throw new SignatureRefusal('version');
  const method = signatureMethods.get(text('oauth_signature_method'));
  // RFC 5849 §3.4.4: PLAINTEXT shows the secrets to whoever listens.
  if (!method || (!method.coversRequest && !secure)) throw new SignatureRefusal('method');
  const unstamped = !protocol.has('oauth_timestamp') && !protocol.has('oauth_nonce');
  const token = protocol.get('oauth_token');
  return {
    consumerKey: text('oauth_consumer_key'),
    // OAuth Core 1.0 signers send an empty token where they have none.
    token: token === undefined || token === '' ? undefined : text('oauth_token'),
    method,
    signature: text('oauth_signature'),
    stamp:
      unstamped && !method.coversRequest ? undefined : { timestamp: time(text), nonce: text('oauth_nonce') },
  };
}

function time(text: (name: string) => string): number {
  const written = text('oauth_timestamp');
  // RFC 5849 §3.3: a positive integer, in seconds.
  if (!TIMESTAMP.test(written)) throw new SignatureRefusal('malformed');
  return Number(written);
}
