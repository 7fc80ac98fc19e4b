import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { WorkingSet } from '../store/working-set.js';
import type { MappingQuery } from './mapping.js';

/** What a query made of a batch of resources. */
export interface Mapped {
  readonly query: MappingQuery;
  readonly quads: readonly Quad[];
}

/**
 * Runs each query once over the triples of many resources, in an engine of their own: nothing of a file comes near
 * the one that serves records.
 * @param tables N-Triples of the mapping's tables
 * @param chunks N-Triples of the resources
 */
export function mapBatch(
  queries: readonly MappingQuery[],
  tables: string,
  chunks: readonly string[],
): Mapped[] {
  const engine = new WorkingSet();
  engine.load(tables);
  for (const text of chunks) engine.load(text);
  return queries.map((query) => ({ query, quads: readTriples(engine.construct(query.text)) }));
}
