import { decodeText, readJson, UnreadableJson } from './reading/read-json.js';
import type { EndpointProblem } from './endpoint-problem.js';
import { validateEndpoint, type ValidateOptions } from './rules/validate-endpoint.js';

export type {
  CodeableConcept,
  Coding,
  ContactPoint,
  ContainedResource,
  Element,
  Endpoint,
  EndpointStatus,
  Extension,
  FreeObject,
  Identifier,
  Meta,
  Narrative,
  Period,
  Reference,
} from './types.js';
export { endpointSchema, type EndpointSchema } from './schema.js';
export type { EndpointProblem, EndpointRule } from './endpoint-problem.js';
export { validateEndpoint, type ValidateOptions } from './rules/validate-endpoint.js';
export { writeJson } from './reading/write-json.js';
export { endpointIri, endpointToRdf } from './rdf/to-rdf.js';
export { endpointFromRdf } from './rdf/from-rdf.js';
export { InvalidEndpoint, InvalidEndpointGraph } from './endpoint-problem.js';

/** The value read from a text, and all its problems. */
export interface ReadEndpoint {
  /** Undefined if the text is not JSON. It is an `Endpoint` if no problem is an error. */
  readonly value: unknown;
  readonly problems: readonly EndpointProblem[];
}

/**
 * Reads and validates the JSON text of an endpoint, as bytes in UTF-8 or as a string. Unlike `JSON.parse` with
 * `validateEndpoint` it finds duplicate names, bytes that are not text and numbers that FHIR writes otherwise,
 * gives line and column of syntax errors, and keeps the text of decimals for `writeJson` and `endpointToRdf`.
 * Throws nothing.
 */
export function readEndpoint(text: string | Uint8Array, options: ValidateOptions = {}): ReadEndpoint {
  try {
    const { value, problems } = readJson(
      typeof text === 'string' ? text.replace(/^\ufeff/u, '') : decodeText(text),
    );
    return { value, problems: [...problems, ...validateEndpoint(value, options)] };
  } catch (error) {
    if (error instanceof UnreadableJson) return { value: undefined, problems: [error.problem] };
    throw error;
  }
}
