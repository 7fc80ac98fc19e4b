import { shortName } from '../term-names.js';
import type { Rule } from './rule.js';
import { ontologyRules, type OntologyRuleId } from './ontology-rules.js';

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

const severities = new Map<string, Rule['severity']>(ontologyRules.map(({ id, severity }) => [id, severity]));

/** A problem whose message begins with the subject's short name. */
export function problem(rule: OntologyRuleId, subject: string, says: string, near?: string): OntologyProblem {
  return {
    severity: severities.get(rule) ?? 'error',
    rule,
    subject,
    message: `${shortName(subject)} ${says}.`,
    ...(near !== undefined && { near }),
  };
}
