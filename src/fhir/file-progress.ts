import type { FhirProblem } from './fhir-resources.js';
import type { Gone } from './gone-statements.js';
import { ImportTally } from './import-tally.js';

/** A file while it is being loaded. */
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

/** Counts what was taken out, for the files which say so: its records are others now, too. */
export function countGone(files: ReadonlyMap<ImportTally, FileProgress>, gone: readonly Gone[]): void {
  for (const { recordId, tally } of gone) {
    const progress = files.get(tally);
    if (!progress) continue;
    progress.records.add(recordId);
    progress.removed++;
    progress.changed = true;
  }
}
