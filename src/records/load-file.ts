import type { Ontology } from '../ontology/model.js';
import { StaleRevision, type Change, type Expectation } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { openDocumentStore } from '../disk/document-files.js';
import { attachFiles, ContentSwept } from './documents/attach.js';
import { FileRefused, folderSource, type FileSource } from './documents/folder-source.js';
import { RecordInputError, refuse, type LoadProblem } from './loading/load-problems.js';
import { loadPatient, type Patient } from './loading/load-patient.js';
import { partInput, type PartedInput } from './loading/input-graphs.js';
import { asRefusal, readRdfFile, recordIdOfFile } from './loading/read-file.js';
import { StoredRecords, superseded } from './stored-records.js';

/** How often a file is put together again because somebody else wrote to its record meanwhile. */
const ATTEMPTS = 20;

export interface LoadOptions {
  readonly path: string;
  /** Default: the id in the file, else the digits of its name. */
  readonly recordId?: string | undefined;
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly base: string;
  /** The folder in which the files of documents are found by their sp:fileName, or below it by record id. */
  readonly documents?: string | undefined;
  /** Take the statements out of the record that the file does not hold; apps' scratchpads stay. */
  readonly replace?: boolean | undefined;
  /** Refuse the file for warnings too. */
  readonly strict?: boolean | undefined;
}

/** What became of one file; the first six members are what `load --json` prints. */
export interface FileReport {
  readonly file: string;
  /** The record of the file; null when it is unknown or there are several. */
  readonly record_id: string | null;
  readonly statements: number;
  readonly quads: number;
  /** `unchanged`: everything was there already. `refused`: nothing was stored. */
  readonly status: 'loaded' | 'unchanged' | 'refused';
  readonly errors: readonly LoadProblem[];
  readonly warnings: readonly LoadProblem[];
  readonly notes: readonly string[];
  /** All records of the file: several for an export of several. */
  readonly records: readonly string[];
  /** Statements that `replace` took out, or a later version of a FHIR resource. */
  readonly removed: number;
}

/**
 * Loads one file of RDF into the records of a data directory, whole or not at all: one change holds every record
 * of the file. Statements are put in by their IRI, so that what is loaded again replaces itself and what the file
 * does not hold stays, unless `replace` is asked for. Formats, naming and cutting: `loading/`.
 *
 * Files with named graphs are exports: their graphs are named by their resources, several records may come in one
 * file, and graphs that are no statement of a record (users, manifests, the ontology, scratchpads) are left out
 * with a warning that is no error under `strict`; `backup` and `restore` carry those.
 * @returns the report; what is wrong with the file is in `errors`
 * @throws what the store throws: the disk is full, the data directory is closed
 */
export async function loadFile(options: LoadOptions): Promise<FileReport> {
  try {
    return await load(options);
  } catch (error) {
    const refusal =
      error instanceof FileRefused ? new RecordInputError([asProblem(error.message)]) : asRefusal(error);
    if (!(refusal instanceof RecordInputError)) throw error;
    return refused(options, refusal.problems);
  }
}

async function load(options: LoadOptions): Promise<FileReport> {
  const { path, primary, base, strict = false } = options;
  const quads = await readRdfFile(path, base, options.recordId ?? recordIdOfFile(path));
  const input = partInput(quads, base);
  const source = options.documents === undefined ? undefined : await folderSource(options.documents);
  const skipped = input.others.length === 0 ? [] : [asProblem(othersLeftOut(input.others))];
  for (let attempt = 1; ; attempt++) {
    const prepared = prepare(options, input);
    const attached = await attach(options, prepared, source);
    const warnings = [...prepared.patients.flatMap((one) => one.warnings), ...attached.missing].map(
      asProblem,
    );
    if (strict && warnings.length > 0) return refused(options, warnings, prepared.patients);
    try {
      await primary.write({ ...prepared.change, replace: attached.graphs }, attached.check);
      return {
        ...counts(path, prepared.patients),
        status: hasMoved(primary, prepared.expect) ? 'loaded' : 'unchanged',
        errors: [],
        warnings: [...warnings, ...skipped],
        notes: [...prepared.patients.flatMap((one) => one.notes), ...withoutFiles(attached.without)],
        removed: prepared.change.remove?.length ?? 0,
      };
    } catch (error) {
      // Somebody wrote to the record while we read its titles, or swept a file that we had just put: look again.
      const again = error instanceof StaleRevision || error instanceof ContentSwept;
      if (!again || attempt === ATTEMPTS) throw error;
    }
  }
}

interface Prepared {
  readonly patients: readonly Patient[];
  readonly change: Change;
  /** The revisions of the records that the change was made against. */
  readonly expect: readonly Expectation[];
}

function hasMoved(primary: PrimaryStore, expect: readonly Expectation[]): boolean {
  return expect.some(({ path, revision }) => primary.revision(path) !== revision);
}

/** Makes the records of a file and the one change that stores them, against the record as it stands now. */
function prepare(options: LoadOptions, input: PartedInput): Prepared {
  const { ontology, base } = options;
  const known = new StoredRecords(options);
  const patients = input.records.map(({ recordId, inputGraphs }) => {
    if (recordId !== undefined && options.recordId !== undefined && recordId !== options.recordId) {
      refuse([`The file holds record ${recordId}, but record ${options.recordId} was asked for.`]);
    }
    const hints = { recordId: recordId ?? options.recordId, fallbackId: recordIdOfFile(options.path) };
    return loadPatient({ inputGraphs, ontology, base, known, ...hints });
  });
  const replace = patients.flatMap(({ graphs }) => graphs);
  const remove = options.replace
    ? superseded(
        options,
        replace,
        patients.map(({ recordId }) => recordId),
      )
    : [];
  return { patients, change: { replace, remove, expect: known.expect }, expect: known.expect };
}

function attach(options: LoadOptions, { change }: Prepared, source: FileSource | undefined) {
  const { primary, ontology, base } = options;
  const store = openDocumentStore(primary.directory);
  const stored = (name: string) => primary.graph(name);
  return attachFiles(change.replace ?? [], { ontology, base, store, source, stored });
}

function withoutFiles(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? 'document has' : 'documents have'} no file; --documents brings files in.`,
  ];
}

function othersLeftOut(names: readonly string[]): string {
  const first = names.slice(0, 3).join(', ');
  return `${names.length} graphs are no statements of a record and were left out (${first}); backup and restore carry them.`;
}

function asProblem(reason: string): LoadProblem {
  return { line: null, reason };
}

function counts(path: string, patients: readonly Patient[]) {
  const records = patients.map(({ recordId }) => recordId);
  return {
    file: path,
    record_id: records.length === 1 ? (records[0] ?? null) : null,
    records,
    statements: patients.reduce((sum, { statements }) => sum + statements, 0),
    quads: patients.reduce((sum, { quads }) => sum + quads, 0),
  };
}

/** The report of a file of which nothing was stored. */
function refused(
  { path, recordId }: LoadOptions,
  errors: readonly LoadProblem[],
  patients: readonly Patient[] = [],
): FileReport {
  const named = counts(path, patients);
  return {
    ...named,
    record_id: named.record_id ?? recordId ?? null,
    statements: 0,
    quads: 0,
    status: 'refused',
    errors,
    warnings: [],
    notes: [],
    removed: 0,
  };
}
