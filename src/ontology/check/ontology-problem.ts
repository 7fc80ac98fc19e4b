import { shortName } from '../term-names.js';
import type { Breach, Rule } from './rule.js';

/** What is wrong with the ontology: one sentence that names the subject and the rule it breaks. */
export interface OntologyProblem {
  severity: Rule['severity'];
  /** Id of the rule, such as `undeclared-term` or `call-path`. */
  rule: string;
  /** IRI (or blank node label) of what breaks it. */
  subject: string;
  message: string;
  /** The term in the subject's description beside which the fault stands, where one does. */
  near?: string;
}

/** A broken rule, with a message that begins with the subject's short name. */
export function problem({ id, severity }: Rule, { subject, says, near }: Breach): OntologyProblem {
  return {
    severity,
    rule: id,
    subject,
    message: `${shortName(subject)} ${says}.`,
    ...(near !== undefined && { near }),
  };
}
