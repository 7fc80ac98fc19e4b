import type { FhirProblem } from './fhir-resources.js';
import type { Gone } from './gone-statements.js';
import { ImportTally } from './import-tally.js';

/** A file during loading. */
export interface FileProgress {
  readonly file: string;
  readonly tally: ImportTally;
  readonly records: Set<string>;
  readonly problems: FhirProblem[];
  statements: number;
  endpoints: number;
  quads: number;
  removed: number;
  changed: boolean;
}

export function beginFile(file: string): FileProgress {
  return {
    file,
    tally: new ImportTally(),
    records: new Set(),
    problems: [],
    statements: 0,
    endpoints: 0,
    quads: 0,
    removed: 0,
    changed: false,
  };
}

/** Counts removed statements, for the files that caused it: their records have changed, too. */
export function countGone(files: ReadonlyMap<ImportTally, FileProgress>, gone: readonly Gone[]): void {
  for (const { recordId, tally } of gone) {
    const progress = files.get(tally);
    if (!progress) continue;
    progress.records.add(recordId);
    progress.removed++;
    progress.changed = true;
  }
}
