import type { ProblemKind } from '../../problem.js';
import type { JsonObject } from './operation.js';
import { jsonAnswer, pathParameter, revision, signedOperation, text, time } from './paths-of-apps.js';
import { problemResponses } from './problems.js';

const read = ['unauthorized', 'forbidden', 'not-found'] as const satisfies readonly ProblemKind[];
const write = [
  'malformed-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'no-history',
  'conflict',
  'too-large',
  'unsupported-media-type',
  'unprocessable',
] as const satisfies readonly ProblemKind[];

/** The refusals of these paths, for the components that they refer to. */
export const subscriptionProblems: readonly (readonly ProblemKind[])[] = [read, write];

const subscription = {
  type: 'object',
  required: ['id', 'address', 'url', 'created', 'since', 'failures', 'dead_letters'],
  properties: {
    id: text,
    address: { type: 'string', format: 'uri' },
    url: { type: 'string', format: 'uri', description: 'Where deliveries go.' },
    secret: { type: 'string', description: 'What deliveries are signed with; shown once.' },
    created: time,
    expires: { ...time, description: 'When its token expires.' },
    since: { ...revision, description: 'All changes up to this one were delivered.' },
    failures: { type: 'integer', description: 'Attempts of the next delivery that failed.' },
    next_attempt: time,
    reason: { type: 'string', description: 'Why the last attempt failed.' },
    dead_letters: {
      type: 'array',
      items: { type: 'object', properties: { since: revision, revision, time, reason: text } },
    },
  },
};

const operation = signedOperation('History');
const body = (required: string[], properties: JsonObject): JsonObject => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', required, properties } } },
});

/** The paths by which apps subscribe to the changes of a record, which are no calls of the ontology. */
export function subscriptionPaths(): JsonObject {
  const record = pathParameter('record_id', 'The record.');
  const one = [record, pathParameter('subscription_id', 'The subscription.')];
  const since = { ...revision, description: 'The revision after which changes are told.' };
  return {
    '/records/{record_id}/subscriptions': {
      get: operation('subscriptions', 'The subscriptions of the app to a record', [record], {
        responses: {
          200: jsonAnswer('All of them.', {
            type: 'object',
            required: ['subscriptions'],
            properties: { subscriptions: { type: 'array', items: subscription } },
          }),
          ...problemResponses(read),
        },
      }),
      post: operation('subscribe', 'Have an address told of the changes of a record', [record], {
        requestBody: body(['url'], {
          url: { type: 'string', format: 'uri', description: 'An https address of the app.' },
          since,
        }),
        responses: {
          200: jsonAnswer('The subscription, which was there already.', subscription),
          201: jsonAnswer('The new subscription, with its secret.', subscription),
          ...problemResponses(write),
        },
      }),
    },
    '/records/{record_id}/subscriptions/{subscription_id}': {
      get: operation('subscription', 'A subscription', one, {
        responses: { 200: jsonAnswer('The subscription.', subscription), ...problemResponses(read) },
      }),
      put: operation('replay_subscription', 'Have changes told again', one, {
        requestBody: body(['since'], { since }),
        responses: { 200: jsonAnswer('The subscription.', subscription), ...problemResponses(write) },
      }),
      delete: operation('unsubscribe', 'End a subscription', one, {
        responses: {
          200: jsonAnswer('It has ended.', { type: 'object', properties: { removed: { type: 'boolean' } } }),
          ...problemResponses(read),
        },
      }),
    },
  };
}
