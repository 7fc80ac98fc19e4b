import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { WorkingSet } from '../store/working-set.js';
import type { MappingQuery } from './mapping.js';

/** What a query made of a batch of resources. */
export interface Mapped {
  readonly query: MappingQuery;
  readonly quads: readonly Quad[];
}

/** Characters given to the engine at once. */
const CHUNK = 1 << 20;

/**
 * Runs each query once over the triples of many resources, in an engine of their own: nothing of a file comes near
 * the one that serves records.
 * @param tables N-Triples of the mapping's tables
 * @param text N-Triples of the resources
 */
export function mapBatch(queries: readonly MappingQuery[], tables: string, text: string): Mapped[] {
  const engine = new WorkingSet();
  engine.load(tables);
  for (let start = 0; start < text.length;) {
    const end = text.length - start <= CHUNK ? text.length : text.lastIndexOf('\n', start + CHUNK) + 1;
    // A line can be longer than a chunk.
    const stop = end > start ? end : text.indexOf('\n', start) + 1;
    engine.load(text.slice(start, stop));
    start = stop;
  }
  return queries.map((query) => ({ query, quads: readTriples(engine.construct(query.text)) }));
}
