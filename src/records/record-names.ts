import type { Graphs } from '../store/past-graphs.js';
import { fits, statementPaths, recordIri, recordPath, recordsStart } from './resource-paths.js';
import type { Ontology } from '../model/ontology/model.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** Returns the ids of all records, in the order of graph names. */
export function recordIds(primary: Pick<Graphs, 'names'>, base: string): string[] {
  const ids: string[] = [];
  for (const name of primary.names(recordsStart(base))) {
    const path = recordPath(name, base);
    if (path?.rest === '') ids.push(path.recordId);
  }
  return ids;
}

/** Returns a record's graph names: its own first, then all below it, sorted. */
export function graphNames(primary: Pick<Graphs, 'names' | 'has'>, base: string, recordId: string): string[] {
  const iri = recordIri(base, recordId);
  const own = primary.has(iri) ? [iri] : [];
  return [...own, ...[...primary.names(`${iri}/`)].sort()];
}

/** Returns a check for names of statements, which fit the base path of a class, unlike an app's scratchpad. */
export function statementTest(ontology: Ontology, base: string): (name: string) => boolean {
  const paths = statementPaths(ontology);
  return (name) => {
    const rest = recordPath(name, base)?.rest ?? '';
    return rest !== '' && paths.some((path) => fits(path, rest));
  };
}

/** Counts each record's statements and quads, by id. */
export function* listRecords(primary: PrimaryStore, ontology: Ontology, base: string) {
  const isStatement = statementTest(ontology, base);
  for (const recordId of recordIds(primary, base)) {
    const names = graphNames(primary, base, recordId);
    yield {
      record_id: recordId,
      statements: names.filter(isStatement).length,
      quads: names.reduce((sum, name) => sum + primary.size(name), 0),
    };
  }
}
