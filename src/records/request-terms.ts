import type { CallModel } from '../ontology/model.js';
import { PathTemplate, type PathValues } from '../ontology/path-template.js';
import { literal, namedNode, type Term } from '../rdf/terms.js';
import { recordIri } from './resource-paths.js';

/**
 * The IRI that a request addresses: base and path, without a slash at its end.
 * @param path decoded path parameters @throws RangeError when one of them is missing
 */
export function resourceOf(call: Pick<CallModel, 'path'>, path: PathValues, base: string): string {
  return base + PathTemplate.of(call.path).fill(path);
}

/**
 * The terms that a request binds into the query of its call: `$resource` the IRI addressed, `$record` the record it
 * lies in, and every path parameter as a plain literal under its own name.
 */
export function requestTerms(
  resource: string,
  path: Readonly<Record<string, string>>,
  base: string,
): Record<string, Term> {
  const terms: Record<string, Term> = { resource: namedNode(resource) };
  for (const [name, value] of Object.entries(path)) terms[name] = literal(value);
  const record = path['record_id'];
  if (record !== undefined) terms['record'] = namedNode(recordIri(base, record));
  return terms;
}
