import type { Analysis, AnalysisParameter, ParameterType } from '../../model/analyses/analysis.js';
import { PARQUET } from '../../analysts/result-formats.js';
import type { ProblemKind } from '../../model/problem.js';
import { isoDatePattern } from '../../rdf/iso-date.js';
import type { JsonObject } from '../../rdf/json-object.js';
import { problemResponses } from './problems.js';
import { BEARER } from './security.js';

/** Problems of an analysis, as keys of the components. */
export const analysisProblems = [
  'invalid-parameter',
  'unauthorized',
  'forbidden',
  'not-acceptable',
  'too-many-requests',
  'query-limit',
  'unavailable',
] as const satisfies readonly ProblemKind[];

export const analysisTag: JsonObject = {
  name: 'Analyses',
  description: 'Questions over all records, for analysts.',
};

const text = { schema: { type: 'string' } };
const content: JsonObject = {
  'application/sparql-results+json': { schema: { type: 'object' } },
  'application/sparql-results+xml': text,
  'text/csv': text,
  'text/tab-separated-values': text,
  [PARQUET]: {},
  'text/html': text,
};

const schemas: Readonly<Record<ParameterType, JsonObject>> = {
  text: { type: 'string', minLength: 1, maxLength: 1000 },
  code: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,64}$' },
  date: { type: 'string', pattern: isoDatePattern },
  integer: { type: 'integer', minimum: 0, maximum: 999_999_999 },
  choice: { type: 'string' },
};

/** Makes an operation for each analysis, with its name as operationId. */
export function analysisPaths(analyses: ReadonlyMap<string, Analysis>): JsonObject {
  return Object.fromEntries(
    [...analyses.values()].map((each) => [`/analyses/${each.name}`, { get: operationOf(each) }]),
  );
}

function operationOf({ name, title, description, parameters, columns }: Analysis): JsonObject {
  return {
    operationId: name,
    tags: [analysisTag['name']],
    summary: title,
    description: `${description} Columns: ${columns.join(', ')}.`,
    security: [{ [BEARER]: [] }],
    parameters: [...parameters.map(parameterOf), format],
    responses: { 200: { description: 'A table.', content }, ...problemResponses(analysisProblems) },
  };
}

function parameterOf({ name, type, comment, standard, choices }: AnalysisParameter): JsonObject {
  const standardValue = type === 'integer' ? Number(standard) : standard;
  return {
    name,
    in: 'query',
    required: standard === undefined,
    description: comment,
    schema: {
      ...schemas[type],
      ...(choices.length > 0 && { enum: [...choices] }),
      ...(standard !== undefined && { default: standardValue }),
    },
  };
}

const format: JsonObject = {
  name: '_format',
  in: 'query',
  required: false,
  description: 'The form of the answer, where the Accept field shall not say it.',
  schema: { type: 'string', enum: ['html', 'json', 'csv', 'tsv', 'xml', 'parquet'] },
};
