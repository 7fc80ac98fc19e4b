import { parseUrl } from '../rdf/parse-url.js';
import { Problem } from '../problem.js';

/** Why a signature was refused: for the audit log, never for the caller. */
export type RefusalReason =
  | 'malformed'
  | 'version'
  | 'method'
  | 'consumer'
  | 'token'
  | 'verifier'
  | 'signature'
  | 'body_hash'
  | 'timestamp_refused'
  | 'nonce_used';

/** What a caller may be told, because it was found only after the signature was proved. */
const TOLD: ReadonlySet<RefusalReason> = new Set(['timestamp_refused', 'nonce_used']);

/** A signature that proves nothing; `reason` names the rule and holds nothing that was sent. */
export class SignatureRefusal extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason);
    this.name = 'SignatureRefusal';
  }
}

/**
 * The one answer to every refused signature: it does not show whether the app, the token or the signature was
 * wrong. Timestamp and nonce problems, which only a proved signer meets, are named as in OAuth Problem Reporting.
 * A request for another host than that of the base URL was probably signed for it, too; it is told so by its host
 * alone, whatever was wrong with it.
 * @param realm the base URL; a challenge without a realm makes real clients fail
 * @param host the Host header of the request
 */
export function unauthorized(refusal: SignatureRefusal, realm: string, host?: string): Problem {
  const told = TOLD.has(refusal.reason) ? refusal.reason : undefined;
  const challenge = `OAuth realm="${realm}"`;
  const hint = told === undefined && isElsewhere(host, realm) ? ` ${elsewhere(realm)}` : '';
  return new Problem('unauthorized', `The OAuth 1.0a signature of this request was not accepted.${hint}`, {
    headers: {
      'WWW-Authenticate': told === undefined ? challenge : `${challenge}, oauth_problem="${told}"`,
    },
    extra: told === undefined ? {} : { oauth_problem: told },
    cause: refusal,
  });
}

/** What was sent stays out of it. */
const elsewhere = (base: string): string =>
  `The request came for another host than that of the base URL; sign ${base} and what follows it.`;

function isElsewhere(host: string | undefined, base: string): boolean {
  const { protocol, host: own } = new URL(base);
  const asked = parseUrl(`${protocol}//${host ?? own}`);
  return asked !== undefined && asked.host !== own;
}
