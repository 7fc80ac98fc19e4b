import { WorkingSet } from '../store/working-set.js';
import { unmadeReasons, type MappingTask, type Reasons } from './unmade-reasons.js';

/** What became of a batch. */
export interface MadeOfBatch {
  /** For each query the N-Triples that it made; lines may repeat. */
  readonly texts: readonly string[];
  /** Of resources of which none was made, why. */
  readonly reasons: Reasons;
}

/**
 * Runs each query once over the triples of many resources, in an engine of their own: nothing of a file comes near
 * the one that serves records.
 * @param tables N-Triples of the mapping's tables
 * @param chunks N-Triples of the resources
 */
export function mapBatch(
  queries: readonly MappingTask[],
  tables: string,
  chunks: readonly string[],
): MadeOfBatch {
  const engine = new WorkingSet();
  engine.load(tables);
  for (const text of chunks) engine.load(text);
  const texts = queries.map(({ text }) => engine.construct(text));
  return { texts, reasons: unmadeReasons(engine, queries, texts) };
}
