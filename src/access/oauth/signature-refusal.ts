import { parseUrl } from '../../rdf/parse-url.js';
import { Problem } from '../../model/problem.js';

/** Why a signature was refused: for the audit log only, never for the caller. */
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

/** Reasons that a caller may learn, since they arise only after the signature was proved. */
const DISCLOSED: ReadonlySet<RefusalReason> = new Set(['timestamp_refused', 'nonce_used']);

/** `reason` contains nothing that the caller sent. */
export class SignatureRefusal extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason);
    this.name = 'SignatureRefusal';
  }
}

/**
 * The same answer for every refused signature, so that it does not reveal whether app, token or signature was wrong.
 * Only a proved signer meets timestamp and nonce problems; they are named as in OAuth Problem Reporting. A request
 * for another host gets a hint, because it was probably signed for that host. A body
 * labelled as a form gets one, because curl labels every body so. Neither depends on what was wrong.
 * @param realm the base URL; real clients fail without a realm in the challenge
 */
export function unauthorized(refusal: SignatureRefusal, realm: string, request?: RefusedRequest): Problem {
  const oauthProblem = DISCLOSED.has(refusal.reason) ? refusal.reason : undefined;
  const challenge = `OAuth realm="${realm}"`;
  const hint = oauthProblem === undefined && request ? hintFor(request, realm) : '';
  return new Problem('unauthorized', `The OAuth 1.0a signature of this request was not accepted.${hint}`, {
    headers: {
      'WWW-Authenticate':
        oauthProblem === undefined ? challenge : `${challenge}, oauth_problem="${oauthProblem}"`,
    },
    extra: oauthProblem === undefined ? {} : { oauth_problem: oauthProblem },
    cause: refusal,
  });
}

/** The Host header of a refused request, and whether its body is labelled as a form. */
interface RefusedRequest {
  readonly host: string | undefined;
  readonly hasForm: boolean;
}

function hintFor({ host, hasForm }: RefusedRequest, realm: string): string {
  if (isElsewhere(host, realm)) return ` ${elsewhere(realm)}`;
  return hasForm ? ` ${FORM_HINT}` : '';
}

const FORM_HINT =
  'The body is labelled as a form, so its fields belong to the signature: sign them, or send the Content-Type that the body has.';

const elsewhere = (base: string): string =>
  `The request came for another host than that of the base URL; sign ${base} and what follows it.`;

function isElsewhere(host: string | undefined, base: string): boolean {
  const { protocol, host: own } = new URL(base);
  const requested = parseUrl(`${protocol}//${host ?? own}`);
  return requested !== undefined && requested.host !== own;
}
