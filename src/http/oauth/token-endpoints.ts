import type { Context, Middleware } from 'koa';
import type { Credentials } from '../../accounts/accounts.js';
import { createDebugger } from '../../oauth/debug.js';
import { exchangeRequestToken } from '../../oauth/flow/access-token.js';
import { issueBackgroundToken, type WantedRecord } from '../../oauth/flow/background-token.js';
import type { TokenAnswer } from '../../oauth/flow/flow.js';
import { issueRequestToken } from '../../oauth/flow/request-token.js';
import { percentEncode } from '../../oauth/percent.js';
import type { ContainerContext } from '../container-context.js';
import { pathTable, type Methods, type PathTable, type Visit } from '../path-table.js';
import { incomingSignature, proveSigner } from './signed-request.js';

/** The addresses where apps get tokens (RFC 5849 §2), and where a signature is explained, if that is switched on. */
export function tokenEndpoints(container: ContainerContext): Middleware {
  const { flow } = container;
  const background = (wantedOf: (visit: Visit) => WantedRecord): Methods => {
    const answer = async (visit: Visit): Promise<void> => {
      const { principal } = await proveSigner(visit, container, container.verify);
      answerForm(
        visit.context,
        await issueBackgroundToken(flow, principal, visit.path[0] ?? '', wantedOf(visit)),
      );
    };
    // Real containers restrict the method of these no further; clients use POST.
    return { GET: answer, POST: answer };
  };
  const table: PathTable = {
    '/oauth/request_token': {
      POST: async (visit) => {
        const { principal, parameters } = await proveSigner(visit, container, container.verify);
        answerForm(visit.context, await issueRequestToken(flow, principal, parameters.covered));
      },
    },
    '/oauth/access_token': {
      POST: async (visit) => {
        const { principal, parameters } = await proveSigner(visit, container, container.verifyRequestToken);
        const token = parameters.protocol.get('oauth_token') ?? '';
        const verifier = parameters.protocol.get('oauth_verifier');
        answerForm(visit.context, await exchangeRequestToken(flow, { principal, token, verifier }));
      },
    },
    '/apps/*/tokens/records/first': background(() => ({ first: true })),
    '/apps/*/tokens/records/*/next': background(({ path }) => ({ after: path[1] ?? '' })),
    '/apps/*/tokens/records/*': background(({ path }) => ({ id: path[1] ?? '' })),
    ...(container.oauthDebug ? { '/oauth/debug': debug(container) } : {}),
  };
  return pathTable(container.basePath, table);
}

function debug(container: ContainerContext): Methods {
  const { accounts, directory, grants } = container.flow;
  // The exchange of a request token is signed too, with that token.
  const credentials = (consumerKey: string, token: string | undefined): Credentials => {
    const found = accounts.credentials(consumerKey, token);
    if (token === undefined || found.token) return found;
    return { ...found, token: directory.read((tx) => grants.requestCredentials(tx, token)) };
  };
  const explain = createDebugger({ credentials }, container.base);
  const answer = async (visit: Visit): Promise<void> => {
    const { context } = visit;
    const request = await incomingSignature(visit, container.secure);
    const { host } = context.req.headers;
    context.set('Cache-Control', 'no-store');
    context.type = 'text/plain';
    context.body = explain({ ...request, ...(host === undefined ? {} : { host }) });
  };
  return { GET: answer, POST: answer };
}

/** RFC 5849 §2.1: form-encoded. Never a redirect: real clients break on one. */
function answerForm(context: Context, answer: TokenAnswer): void {
  context.set('Cache-Control', 'no-store');
  context.set('Content-Type', 'application/x-www-form-urlencoded');
  context.body = answer.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
}
