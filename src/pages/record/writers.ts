import type { ShownStatement } from '../shown/shown-statement.js';
import type { RecordParts, RecordReads } from './record-reads.js';

/** Marks what was posted by somebody who is no clinician. Lists name nobody, since they are drawn once for all readers. */
export function withWriters(
  { accounts, ontology }: Pick<RecordParts, 'accounts' | 'ontology'>,
  { data }: RecordReads,
  statements: readonly ShownStatement[],
): ShownStatement[] {
  const posted = new Set(ontology.calls.flatMap(({ method, target }) => (method === 'POST' ? target : [])));
  return statements.map((statement): ShownStatement => {
    const { user } = (posted.has(statement.model.iri) && data.addedBy(statement.iri)) || {};
    const isMarked = user !== undefined && accounts.user(user)?.role !== 'clinician';
    return isMarked
      ? { ...statement, summary: () => ['Not written by a clinician', ...statement.summary()] }
      : statement;
  });
}
