import { graphTypes } from '../../ontology/answer-forms.js';
import type { ProblemKind } from '../../problem.js';
import { LARGEST_PAGE } from '../../records/lists/page.js';
import type { JsonObject } from './operation.js';
import { problemResponses } from './problems.js';

/** The refusals of the path, for the components that they refer to. */
export const changesProblems = [
  'malformed-request',
  'unknown-parameter',
  'invalid-parameter',
  'unauthorized',
  'forbidden',
  'not-found',
  'no-history',
  'not-acceptable',
  'too-many-requests',
  'unavailable',
] as const satisfies readonly ProblemKind[];

const text = { type: 'string' };
const iris = { type: 'array', items: { type: 'string', format: 'iri' } };

/** A page of changes, as JSON. */
const page = {
  type: 'object',
  required: ['changes', 'revision'],
  properties: {
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['revision', 'time', 'added', 'replaced', 'removed'],
        properties: {
          revision: { type: 'integer' },
          time: { type: 'string', format: 'date-time' },
          user: text,
          app: text,
          command: text,
          added: iris,
          replaced: iris,
          removed: iris,
        },
      },
    },
    revision: { type: 'integer', description: 'What to ask for next time.' },
    next: { type: 'string', format: 'uri', description: 'Where the next page is.' },
  },
};

/** The path of the changes of a record, which is no call of the ontology. */
export function changesPath(): JsonObject {
  const query = (name: string, description: string, schema: JsonObject): JsonObject => ({
    name,
    in: 'query',
    description,
    schema,
  });
  return {
    '/records/{record_id}/changes': {
      get: {
        operationId: 'record_changes',
        tags: ['History'],
        summary: 'What has changed in a record',
        description: 'What was added, replaced and removed since a revision, when, and by whom.',
        security: [{ oauth1: [] }],
        parameters: [
          { name: 'record_id', in: 'path', required: true, description: 'The record.', schema: text },
          query('since', 'The revision after which changes are told; default: all that are kept.', {
            type: 'integer',
            minimum: 0,
          }),
          {
            name: 'Last-Event-ID',
            in: 'header',
            description: 'Of a stream: the revision after which it goes on, before since.',
            schema: { type: 'integer', minimum: 0 },
          },
          query('limit', 'How many changes at most; not of a stream.', {
            type: 'integer',
            minimum: 1,
            maximum: LARGEST_PAGE,
          }),
        ],
        responses: {
          200: {
            description: 'The changes in their order.',
            content: {
              ...Object.fromEntries(graphTypes.map((type) => [type, { schema: text }])),
              'application/json': { schema: page },
              'text/event-stream': {
                schema: {
                  type: 'string',
                  description:
                    'A stream of server-sent events that stays open: each is one change, its id the revision.',
                },
              },
            },
          },
          304: { description: 'What the caller has is still current.' },
          ...problemResponses(changesProblems),
        },
      },
    },
  };
}
