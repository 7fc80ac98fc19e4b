import type { JsonObject } from './operation.js';

// What the paths for apps that are no calls of the ontology are described with.

export const text = { type: 'string' };
export const time = { type: 'string', format: 'date-time' };
export const revision = { type: 'integer', minimum: 0 };

/** A part of a path. */
export const pathParameter = (name: string, description: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: text,
});

/** An answer as JSON. */
export const jsonAnswer = (description: string, schema: JsonObject): JsonObject => ({
  description,
  content: { 'application/json': { schema } },
});

/** An operation that apps sign. @param description of all of a kind, after the summary */
export const signedOperation =
  (tag: string, description = '') =>
  (operationId: string, summary: string, parameters: JsonObject[], rest: JsonObject): JsonObject => ({
    operationId,
    tags: [tag],
    summary,
    description: `${summary}.${description}`,
    security: [{ oauth1: [] }],
    parameters,
    ...rest,
  });
