import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unpacked } from '../disk/unpacked.js';
import { reportSentences, type ImportReport } from '../fhir/import-tally.js';
import { loadFhir, type FhirFileReport, type FhirLoadOptions } from '../fhir/load-fhir.js';
import { mappingThreads } from '../fhir/mapping-threads.js';
import type { Mapping } from '../fhir/mapping.js';
import type { FileReport } from '../records/load-file.js';
import { formatOfFile } from '../rdf/formats.js';
import { CommandError } from './command-errors.js';

/** How much of a file is looked at for telling FHIR from JSON-LD: the resource type comes first, nearly always. */
const START = 65_536;

/** What stands for standard input among the files. */
export const STDIN = '-';

/**
 * The files that some names mean: a folder means all below it that can be loaded, in the order of their names.
 * @throws CommandError for a folder without any
 */
export async function filesOf(names: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    names.map(async (name) => {
      const found = name === STDIN ? undefined : await stat(name).catch(() => undefined);
      if (!found?.isDirectory()) return [name];
      const entries = await readdir(name, { recursive: true, withFileTypes: true });
      const loadable = entries.filter((entry) => entry.isFile() && isLoadable(entry.name));
      if (loadable.length === 0)
        throw new CommandError(`The folder ${name} holds no file of RDF or FHIR, by their extensions.`);
      return loadable.map((entry) => join(entry.parentPath, entry.name)).sort();
    }),
  );
  return files.flat();
}

function isLoadable(name: string): boolean {
  return isJson(name) || formatOfFile(name) !== undefined;
}

function isJson(name: string): boolean {
  return /\.(?:json|ndjson|jsonl)(?:\.gz)?$/iu.test(name);
}

/**
 * The type of the first resource of a file of FHIR that is no Bundle, as far as its first bytes tell; undefined for a
 * file of something else, which a JSON-LD file is: it has no resource type.
 */
export async function fhirTypeOf(path: string): Promise<string | undefined> {
  if (path === STDIN) return 'Resource';
  if (!isJson(path)) return undefined;
  const isNdjson = /\.(?:ndjson|jsonl)(?:\.gz)?$/iu.test(path);
  try {
    const start = await firstText(createReadStream(path) as AsyncIterable<Buffer>);
    if (!isNdjson && /"@(?:context|id|graph)"\s*:/u.test(start)) return undefined;
    const types = [...start.matchAll(/"resourceType"\s*:\s*"(\w{1,64})"/gu)].map(([, type = '']) => type);
    if (types.length === 0) return isNdjson ? 'Endpoint' : undefined;
    return types.find((type) => type !== 'Bundle') ?? 'Bundle';
  } catch {
    // What cannot be read is told by the one who reads it.
    return isNdjson ? 'Resource' : undefined;
  }
}

/** The first text of a stream, unpacked: as much as stands in its first bytes, broken characters replaced. */
async function firstText(input: AsyncIterable<Uint8Array>): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const chunk of unpacked(input)) {
    start = Buffer.concat([start, chunk]);
    if (start.length >= START) break;
  }
  return start.subarray(0, START).toString('utf8');
}

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
