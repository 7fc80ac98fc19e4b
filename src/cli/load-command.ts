import type { Command } from 'commander';
import { loadOntology } from '../model/ontology/directory.js';
import type { Mapping } from '../fhir/mapping.js';
import { loadFile, type FileReport } from '../records/load-file.js';
import { UsageError } from './command-errors.js';
import { commandConcerns } from './command-entries.js';
import { listFromTheStart, withData, type OpenData } from './open-data.js';
import { fhirTypeOf, filesOf, STDIN } from './files-to-load.js';
import type { FhirFilesReport, FhirReport } from './load-fhir-command.js';
import { recordId } from './argument-values.js';
import { complain, count, print, printJson, withProgress } from './output.js';
import { readSettings } from './read-settings.js';

interface LoadOptions {
  record?: string;
  documents?: string;
  replace?: boolean;
  strict?: boolean;
  'strict=content'?: boolean;
  recordIdSystem?: string;
  keepSource?: boolean;
  json?: boolean;
}

type Report = FileReport & { endpoints?: number } & Partial<Pick<FhirReport, 'fhir'>>;

/** `chartgraph load`: loads each file completely or not at all, and reports bad ones. */
export function define(command: Command): void {
  command
    .argument(
      '<file...>',
      'RDF/XML, Turtle, TriG, N-Triples, N-Quads or JSON-LD, or FHIR R4 in JSON or NDJSON; also gzip, folders, - for FHIR on standard input',
    )
    .option(
      '--record <id>',
      'the record to load into (default: the id in the file or the digits of its name)',
      recordId,
    )
    .option('--documents <dir>', 'take the files of documents from here, by their file names')
    .option('--replace', 'take out of the record what the file does not hold')
    .option(
      '--strict',
      'refuse what the ontology does not allow instead of warning; FHIR: what would lose its meaning',
    )
    .option('--strict=content', 'FHIR: refuse also what has no place in a record')
    .option(
      '--record-id-system <url>',
      'FHIR: the identifier system of patients whose value is the record id',
    )
    .option('--keep-source', 'FHIR: keep each resource as a document of its record')
    .option('--queries <dir>', 'FHIR: the queries with the mapping instead of the shipped ones')
    .option('--ontology <dir>', 'the ontology to check against instead of the shipped one')
    .option('--json', 'print what became of each file as JSON')
    .action(async (names: string[], { json, ...options }: LoadOptions) => {
      const settings = readSettings(command.optsWithGlobals());
      const { ontology } = await loadOntology(settings.ontology);
      const reports: Report[] = [];
      let fhir: FhirFilesReport | undefined;
      const strictness = options['strict=content'] ? 'content' : options.strict ? 'meaning' : undefined;
      const strict = strictness !== undefined;
      // Before a data directory is created, which needs something to load.
      const paths = await filesOf(names);
      const loadAll = async (open: OpenData): Promise<void> => {
        const { primary, base } = open;
        await listFromTheStart(open, ontology);
        const files = await Promise.all(
          paths.map(async (path) => ({ path, type: (await fhirTypeOf(path)) ?? 'RDF' })),
        );
        const resources = files.filter(({ type }) => type !== 'RDF' && type !== 'Endpoint');
        const { record: recordId, documents, replace, recordIdSystem: system, keepSource } = options;
        await withProgress('Loading', files.length, async (at) => {
          for (const { path, type } of files) {
            // Imported only for FHIR: this takes longer than loading a small RDF file.
            if (type === 'Endpoint') {
              const { loadEndpointFile } = await import('./load-endpoint-command.js');
              reports.push(await loadEndpointFile(path, primary, strict));
            } else if (type === 'RDF') {
              const where = { path, primary, ontology, base, recordId, documents };
              reports.push(await loadFile({ ...where, replace, strict }));
            }
            at(reports.length);
          }
          if (resources.length === 0) return;
          if (replace === true)
            throw new UsageError(
              '--replace is for RDF: a later version of a FHIR resource replaces its statements.',
            );
          if (strict && resources.some(({ path }) => path === STDIN))
            throw new UsageError(
              '--strict reads everything twice, which standard input is not: load a file.',
            );
          const { mappingFolders, readMapping } = await import('../fhir/mapping.js');
          const { loadFhirFiles } = await import('./load-fhir-command.js');
          const mapping = await readMapping(mappingFolders(settings.queries), ontology);
          for (const line of await earlierMappingLines(primary, mapping)) complain(line);
          const start = reports.length;
          const onFile = (done: number): void => at(start + done);
          const to = { primary, ontology, mapping, base, recordId, system, keepSource };
          fhir = await loadFhirFiles({ files: resources, strict: strictness, onFile, ...to });
          reports.push(...fhir.reports);
        });
      };
      let whole = false;
      try {
        await withData({ ...settings, create: true }, loadAll);
        whole = reports.every(({ status, errors }) => status !== 'refused' && errors.length === 0);
        whole &&= lossOf(fhir).loss.meaning.length === 0;
      } finally {
        // Also after a failure, such as a full disk, since earlier files are loaded. Before any output: a closed
        // pipe ends the command.
        commandConcerns(...recordsOf(reports).map((record) => ({ record })));
        if (!whole) process.exitCode = 1;
        for (const report of reports) tell(report);
        for (const line of fhir?.lines ?? []) complain(line);
        if (json) await printJson({ files: reports.map(asJson), ...lossOf(fhir) });
        else for (const line of lines(reports)) await print(line);
      }
    });
}

/** What another version of the mapping has made, in one line. */
async function earlierMappingLines(primary: OpenData['primary'], mapping: Mapping): Promise<string[]> {
  const { madeByOthers } = await import('../fhir/mapping-versions.js');
  const types = madeByOthers(primary, mapping).map(([type, number]) => `${number} ${type}`);
  if (types.length === 0) return [];
  return [
    `Another version of the mapping made the statements of ${types.join(', ')}; load these resources again.`,
  ];
}

function asJson({ file, record_id, statements, quads, status, errors, fhir }: Report) {
  return { file, record_id, statements, quads, status, errors, ...(fhir && { fhir }) };
}

/** What was lost, by harm; nothing for RDF, which has warnings. */
function lossOf(fhir: FhirFilesReport | undefined): Pick<FhirFilesReport, 'loss' | 'unmapped'> {
  const { loss = { meaning: [], content: [], bookkeeping: 0 }, unmapped = 0 } = fhir ?? {};
  return { loss, unmapped };
}

/** Prints errors and warnings on stderr; only the first for each FHIR file, as there may be thousands. */
function tell({ file, errors, warnings, fhir }: Report): void {
  const at = (line: number | null): string => (line === null ? file : `${file}:${line}`);
  const told = fhir ? errors.slice(0, 1) : errors;
  const more = errors.length - told.length;
  const rest = more === 0 ? '' : ` And ${more} more; --json lists them.`;
  for (const { line, reason } of told) complain(`${at(line)}: ${oneLine(reason)}${rest}`);
  for (const { line, reason } of warnings) complain(`warning: ${at(line)}: ${oneLine(reason)}`);
}

function recordsOf(reports: readonly Report[]): string[] {
  return [...new Set(reports.flatMap(({ status, records }) => (status === 'refused' ? [] : records)))];
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/gu, ' ');
}

function lines(reports: readonly Report[]): string[] {
  const sum = (of: (report: Report) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const [statements, quads] = [sum((report) => report.statements), sum((report) => report.quads)];
  const refused = reports.filter(({ status }) => status === 'refused').length;
  const endpoints = sum((report) => report.endpoints ?? 0);
  const removed = sum((report) => (report.fhir ? report.removed : 0));
  const closing = [
    count(reports.length - refused, 'file'),
    count(recordsOf(reports).length, 'record'),
    count(statements, 'statement'),
    count(quads, 'quad'),
    ...(endpoints === 0 ? [] : [count(endpoints, 'endpoint')]),
    ...(removed === 0 ? [] : [`${removed} taken out`]),
  ].join(', ');
  return [
    ...reports.flatMap(about),
    `Loaded ${closing}${refused === 0 ? '' : `; ${count(refused, 'file')} refused`}.`,
  ];
}

function about(report: Report): string[] {
  const { file, records, statements, quads, status, removed, notes } = report;
  // A folder of FHIR has thousands of files that share records.
  if (status === 'refused' || report.fhir) return [];
  if (report.endpoints !== undefined && records.length === 0)
    return [`${file}: ${status} ${count(report.endpoints, 'endpoint')} (${count(quads, 'quad')})`];
  const into = records.length === 1 ? `record ${records[0]}` : count(records.length, 'record');
  const sizes = `${count(statements, 'statement')}, ${count(quads, 'quad')}`;
  const taken = removed === 0 ? '' : `, ${removed} taken out`;
  return [`${file}: ${status} ${into} (${sizes}${taken})`, ...notes.map((note) => `  ${note}`)];
}
