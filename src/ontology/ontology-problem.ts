import { shortName } from './names.js';

/** What is wrong with the ontology: one sentence that names the subject and the rule it breaks. */
export interface OntologyProblem {
  severity: 'error' | 'warning';
  /** Name of the rule, such as `undeclared-term` or `call-path`. */
  rule: string;
  /** IRI (or blank node label) of what breaks it. */
  subject: string;
  message: string;
}

/** A problem whose message begins with the subject's short name. */
export function problem(
  rule: string,
  subject: string,
  says: string,
  severity: OntologyProblem['severity'] = 'error',
): OntologyProblem {
  return { severity, rule, subject, message: `${shortName(subject)} ${says}.` };
}
