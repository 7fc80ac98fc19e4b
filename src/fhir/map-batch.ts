import { WorkingSet } from '../store/working-set.js';

/**
 * Runs each query once over the triples of many resources, in a separate engine: nothing of a file comes near the one
 * that serves records.
 * @param queries SPARQL
 * @param tables N-Triples of the mapping's tables
 * @param chunks N-Triples of the resources
 * @param engine an empty one
 * @returns the N-Triples that each query made; lines may repeat
 */
export function mapBatch(
  queries: readonly string[],
  tables: string,
  chunks: readonly string[],
  engine = new WorkingSet(),
): string[] {
  engine.load(tables);
  for (const text of chunks) engine.load(text);
  return queries.map((text) => engine.construct(text));
}
