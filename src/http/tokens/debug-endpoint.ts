import type { Credentials } from '../../accounts/accounts.js';
import { createDebugger } from '../../oauth/debug.js';
import type { Flow } from '../../oauth/flow/flow.js';
import { textAnswer } from '../answer.js';
import { incomingSignature } from '../authenticate.js';
import { bodyBytes, type Bodies } from '../body.js';
import type { Handler, Route } from '../request-context.js';
import { FORM_LIMIT } from './token-endpoints.js';

/** `/oauth/debug`: explains a signature to whoever writes a signer. */
export function debugRoutes(
  { accounts, directory, grants }: Flow,
  { base, secure }: { readonly base: string; readonly secure: boolean },
  bodies: Bodies,
): readonly Route[] {
  // The exchange of a request token is signed too, with that token.
  const credentials = (consumerKey: string, token: string | undefined): Credentials => {
    const found = accounts.credentials(consumerKey, token);
    if (token === undefined || found.token) return found;
    return { ...found, token: directory.read((tx) => grants.requestCredentials(tx, token)) };
  };
  const explain = createDebugger({ credentials }, base);
  const handler: Handler = async ({ context, route, target, body }) => {
    const signature = await incomingSignature(context, route, target, secure, bodies);
    return textAnswer(
      explain({ ...signature, body: bodyBytes(body, FORM_LIMIT) }),
      'text/plain; charset=utf-8',
    );
  };
  return (['GET', 'POST'] as const).map((method) => ({
    method,
    path: '/oauth/debug',
    credentials: 'none',
    access: 'anybody',
    bodyLimit: FORM_LIMIT,
    handler,
  }));
}
