import { checkOntology } from '../ontology/check.js';
import { loadOntology, OntologyFileError } from '../ontology/directory.js';
import type { Ontology } from '../ontology/model.js';
import { readQueries } from '../query/load.js';
import { fault, type Finding } from './finding.js';

/** An ontology folder with all that is wrong with it; no ontology where it cannot be read. */
export interface CheckedOntology {
  ontology: Ontology | undefined;
  findings: Finding[];
}

/** Checks an ontology folder: its syntax, then the rules by which it drives the container. */
export async function checkOntologyFolder(dir: string): Promise<CheckedOntology> {
  try {
    const { ontology, quads } = await loadOntology(dir);
    const findings = checkOntology(ontology, quads).map(({ rule, severity, message }) => ({
      ...fault(dir, rule, message),
      severity,
    }));
    return { ontology, findings };
  } catch (error) {
    if (!(error instanceof OntologyFileError)) throw error;
    return { ontology: undefined, findings: [fault(error.file, 'syntax', error.reason, error.line)] };
  }
}

/** Checks a folder of queries against the ontology whose calls they answer. */
export async function checkQueryFolder(dir: string, ontology: Ontology): Promise<Finding[]> {
  const { problems } = await readQueries(dir, ontology);
  return problems.map(({ file, line, reason }) => fault(file, 'query', reason, line));
}
