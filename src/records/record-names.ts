import type { Graphs } from '../store/past-graphs.js';
import { fits, statementPaths, recordIri, recordPath, recordsStart } from './resource-paths.js';
import type { Ontology } from '../ontology/model.js';

/** Ids of all records, each once, in the order of their graphs' names. */
export function recordIds(primary: Pick<Graphs, 'names'>, base: string): string[] {
  const ids: string[] = [];
  for (const name of primary.names(recordsStart(base))) {
    const path = recordPath(name, base);
    if (path?.rest === '') ids.push(path.recordId);
  }
  return ids;
}

/** Names of the graphs that a record has: its own first, then all beneath it, sorted by code unit. */
export function graphNames(primary: Pick<Graphs, 'names' | 'has'>, base: string, recordId: string): string[] {
  const iri = recordIri(base, recordId);
  const own = primary.has(iri) ? [iri] : [];
  return [...own, ...[...primary.names(`${iri}/`)].sort()];
}

/** A test for names of statements: what fits the base path of a class, unlike an app's scratchpad. */
export function statementTest(ontology: Ontology, base: string): (name: string) => boolean {
  const paths = statementPaths(ontology);
  return (name) => {
    const rest = recordPath(name, base)?.rest ?? '';
    return rest !== '' && paths.some((path) => fits(path, rest));
  };
}
