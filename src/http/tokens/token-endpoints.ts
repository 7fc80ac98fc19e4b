import { exchangeRequestToken } from '../../oauth/flow/access-token.js';
import { issueBackgroundToken, type WantedRecord } from '../../oauth/flow/background-token.js';
import type { Flow, TokenAnswer } from '../../oauth/flow/flow.js';
import { issueRequestToken } from '../../oauth/flow/request-token.js';
import { percentEncode } from '../../oauth/percent.js';
import type { Verified } from '../../oauth/verify.js';
import { textAnswer, type PlainAnswer } from '../answer.js';
import { bodyBytes } from '../body.js';
import { flowOf } from '../flow-of.js';
import type { RequestContext, Route } from '../request-context.js';

/** A token request holds ids and tokens; more than this many bytes are none. */
export const FORM_LIMIT = 16 * 1024;

/** The addresses where apps get tokens (RFC 5849 §2). */
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
    // Real containers restrict the method of these no further; clients use POST.
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

/** The access rule of these routes lets nobody pass who is not proved. */
function signer({ verified }: RequestContext): Verified {
  if (!verified) throw new Error('a token endpoint was reached without a signature');
  return verified;
}

/** RFC 5849 §2.1: form-encoded. Never a redirect: real clients break on one. */
function formAnswer(answer: TokenAnswer): PlainAnswer {
  const form = answer.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
  return textAnswer(form, 'application/x-www-form-urlencoded');
}
