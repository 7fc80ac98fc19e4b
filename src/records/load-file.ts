import type { Ontology } from '../model/ontology/model.js';
import { StaleRevision, type Expectation, type NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { openDocumentStore } from '../store/documents/document-files.js';
import { attachFiles, ContentSwept } from './documents/attach.js';
import { FileRefused, folderSource } from './documents/folder-source.js';
import { RecordInputError, refuse, type LoadProblem } from './loading/load-problems.js';
import { loadPatient, type Patient, type KnownRecord } from './loading/load-patient.js';
import { partInput, type PartedInput } from './loading/input-graphs.js';
import { asRefusal, readRdfFile, recordIdOfFile } from './loading/read-file.js';
import { recordIri } from './resource-paths.js';
import { statementTest } from './record-names.js';
import { collectTitles, type Titles } from './titles.js';

const MAX_ATTEMPTS = 20;

export interface LoadOptions {
  readonly path: string;
  readonly recordId?: string | undefined;
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly base: string;
  /** A folder of document files named by sp:fileName, perhaps in subfolders by record id. */
  readonly documents?: string | undefined;
  readonly replace?: boolean | undefined;
  readonly strict?: boolean | undefined;
}

/** `load --json` prints the first six members. */
export interface FileReport {
  readonly file: string;
  readonly record_id: string | null;
  readonly statements: number;
  readonly quads: number;
  /** `unchanged`: everything was already stored. `refused`: nothing was stored. */
  readonly status: 'loaded' | 'unchanged' | 'refused';
  readonly errors: readonly LoadProblem[];
  readonly warnings: readonly LoadProblem[];
  readonly notes: readonly string[];
  readonly records: readonly string[];
  /** Statements removed by `replace` or a newer version of a FHIR resource. */
  readonly removed: number;
}

/**
 * Loads one RDF file in one change, all or nothing. Statements replace those with the same IRI; others stay unless
 * `replace` is set. From exports with named graphs, it skips graphs that are not statements (users, manifests,
 * scratchpads) with a warning that `strict` ignores; `backup` and `restore` carry them.
 * @returns a report with problems in `errors`
 * @throws errors of the store
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
  const { path, primary, ontology, base, strict = false } = options;
  const store = openDocumentStore(primary.directory);
  const stored = (name: string) => primary.graph(name);
  const quads = await readRdfFile(path, base, options.recordId ?? recordIdOfFile(path));
  const input = partInput(quads, base);
  const source = options.documents === undefined ? undefined : await folderSource(options.documents);
  const skipped = input.others.length === 0 ? [] : [asProblem(othersLeftOut(input.others))];
  for (let attempt = 1; ; attempt++) {
    const { patients, replace, remove, expect } = prepare(options, input);
    const attached = await attachFiles(replace, { ontology, base, store, source, stored });
    const warnings = [...patients.flatMap((one) => one.warnings), ...attached.missing].map(asProblem);
    if (strict && warnings.length > 0) return refused(options, warnings, patients);
    try {
      await primary.write({ replace: attached.graphs, remove, expect }, attached.check);
      const hasMoved = expect.some((each) => primary.revision(each.path) !== each.revision);
      return {
        ...counts(path, patients),
        status: hasMoved ? 'loaded' : 'unchanged',
        errors: [],
        warnings: [...warnings, ...skipped],
        notes: [...patients.flatMap((one) => one.notes), ...withoutFiles(attached.without)],
        removed: remove.length,
      };
    } catch (error) {
      const again = error instanceof StaleRevision || error instanceof ContentSwept;
      if (!again || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function prepare(options: LoadOptions, input: PartedInput) {
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
  const ids = patients.map(({ recordId }) => recordId);
  const remove = options.replace ? superseded(options, replace, ids) : [];
  return { patients, replace, remove, expect: known.expect };
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

function refused(
  { path, recordId }: LoadOptions,
  errors: readonly LoadProblem[],
  patients: readonly Patient[] = [],
): FileReport {
  const named = counts(path, patients);
  const nothing = { statements: 0, quads: 0, warnings: [], notes: [], removed: 0 };
  return { ...named, record_id: named.record_id ?? recordId ?? null, ...nothing, status: 'refused', errors };
}

class StoredRecords implements KnownRecord {
  readonly expect: Expectation[] = [];

  constructor(private readonly stored: LoadOptions) {}

  has(iri: string): boolean {
    return this.stored.replace !== true && this.stored.primary.has(iri);
  }

  titles(record: string): Titles {
    const { primary, base, replace } = this.stored;
    const path = record.slice(base.length);
    this.expect.push({ path, revision: primary.revision(path) });
    const titles: Titles = new Map();
    if (replace) return titles;
    for (const name of primary.names(`${record}/`)) collectTitles(primary.graph(name) ?? [], base, titles);
    return titles;
  }
}

function superseded(
  { primary, ontology, base }: LoadOptions,
  graphs: readonly NamedGraph[],
  recordIds: readonly string[],
): string[] {
  const kept = new Set(graphs.map(({ name }) => name));
  const isStatement = statementTest(ontology, base);
  return recordIds
    .flatMap((recordId) => primary.names(`${recordIri(base, recordId)}/`))
    .filter((name) => !kept.has(name) && isStatement(name));
}
