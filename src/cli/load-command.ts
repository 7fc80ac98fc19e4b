import type { Command } from 'commander';
import { join } from 'node:path';
import { loadOntology } from '../ontology/directory.js';
import { loadFile, type FileReport } from '../records/load-file.js';
import { UsageError } from './command-errors.js';
import { commandConcerns } from './command-entries.js';
import { listFromTheStart, withData, type OpenData } from './open-data.js';
import { fhirTypeOf, filesOf, STDIN } from './files-to-load.js';
import type { FhirReport } from './load-fhir-command.js';
import { recordId } from './argument-values.js';
import { complain, count, print, printJson } from './output.js';
import { startProgress } from './progress.js';
import { readSettings } from './settings.js';

interface LoadOptions {
  record?: string;
  documents?: string;
  replace?: boolean;
  strict?: boolean;
  recordIdSystem?: string;
  keepSource?: boolean;
  json?: boolean;
}

/** What became of a file of records, of FHIR resources, or of endpoints. */
type Report = FileReport & { endpoints?: number } & Partial<Pick<FhirReport, 'fhir'>>;

/** `chartgraph load`: each file whole or not at all; a bad one is named and the others go on. */
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
    .option('--strict', 'refuse what the ontology does not allow instead of warning')
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
      // Before a data directory is made: where there is nothing to load, there is nothing to make one for.
      const paths = await filesOf(names);
      const loadAll = async (open: OpenData): Promise<void> => {
        const { primary, base } = open;
        await listFromTheStart(open, ontology);
        const files = await Promise.all(paths.map(async (path) => ({ path, type: await fhirTypeOf(path) })));
        const progress = await startProgress('Loading', files.length);
        const { record: recordId, documents, replace, strict, recordIdSystem: system, keepSource } = options;
        try {
          const resources: { path: string; type: string }[] = [];
          for (const { path, type } of files) {
            if (type !== undefined && type !== 'Endpoint') {
              resources.push({ path, type });
              continue;
            }
            // What reads FHIR is imported where there is FHIR: it takes longer than to load a small file of RDF.
            if (type === 'Endpoint') {
              const { loadEndpointFile } = await import('./load-endpoint-command.js');
              reports.push(await loadEndpointFile({ path, primary, strict }));
            } else {
              const where = { path, primary, ontology, base, recordId, documents };
              reports.push(await loadFile({ ...where, replace, strict }));
            }
            progress.at(reports.length);
          }
          if (resources.length > 0) {
            if (replace === true)
              throw new UsageError(
                '--replace is for RDF: a later version of a FHIR resource replaces its statements.',
              );
            if (strict === true && resources.some(({ path }) => path === STDIN))
              throw new UsageError(
                '--strict reads everything twice, which standard input is not: load a file.',
              );
            const { MAPPING_FOLDER, readMapping } = await import('../fhir/mapping.js');
            const { loadFhirFiles } = await import('./load-fhir-command.js');
            const mapping = await readMapping(join(settings.queries, MAPPING_FOLDER), ontology);
            const start = reports.length;
            const onFile = (done: number): void => progress.at(start + done);
            const to = { primary, ontology, mapping, base, recordId, system, keepSource };
            reports.push(...(await loadFhirFiles({ files: resources, strict, onFile, ...to })));
          }
        } finally {
          progress.stop();
        }
      };
      let whole = false;
      try {
        await withData(settings, loadAll, { create: true });
        whole = reports.every(({ status, errors }) => status !== 'refused' && errors.length === 0);
      } finally {
        // Also when the disk is full in the middle: what was loaded is loaded. And before anything is printed: whoever
        // reads that may close the pipe, which ends the command.
        const records = new Set(
          reports.flatMap((report) => (report.status === 'refused' ? [] : report.records)),
        );
        commandConcerns(...Array.from(records, (id) => ({ record: id })));
        if (!whole) process.exitCode = 1;
        for (const report of reports) tell(report);
        if (json) await printJson({ files: reports.map(asJson) });
        else for (const line of lines(reports)) await print(line);
      }
    });
}

function asJson({ file, record_id, statements, quads, status, errors, fhir }: Report) {
  return { file, record_id, statements, quads, status, errors, ...(fhir && { fhir }) };
}

/** Errors and warnings, one line each, on stderr: a file may be one of thousands in a pipe. */
function tell({ file, errors, warnings }: FileReport): void {
  const at = (line: number | null): string => (line === null ? file : `${file}:${line}`);
  for (const { line, reason } of errors) complain(`${at(line)}: ${oneLine(reason)}`);
  for (const { line, reason } of warnings) complain(`warning: ${at(line)}: ${oneLine(reason)}`);
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/gu, ' ');
}

function lines(reports: readonly Report[]): string[] {
  const sum = (of: (report: Report) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const refused = reports.filter(({ status }) => status === 'refused').length;
  const records = new Set(reports.flatMap((report) => (report.status === 'refused' ? [] : report.records)));
  const endpoints = sum((report) => report.endpoints ?? 0);
  const closing = [
    count(reports.length - refused, 'file'),
    count(records.size, 'record'),
    count(
      sum(({ statements }) => statements),
      'statement',
    ),
    count(
      sum(({ quads }) => quads),
      'quad',
    ),
    ...(endpoints === 0 ? [] : [count(endpoints, 'endpoint')]),
  ].join(', ');
  return [
    ...reports.flatMap(about),
    `Loaded ${closing}${refused === 0 ? '' : `; ${count(refused, 'file')} refused`}.`,
  ];
}

function about(report: Report): string[] {
  const { file, records, statements, quads, status, removed, notes } = report;
  if (status === 'refused') return [];
  if (report.endpoints !== undefined && records.length === 0)
    return [`${file}: ${status} ${count(report.endpoints, 'endpoint')} (${count(quads, 'quad')})`];
  const into = records.length === 1 ? `record ${records[0]}` : count(records.length, 'record');
  const sizes = `${count(statements, 'statement')}, ${count(quads, 'quad')}`;
  const taken = removed === 0 ? '' : `, ${removed} taken out`;
  return [`${file}: ${status} ${into} (${sizes}${taken})`, ...notes.map((note) => `  ${note}`)];
}
