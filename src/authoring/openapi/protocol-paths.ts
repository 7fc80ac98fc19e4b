import type { ProblemKind } from '../../model/problem.js';
import type { JsonObject } from '../../rdf/json-object.js';
import { problemResponses } from './problems.js';

const FORM = 'application/x-www-form-urlencoded';
const refusals = {
  request: ['malformed-request', 'invalid-parameter', 'unauthorized', 'forbidden', 'too-large'],
  access: ['malformed-request', 'unauthorized', 'too-large'],
  background: ['malformed-request', 'unauthorized', 'forbidden', 'not-found', 'too-large'],
  ready: ['unavailable'],
} as const satisfies Record<string, readonly ProblemKind[]>;

/** Problems of these paths, as keys of the components. */
export const protocolProblems: readonly (readonly ProblemKind[])[] = [...Object.values(refusals)];

/** Makes the paths outside the ontology: how apps get tokens, and the probes. */
export function protocolPaths(): JsonObject {
  return {
    '/oauth/request_token': tokenPath('request', ['oauth_callback_confirmed'], {
      operationId: 'request_token',
      summary: 'Ask for a request token',
      description: 'The first leg (RFC 5849 §2.1), signed by the app alone, with oauth_callback.',
      requestBody: formOf({ smart_record_id: 'The record that access is asked for, if it is known.' }),
    }),
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
    '/oauth/access_token': tokenPath('access', ['record_id', 'user_id'], {
      operationId: 'access_token',
      summary: 'Exchange a request token for an access token',
      description: 'The third leg (RFC 5849 §2.3), signed with the request token, with oauth_verifier.',
    }),
    ...background('first', 'background_token_first', 'the first record'),
    ...background('{record_id}', 'background_token', 'one record'),
    ...background('{record_id}/next', 'background_token_next', 'the record after another one'),
    '/health/live': probe('live', 'Whether the process answers'),
    '/health/ready': probe('ready', 'Whether the store answers queries', refusals.ready),
  };
}

/** Makes the path of a token endpoint. @param more fields of the answer in addition to token and secret */
function tokenPath(step: keyof typeof refusals, more: readonly string[], operation: JsonObject): JsonObject {
  const required = ['oauth_token', 'oauth_token_secret', ...more];
  const properties = Object.fromEntries(required.map((name) => [name, { type: 'string' }]));
  const answer = {
    description: 'The token, form-encoded.',
    content: { [FORM]: { schema: { type: 'object', required, properties } } },
  };
  const responses = { 200: answer, ...problemResponses(refusals[step]) };
  return { post: { tags: ['Access'], security: [{ oauth1: [] }], ...operation, responses } };
}

function background(path: string, operationId: string, which: string): JsonObject {
  const names = ['app_id', ...(path.includes('{record_id}') ? ['record_id'] : [])];
  return {
    [`/apps/{app_id}/tokens/records/${path}`]: tokenPath('background', ['smart_record_id'], {
      operationId,
      summary: `Take a token for ${which}`,
      description: 'For background apps alone, signed by the app.',
      parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    }),
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

/** An optional body: its fields may be in the query or the header instead. */
function formOf(fields: Readonly<Record<string, string>>): JsonObject {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
  );
  return { required: false, content: { [FORM]: { schema: { type: 'object', properties } } } };
}
