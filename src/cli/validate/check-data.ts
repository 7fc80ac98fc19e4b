import type { Ontology } from '../../ontology/model.js';
import type { SubjectLines } from '../../rdf/subject-lines.js';
import { namedNode } from '../../rdf/terms.js';
import { RecordInputError } from '../../records/loading/faults.js';
import { loadPatient, type Patient } from '../../records/loading/patient.js';
import { poolInput } from '../../records/loading/pools.js';
import { asRefusal, readRdfFile, recordIdOfFile } from '../../records/loading/read-file.js';
import { violationsOf } from '../../records/loading/violations.js';
import { checkGraph } from '../../validate/check-graph.js';
import { fault, type Finding } from './finding.js';
import { startProgress } from '../progress.js';

/** From so many resources on, a file takes long enough for progress to be shown. */
const MANY = 300;

/**
 * A file with the data of patients, read as `load` would read it and held against the shapes of the ontology; nothing
 * is stored.
 */
export async function checkDataFile(file: string, ontology: Ontology, base: string): Promise<Finding[]> {
  try {
    const fallbackId = recordIdOfFile(file);
    const lines: SubjectLines = new Map();
    const { records } = poolInput(await readRdfFile(file, base, fallbackId, undefined, lines), base);
    const findings: Finding[] = [];
    for (const { recordId, pools } of records) {
      const patient = loadPatient({ pools, recordId, fallbackId, ontology, base });
      findings.push(...(await checkPatient(file, patient, ontology, lines)));
    }
    return findings;
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof RecordInputError)) throw error;
    return refusal.faults.map(({ line, reason }) => fault(file, 'structure', reason, line));
  }
}

async function checkPatient(
  file: string,
  { graphs, warnings, names }: Patient,
  ontology: Ontology,
  lines: SubjectLines,
): Promise<Finding[]> {
  const sources = new Map([...names].map(([source, name]) => [name, source]));
  const lineOf = (node: string): number | undefined => lines.get(sources.get(node) ?? node);
  const findings: Finding[] = [];
  const progress = graphs.length < MANY ? undefined : await startProgress('Checking', graphs.length);
  try {
    for (const [done, { name, quads }] of graphs.entries()) {
      progress?.at(done);
      for (const { rule, node, message } of checkGraph(ontology, namedNode(name), quads)) {
        findings.push(fault(file, rule, `${name}: ${message}`, lineOf(node) ?? lineOf(name) ?? null));
      }
    }
  } finally {
    progress?.stop();
  }
  // The loader's warnings tell of violations too, in short; here each has been told with its rule.
  const told = new Set(violationsOf(graphs, ontology));
  const others = warnings.filter((warning) => !told.has(warning));
  return [
    ...findings.sort((a, b) => (a.line ?? Number.MAX_VALUE) - (b.line ?? Number.MAX_VALUE)),
    ...others.map((message) => ({ ...fault(file, 'structure', message), severity: 'warning' as const })),
  ];
}
