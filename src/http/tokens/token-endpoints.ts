import {
  exchangeRequestToken,
  issueBackgroundToken,
  issueRequestToken,
  type WantedRecord,
} from './issue-tokens.js';
import type { Flow, TokenAnswer } from '../../access/oauth/flow.js';
import { percentEncode } from '../../access/oauth/percent.js';
import type { Verified } from '../../access/oauth/verify.js';
import { textAnswer, type PlainAnswer } from '../answer.js';
import { bodyBytes, type Bodies } from '../admission/bodies.js';
import { flowOf, type Handler, type RequestContext, type Route } from '../request-context.js';
import type { Credentials } from '../../access/accounts/accounts.js';
import { createDebugger } from '../../access/oauth/debug.js';
import { incomingSignature } from '../authenticate.js';

/** Token requests only hold ids and tokens; larger bodies are refused. */
export const FORM_LIMIT = 16 * 1024;

/** Makes the routes where apps get tokens (RFC 5849 §2). */
export function tokenRoutes(flow: Flow): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    answer: (own: Flow, verified: Verified, path: RequestContext['path']) => Promise<TokenAnswer>,
    credentials: Route['credentials'] = 'signature',
  ): Route => ({
    method,
    path,
    credentials,
    access: 'signer',
    bodyLimit: FORM_LIMIT,
    handler: async (request) => {
      bodyBytes(request.body, FORM_LIMIT);
      return formAnswer(await answer(flowOf(flow, request.context), signer(request), request.path));
    },
  });
  const background = (path: string, wantedOf: (record: string) => WantedRecord): readonly Route[] =>
    // Other containers accept both methods; clients use POST.
    (['GET', 'POST'] as const).map((method) =>
      route(method, path, (own, { principal }, { app_id: app = '', record_id: record = '' }) =>
        issueBackgroundToken(own, principal, app, wantedOf(record)),
      ),
    );
  return [
    route('POST', '/oauth/request_token', (own, { principal, parameters }) =>
      issueRequestToken(own, principal, parameters.covered),
    ),
    route(
      'POST',
      '/oauth/access_token',
      (own, { principal, parameters: { protocol } }) => {
        const token = protocol.get('oauth_token') ?? '';
        return exchangeRequestToken(own, { principal, token, verifier: protocol.get('oauth_verifier') });
      },
      'request token',
    ),
    ...background('/apps/{app_id}/tokens/records/first', () => ({ first: true })),
    ...background('/apps/{app_id}/tokens/records/{record_id}/next', (record) => ({ after: record })),
    ...background('/apps/{app_id}/tokens/records/{record_id}', (record) => ({ id: record })),
  ];
}

function signer({ verified }: RequestContext): Verified {
  if (!verified) throw new Error('a token endpoint was reached without a signature');
  return verified;
}

/** RFC 5849 §2.1: form-encoded. Never a redirect, which breaks deployed clients. */
function formAnswer(answer: TokenAnswer): PlainAnswer {
  const form = answer.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
  return textAnswer(form, 'application/x-www-form-urlencoded');
}

/** `/oauth/debug`: explains a signature to developers of clients. */
export function debugRoutes(
  { accounts, directory, grants }: Flow,
  { base, secure }: { readonly base: string; readonly secure: boolean },
  bodies: Bodies,
): readonly Route[] {
  // A request token signs its own exchange.
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
