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
export { readEndpoint, type ReadEndpoint } from './read-endpoint.js';
export { writeJson } from './reading/write-json.js';
export { endpointIri, endpointToRdf } from './rdf/to-rdf.js';
export { endpointFromRdf } from './rdf/from-rdf.js';
export { InvalidEndpoint, InvalidEndpointGraph } from './invalid-endpoint.js';
