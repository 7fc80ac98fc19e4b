import type { Quad } from '../../rdf/terms.js';
import type { Graph } from '../graph.js';
import type { Ontology } from '../model.js';

/** A rule that `chartgraph validate` holds things to; its page is `docs/rules/{id}.md`. */
export interface Rule {
  readonly id: string;
  /** `error` where the container or its clients would break, `warning` for the rest. */
  readonly severity: 'error' | 'warning';
  /** What the rule asks for, in a sentence. */
  readonly summary: string;
  /** What to do when it is broken. */
  readonly hint: string;
}

/** What the rules of an ontology look at: its graph, and the model that was read from it. */
export interface OntologyInput {
  readonly graph: Graph;
  readonly quads: readonly Quad[];
  readonly ontology: Ontology;
}

/** One thing that breaks a rule of the ontology. */
export interface Breach {
  /** IRI (or blank node label) of what breaks it. */
  readonly subject: string;
  /** What follows the short name of the subject in the message, without a full stop. */
  readonly says: string;
  /** The term in the subject's description beside which it stands, where one does. */
  readonly near?: string | undefined;
}

/** A rule of the ontology together with what finds whatever breaks it. */
export interface OntologyRule extends Rule {
  readonly check: (input: OntologyInput) => readonly Breach[];
}
