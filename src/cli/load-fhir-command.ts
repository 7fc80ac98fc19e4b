import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { NO_TYPE } from '../fhir/fhir-resources.js';
import type { ImportReport } from '../fhir/import-tally.js';
import { loadFhir, type FhirFileReport, type FhirLoadOptions } from '../fhir/load-fhir.js';
import { few, lossSentence, summaryLines, summaryOf, type LoadSummary } from '../fhir/load-summary.js';
import { mappingThreads } from '../fhir/mapping-threads.js';
import type { Mapping } from '../fhir/mapping.js';
import type { FileReport } from '../records/load-file.js';
import { isNdjson, STDIN } from './files-to-load.js';

export type FhirReport = FileReport & { readonly fhir: ImportReport; readonly endpoints?: number };

/** What a strict load must not lose: the meaning, or all content as well. */
export type Strictness = 'meaning' | 'content';

export interface FhirFilesOptions extends Omit<FhirLoadOptions, 'files' | 'dry' | 'threads'> {
  readonly files: readonly { readonly path: string; readonly type: string }[];
  /** Store nothing if this would be lost. */
  readonly strict?: Strictness | undefined;
}

export interface FhirFilesReport extends Pick<LoadSummary, 'loss' | 'unmapped'> {
  readonly reports: readonly FhirReport[];
  readonly lines: readonly string[];
}

/** Loads FHIR files in the order of their dependencies. */
export async function loadFhirFiles(options: FhirFilesOptions): Promise<FhirFilesReport> {
  const { files, strict, mapping, ...rest } = options;
  const ordered = [...files].sort((a, b) => rankOf(a, mapping) - rankOf(b, mapping));
  const opened = ordered.map(({ path }) => ({
    name: path,
    isOnce: path === STDIN,
    mayBeEmpty: path === STDIN || isNdjson(path),
    open: () => (path === STDIN ? process.stdin : createReadStream(path)) as AsyncIterable<Uint8Array>,
  }));
  const load = (dry: boolean): Promise<FhirFileReport[]> =>
    loadFhir({ ...rest, mapping, threads: mappingThreads(), files: opened, dry });
  let found = strict ? await load(true) : [];
  const concerns = found.map((report) => concernsOf(report, mapping, strict));
  const isRefused = concerns.some(({ length }) => length > 0);
  if (!isRefused) found = await load(false);
  const reports = found.map((report, at) =>
    isRefused ? refused(report, concerns[at] ?? []) : fileReport(report),
  );
  const summary = summaryOf(reports, mapping.losses);
  const others = found.filter(hasNoResource).map(({ file }) => file);
  const lines = summaryLines(summary);
  if (others.length > 0) lines.push(`Without a resource of FHIR: ${few(others)}.`);
  return { ...summary, reports, lines };
}

/** Resources that others refer to come first, then patients, and last the deletions of a bulk export. */
function rankOf({ path, type }: FhirFilesOptions['files'][number], { lookups }: Mapping): number {
  if (basename(dirname(path)) === 'deleted') return 3;
  if (lookups.has(type)) return 0;
  return type === 'Patient' ? 1 : 2;
}

function concernsOf(
  report: FhirFileReport,
  { losses }: Mapping,
  strict: Strictness | undefined,
): FileReport['errors'] {
  const { loss, doubtful } = summaryOf([{ file: report.file, fhir: report.report }], losses);
  const lost = [...loss.meaning, ...doubtful, ...(strict === 'content' ? loss.content : [])];
  return [...problemsOf(report), ...lost.map((each) => ({ line: null, reason: lossSentence(each) }))];
}

/** Whether a file has content but no resource: the log or manifest of an export. */
function hasNoResource({ problems, report }: FhirFileReport): boolean {
  const isOther = problems.length > 0 && problems.every(({ reason }) => reason === NO_TYPE);
  return isOther && Object.keys(report.resources).length === 0;
}

const problemsOf = (report: FhirFileReport): FileReport['errors'] =>
  hasNoResource(report) ? [] : report.problems;

function fileReport(found: FhirFileReport): FhirReport {
  const { file, records, statements, endpoints, quads, removed, changed, report } = found;
  const problems = problemsOf(found);
  if (Object.keys(report.resources).length === 0 && problems.length > 0) return refused(found, problems);
  return {
    file,
    record_id: records.length === 1 ? (records[0] ?? null) : null,
    statements,
    quads,
    status: changed ? 'loaded' : 'unchanged',
    // The rest is loaded, but the errors show that it is not the whole file.
    errors: problems,
    warnings: [],
    notes: [],
    records,
    removed,
    fhir: report,
    ...(endpoints > 0 && { endpoints }),
  };
}

function refused({ file, report }: FhirFileReport, errors: FileReport['errors']): FhirReport {
  const none = { record_id: null, statements: 0, quads: 0, warnings: [], notes: [], records: [], removed: 0 };
  return { file, ...none, status: 'refused', errors, fhir: report };
}
