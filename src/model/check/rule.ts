import type { Quad } from '../../rdf/terms.js';
import type { Graph } from '../ontology/graph.js';
import type { Ontology } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';

/** A rule of `chartgraph validate`; its page is `docs/rules/{id}.md`. */
export interface Rule {
  readonly id: string;
  /** `error` when the container or its clients would break, otherwise `warning`. */
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly hint: string;
}

export interface OntologyInput {
  readonly graph: Graph;
  readonly quads: readonly Quad[];
  readonly ontology: Ontology;
}

export interface Breach {
  readonly subject: string;
  /** Follows the subject's short name in the message, without a full stop. */
  readonly says: string;
  /** The term in the subject's description that marks the position. */
  readonly near?: string | undefined;
  /** The files with the position, if others describe the subject, too. */
  readonly paths?: readonly string[] | undefined;
}

export const breach = (subject: string, says: string, near?: string): Breach => ({ subject, says, near });

export interface OntologyRule extends Rule {
  readonly check: (input: OntologyInput) => readonly Breach[];
}

/** A problem of the ontology, as one sentence that names the subject and the broken rule. */
export interface OntologyProblem {
  severity: Rule['severity'];
  rule: string;
  subject: string;
  message: string;
  near?: string;
  paths?: readonly string[];
}

/** Turns a breach into a problem; the message begins with the subject's short name. */
export function problem({ id, severity }: Rule, { subject, says, near, paths }: Breach): OntologyProblem {
  return {
    severity,
    rule: id,
    subject,
    message: `${shortName(subject)} ${says}.`,
    ...(near !== undefined && { near }),
    ...(paths !== undefined && { paths }),
  };
}

/** The most problems that a failed start lists: a wrong folder breaks every rule at once. */
const MOST = 5;

export function fewLines(sentences: readonly string[]): string {
  const others = sentences.length - MOST;
  const more = others > 0 ? [`and ${others} more; chartgraph validate names all of them`] : [];
  return [...sentences.slice(0, MOST), ...more].join('\n');
}
