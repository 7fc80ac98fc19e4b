import { createReadStream } from 'node:fs';
import { reportSentences, type ImportReport } from '../fhir/import-tally.js';
import { loadFhir, type FhirFileReport, type FhirLoadOptions } from '../fhir/load-fhir.js';
import { mappingThreads } from '../fhir/mapping-threads.js';
import type { Mapping } from '../fhir/mapping.js';
import type { FileReport } from '../records/load-file.js';
import { STDIN } from './files-to-load.js';

/** The report of a file of FHIR resources: that of any file, with what became of its resources. */
export type FhirReport = FileReport & { readonly fhir: ImportReport; readonly endpoints?: number };

export interface FhirFilesOptions extends Omit<FhirLoadOptions, 'files' | 'dry' | 'threads'> {
  /** Paths with the type of their first resource. */
  readonly files: readonly { readonly path: string; readonly type: string }[];
  /** Store nothing where anything would be left out. */
  readonly strict?: boolean | undefined;
}

/**
 * Loads files of FHIR together: those of resources that others refer to come first, then those of patients.
 * @returns a report for each file, in the order in which they were read
 */
export async function loadFhirFiles({
  files,
  strict = false,
  ...options
}: FhirFilesOptions): Promise<FhirReport[]> {
  const ordered = [...files].sort(
    (a, b) => rankOf(a.type, options.mapping) - rankOf(b.type, options.mapping),
  );
  const opened = ordered.map(({ path }) => ({
    name: path,
    isOnce: path === STDIN,
    open: () => (path === STDIN ? process.stdin : createReadStream(path)) as AsyncIterable<Uint8Array>,
  }));
  const threads = mappingThreads();
  if (strict) {
    const reports = await loadFhir({ ...options, threads, files: opened, dry: true });
    if (reports.some((report) => concernsOf(report).length > 0)) return reports.map(refusedReport);
  }
  return (await loadFhir({ ...options, threads, files: opened })).map(fileReport);
}

function rankOf(type: string, { lookups }: Mapping): number {
  if (lookups.has(type)) return 0;
  return type === 'Patient' ? 1 : 2;
}

/** Everything that a strict load refuses. */
function concernsOf({ problems, report }: FhirFileReport): FileReport['errors'] {
  return [...problems, ...unreadOf(report)];
}

function unreadOf(report: ImportReport): FileReport['warnings'] {
  return reportSentences(report).map((reason) => ({ line: null, reason }));
}

function fileReport(found: FhirFileReport): FhirReport {
  const { file, records, statements, endpoints, quads, removed, changed, problems, report } = found;
  if (Object.keys(report.resources).length === 0 && problems.length > 0) return refused(found, problems);
  return {
    file,
    record_id: records.length === 1 ? (records[0] ?? null) : null,
    statements,
    quads,
    status: changed ? 'loaded' : 'unchanged',
    // The rest is loaded, and nobody may take it for all of the file.
    errors: problems,
    warnings: unreadOf(report),
    notes: [],
    records,
    removed,
    fhir: report,
    ...(endpoints > 0 && { endpoints }),
  };
}

function refusedReport(found: FhirFileReport): FhirReport {
  return refused(found, concernsOf(found));
}

function refused({ file, report }: FhirFileReport, errors: FileReport['errors']): FhirReport {
  const none = { record_id: null, statements: 0, quads: 0, warnings: [], notes: [], records: [], removed: 0 };
  return { file, ...none, status: 'refused', errors, fhir: report };
}
