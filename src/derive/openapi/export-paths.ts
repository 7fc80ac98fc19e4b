import { exportFormats } from '../../accounts/bulk-exports.js';
import type { ProblemKind } from '../../problem.js';
import type { JsonObject } from './operation.js';
import { jsonAnswer, pathParameter, revision, signedOperation, text, time } from './paths-of-apps.js';
import { problemResponses } from './problems.js';

const list = ['unauthorized', 'forbidden'] as const satisfies readonly ProblemKind[];
const read = ['unauthorized', 'forbidden', 'not-found'] as const satisfies readonly ProblemKind[];
const status = [
  ...read,
  'no-history',
  'unprocessable',
  'internal-error',
] as const satisfies readonly ProblemKind[];
const file = [
  ...read,
  'precondition-failed',
  'range-not-satisfiable',
  'damaged-document',
] as const satisfies readonly ProblemKind[];
const begin = [
  'malformed-request',
  'unauthorized',
  'forbidden',
  'no-history',
  'too-large',
  'unsupported-media-type',
  'unprocessable',
  'too-many-requests',
] as const satisfies readonly ProblemKind[];

/** The refusals of these paths, for the components that they refer to. */
export const exportProblems: readonly (readonly ProblemKind[])[] = [list, read, status, file, begin];

const address = { type: 'string', format: 'uri' };
const format = { type: 'string', enum: exportFormats };
const classes = { type: 'array', minItems: 1, items: { type: 'string', format: 'iri' } };

const files = (of: string): JsonObject => ({
  type: 'array',
  description: of,
  items: {
    type: 'object',
    required: ['address', 'count'],
    properties: { class: { type: 'string', format: 'iri' }, address, count: { type: 'integer' } },
  },
});

const bulkExport = {
  type: 'object',
  required: ['id', 'address', 'state', 'format', 'revision', 'created', 'records'],
  properties: {
    id: text,
    address,
    state: { type: 'string', enum: ['waiting', 'done', 'failed'] },
    format,
    classes,
    since: revision,
    revision: {
      ...revision,
      description: 'The state that the files tell of; the next export goes on from it.',
    },
    created: time,
    expires: { ...time, description: 'When its files go.' },
    records: { type: 'integer', description: 'Records that are in the files by now.' },
    reason: { type: 'string', description: 'Why it failed, in a word.' },
    files: files('Resources, by class.'),
    removed: files('Addresses of resources that were removed, a JSON object in each line.'),
  },
};

const operation = signedOperation('Export', ' For background apps alone, signed by the app.');

/** The paths by which background apps have records exported, which are no calls of the ontology. */
export function exportPaths(): JsonObject {
  const app = pathParameter('app_id', 'The app.');
  const one = [app, pathParameter('export_id', 'The export.')];
  const header = (description: string): JsonObject => ({ description, schema: text });
  const accepted = {
    ...jsonAnswer('It is being made.', bulkExport),
    headers: { 'Retry-After': header('Seconds after which to ask again.') },
  };
  return {
    '/apps/{app_id}/exports': {
      get: operation('exports', 'The exports of the app', [app], {
        responses: {
          200: jsonAnswer('All of them.', {
            type: 'object',
            required: ['exports'],
            properties: { exports: { type: 'array', items: bulkExport } },
          }),
          ...problemResponses(list),
        },
      }),
      post: operation('begin_export', 'Have records exported', [app], {
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  format,
                  since: { ...revision, description: 'Only what has changed after this revision.' },
                  classes,
                },
              },
            },
          },
        },
        responses: {
          202: {
            ...accepted,
            headers: { ...accepted.headers, 'Content-Location': header('The address of the export.') },
          },
          ...problemResponses(begin),
        },
      }),
    },
    '/apps/{app_id}/exports/{export_id}': {
      get: operation('export', 'How far an export is, and its files', one, {
        responses: {
          200: jsonAnswer('It is done.', bulkExport),
          202: {
            ...accepted,
            headers: { ...accepted.headers, 'X-Progress': header('How many records are done.') },
          },
          ...problemResponses(status),
        },
      }),
      delete: operation('remove_export', 'Cancel an export, or remove its files', one, {
        responses: {
          200: jsonAnswer('It is gone.', { type: 'object', properties: { removed: { type: 'boolean' } } }),
          ...problemResponses(read),
        },
      }),
    },
    '/apps/{app_id}/exports/{export_id}/files/{file}': {
      get: operation('export_file', 'A file of an export', [...one, pathParameter('file', 'Its number.')], {
        responses: {
          200: {
            description: 'The file, in gzip for who accepts that.',
            content: { 'application/x-ndjson': { schema: text }, 'application/n-quads': { schema: text } },
          },
          ...problemResponses(file),
        },
      }),
    },
  };
}
