import type { ProblemKind } from '../../problem.js';
import type { JsonObject } from '../../rdf/json-object.js';
import { problemResponses } from './problems.js';

const FORM = 'application/x-www-form-urlencoded';
const signed = [{ oauth1: [] }];
const refusals = {
  request: ['malformed-request', 'invalid-parameter', 'unauthorized', 'forbidden', 'too-large'],
  access: ['malformed-request', 'unauthorized', 'too-large'],
  background: ['malformed-request', 'unauthorized', 'forbidden', 'not-found', 'too-large'],
  ready: ['unavailable'],
} as const satisfies Record<string, readonly ProblemKind[]>;

/** The refusals of these paths, for the components that they refer to. */
export const protocolProblems: readonly (readonly ProblemKind[])[] = [...Object.values(refusals)];

/** The paths of a container that are no calls of its ontology: how apps get tokens, the probes. */
export function protocolPaths(): JsonObject {
  return {
    '/oauth/request_token': {
      post: {
        operationId: 'request_token',
        tags: ['Access'],
        summary: 'Ask for a request token',
        description: 'The first leg (RFC 5849 §2.1), signed by the app alone, with oauth_callback.',
        security: signed,
        requestBody: formOf({ smart_record_id: 'The record that access is asked for, if it is known.' }),
        responses: {
          200: tokenAnswer(['oauth_token', 'oauth_token_secret', 'oauth_callback_confirmed']),
          ...problemResponses(refusals.request),
        },
      },
    },
    '/oauth/authorize': {
      get: {
        operationId: 'authorize',
        tags: ['Access'],
        summary: 'Ask the person',
        description:
          'The second leg (RFC 5849 §2.2): a page for a browser, which comes back to the app afterwards.',
        security: [{}],
        parameters: [
          {
            name: 'oauth_token',
            in: 'query',
            required: true,
            description: 'The request token.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: { description: 'The question.', content: { 'text/html': { schema: { type: 'string' } } } },
          302: { description: 'To the sign-in, or back to the app with oauth_verifier.' },
        },
      },
    },
    '/oauth/access_token': {
      post: {
        operationId: 'access_token',
        tags: ['Access'],
        summary: 'Exchange a request token for an access token',
        description: 'The third leg (RFC 5849 §2.3), signed with the request token, with oauth_verifier.',
        security: signed,
        responses: {
          200: tokenAnswer(['oauth_token', 'oauth_token_secret', 'record_id', 'user_id']),
          ...problemResponses(refusals.access),
        },
      },
    },
    ...background('first', 'background_token_first', 'the first record'),
    ...background('{record_id}', 'background_token', 'one record'),
    ...background('{record_id}/next', 'background_token_next', 'the record after another one'),
    '/health/live': probe('live', 'Whether the process answers'),
    '/health/ready': probe('ready', 'Whether the store answers queries', refusals.ready),
  };
}

function background(path: string, operationId: string, which: string): JsonObject {
  const names = ['app_id', ...(path.includes('{record_id}') ? ['record_id'] : [])];
  return {
    [`/apps/{app_id}/tokens/records/${path}`]: {
      post: {
        operationId,
        tags: ['Access'],
        summary: `Take a token for ${which}`,
        description: 'For background apps alone, signed by the app.',
        security: signed,
        parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        responses: {
          200: tokenAnswer(['oauth_token', 'oauth_token_secret', 'smart_record_id']),
          ...problemResponses(refusals.background),
        },
      },
    },
  };
}

function probe(name: string, summary: string, problems: readonly ProblemKind[] = []): JsonObject {
  return {
    get: {
      operationId: `health_${name}`,
      tags: ['Health'],
      summary,
      security: [{}],
      responses: {
        200: { description: 'Yes.', content: { 'text/plain': { schema: { const: 'ok\n' } } } },
        ...problemResponses(problems),
      },
    },
  };
}

/** A body that may also be left out: what is in it may stand in the query or in the header as well. */
function formOf(fields: Readonly<Record<string, string>>): JsonObject {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
  );
  return { required: false, content: { [FORM]: { schema: { type: 'object', properties } } } };
}

function tokenAnswer(names: readonly string[]): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return {
    description: 'The token, form-encoded.',
    content: { [FORM]: { schema: { type: 'object', required: names, properties } } },
  };
}
