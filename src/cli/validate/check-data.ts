import type { Rule } from '../../model/check/rule.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { SubjectLines } from '../../rdf/parse-steps.js';
import { namedNode } from '../../rdf/terms.js';
import { RecordInputError } from '../../records/loading/load-problems.js';
import { loadPatient, type Patient } from '../../records/loading/load-patient.js';
import { partInput } from '../../records/loading/input-graphs.js';
import { asRefusal, readRdfFile, recordIdOfFile } from '../../records/loading/read-file.js';
import { checkGraph } from '../../model/validate/check-graph.js';
import { fault, type Diagnostic } from './diagnostic.js';
import { inProgress } from '../output.js';

export const structure: Rule = {
  id: 'structure',
  severity: 'error',
  summary: 'A file of data is well-formed RDF, about one record, or with a graph for each record.',
  hint: 'Fix the file where the message says; load refuses it, or leaves out what is wrong and says so.',
};

const MANY = 300;

/** Checks a file against the shapes, read as by `load`. @param asked its record, as in `load --record` */
export async function checkDataFile(
  file: string,
  ontology: Ontology,
  base: string,
  asked?: string,
): Promise<Diagnostic[]> {
  try {
    const fallbackId = recordIdOfFile(file);
    const lines: SubjectLines = new Map();
    const quads = await readRdfFile(file, base, asked ?? fallbackId, undefined, lines);
    const { records } = partInput(quads, base);
    const diagnostics: Diagnostic[] = [];
    for (const { recordId = asked, inputGraphs } of records) {
      const patient = loadPatient({ inputGraphs, recordId, fallbackId, ontology, base });
      diagnostics.push(...(await checkPatient(file, patient, ontology, lines)));
    }
    return diagnostics;
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof RecordInputError)) throw error;
    return refusal.problems.map(({ line, reason }) => fault(file, structure.id, reason, line));
  }
}

async function checkPatient(
  file: string,
  { graphs, losses, names }: Patient,
  ontology: Ontology,
  lines: SubjectLines,
): Promise<Diagnostic[]> {
  const sources = new Map([...names].map(([source, name]) => [name, source]));
  const lineOf = (node: string): number | undefined => lines.get(sources.get(node) ?? node);
  const diagnostics: Diagnostic[] = [];
  for await (const { name, quads } of graphs.length < MANY ? graphs : inProgress('Checking', graphs))
    for (const { rule, node, message } of checkGraph(ontology, namedNode(name), quads))
      diagnostics.push(fault(file, rule, `${name}: ${message}`, lineOf(node) ?? lineOf(name) ?? null));
  return [
    ...diagnostics.sort((a, b) => (a.line ?? Number.MAX_VALUE) - (b.line ?? Number.MAX_VALUE)),
    ...losses.map((message) => fault(file, structure.id, message, null, 'warning')),
  ];
}
