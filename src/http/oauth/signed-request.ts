import type { IncomingMessage } from 'node:http';
import type { IncomingSignature } from '../../oauth/incoming-signature.js';
import { readSignedParameters, type SignedParameters } from '../../oauth/signed-parameters.js';
import { SignatureRefusal, unauthorized } from '../../oauth/signature-refusal.js';
import type { Principal } from '../../oauth/verify.js';
import { Problem } from '../../problem.js';
import { readBody } from '../body.js';
import type { Visit } from '../path-table.js';

/** A token request holds ids and tokens; more than this many bytes are none. */
const FORM_LIMIT = 16 * 1024;

/** A request whose signer is proved, with everything that the signature covers. */
export interface SignedRequest {
  readonly principal: Principal;
  readonly parameters: SignedParameters;
}

/** The value of every Authorization field, however many there are: `headers` would show the first alone. */
export function authorizationFields({ rawHeaders }: IncomingMessage): string[] {
  const fields: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') fields.push(rawHeaders[at + 1] ?? '');
  }
  return fields;
}

/** Reads what a signature is checked against. @throws Problem too-large */
export async function incomingSignature(
  { context, target }: Visit,
  secure: boolean,
): Promise<IncomingSignature> {
  const body = await readBody(context.req, FORM_LIMIT);
  if (body === 'too-large') {
    throw new Problem('too-large', `A token request holds at most ${FORM_LIMIT} bytes.`, {
      headers: { Connection: 'close' },
    });
  }
  const contentType = context.req.headers['content-type'];
  return {
    method: context.method,
    rawTarget: target.raw,
    authorization: authorizationFields(context.req),
    ...(contentType === undefined ? {} : { contentType }),
    body: body.bytes,
    secure,
  };
}

/**
 * Proves who signed a token request.
 * @param verify checks the signature against the tokens that this endpoint knows
 * @throws Problem unauthorized for an unsigned request too
 */
export async function proveSigner(
  visit: Visit,
  { secure, base }: { readonly secure: boolean; readonly base: string },
  verify: (request: IncomingSignature) => Promise<Principal | undefined>,
): Promise<SignedRequest> {
  const request = await incomingSignature(visit, secure);
  const principal = await verify(request);
  const parameters = readSignedParameters(request);
  if (!principal || !parameters) {
    // Not signed at all is answered as wrongly signed is.
    throw unauthorized(new SignatureRefusal('malformed'), base);
  }
  visit.context.state['principal'] = principal;
  return { principal, parameters };
}
