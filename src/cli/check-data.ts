import type { Ontology } from '../ontology/model.js';
import { namedNode } from '../rdf/terms.js';
import { RecordInputError } from '../records/loading/faults.js';
import { loadPatient, type Patient } from '../records/loading/patient.js';
import { poolInput } from '../records/loading/pools.js';
import { asRefusal, readRdfFile, recordIdOfFile } from '../records/loading/read-file.js';
import { violationsOf } from '../records/loading/violations.js';
import { validateResource } from '../validate/resource.js';
import { fault, type Finding } from './finding.js';

/** A file with the data of patients, checked as `load` would read it; nothing is stored. */
export async function checkDataFile(file: string, ontology: Ontology, base: string): Promise<Finding[]> {
  try {
    const fallbackId = recordIdOfFile(file);
    const { records } = poolInput(await readRdfFile(file, base, fallbackId), base);
    return records.flatMap(({ recordId, pools }) =>
      checkPatient(file, loadPatient({ pools, recordId, fallbackId, ontology, base }), ontology),
    );
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof RecordInputError)) throw error;
    return refusal.faults.map(({ line, reason }) => fault(file, 'structure', reason, line));
  }
}

function checkPatient(file: string, { graphs, warnings }: Patient, ontology: Ontology): Finding[] {
  const violations = graphs.flatMap(({ name, quads }) =>
    validateResource(ontology, namedNode(name), [...quads]).map(({ rule, message }) =>
      fault(file, rule, `${name}: ${message}`),
    ),
  );
  // The loader's warnings tell the violations too, in short; here each has been told with its rule.
  const told = new Set(violationsOf(graphs, ontology));
  const others = warnings.filter((warning) => !told.has(warning));
  return [
    ...violations,
    ...others.map((message) => ({ ...fault(file, 'structure', message), severity: 'warning' as const })),
  ];
}
