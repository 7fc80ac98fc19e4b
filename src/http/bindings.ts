import { literal, namedNode, type Term } from '../rdf/terms.js';
import type { AllowedCall } from './calls.js';

/**
 * The terms that a request binds into the query of its call: `$resource` the IRI addressed, `$record` the
 * record it lies in, and every path parameter as a plain literal under its own name.
 */
export function bindings(request: AllowedCall, base: string): Record<string, Term> {
  const values: Record<string, Term> = { resource: namedNode(request.resource) };
  for (const [name, value] of Object.entries(request.path)) values[name] = literal(value);
  const record = request.path['record_id'];
  if (record !== undefined) values['record'] = namedNode(`${base}/records/${record}`);
  return values;
}
