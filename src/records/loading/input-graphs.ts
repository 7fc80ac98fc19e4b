import { Graph } from '../../ontology/graph.js';
import { addTo, groupedBy } from '../../rdf/by-key.js';
import type { Quad } from '../../rdf/terms.js';
import { ownUrn } from '../../rdf/vocabulary.js';
import { recordPath } from '../resource-paths.js';
import { refuse } from './load-problems.js';

/** Quads in which nodes are looked up: a whole file, or one named graph of an export. */
export interface InputGraph {
  readonly index: Graph;
  /** The IRI of the statement, or of the record, whose own graph this is. */
  readonly graph?: string;
}

/** The quads of a file, parted by record. */
export interface PartedInput {
  /** One entry for triples (its id is not known yet), one for each record for named graphs. */
  readonly records: readonly { readonly recordId?: string; readonly inputGraphs: readonly InputGraph[] }[];
  /** Named graphs of ours that are no part of a record's statements, such as users and manifests. */
  readonly others: readonly string[];
}

/**
 * Parts the quads of a file. Triples are one input graph, in which the record is still to be found. Named graphs are
 * read as our own export writes them: every graph is named by its resource under the base URL, several
 * records may stand in one file, and each graph is looked at by itself, so that it comes back as it was.
 * @throws RecordInputError when graphs have other names, or triples stand beside named graphs
 */
export function partInput(quads: readonly Quad[], base: string): PartedInput {
  const byGraph = groupedBy(quads, ({ graph }) => (graph.termType === 'DefaultGraph' ? '' : graph.value));
  const triples = byGraph.get('');
  if (byGraph.size === 0 || (triples && byGraph.size === 1)) {
    return { records: [{ inputGraphs: [{ index: new Graph(quads) }] }], others: [] };
  }
  if (triples)
    refuse([
      `${triples.length} triples stand outside the named graphs; put them into one, or name no graph.`,
    ]);
  return poolGraphs(byGraph, base);
}

function poolGraphs(byGraph: ReadonlyMap<string, readonly Quad[]>, base: string): PartedInput {
  const records = new Map<string, InputGraph[]>();
  const others: string[] = [];
  const problems: string[] = [];
  for (const [name, quads] of byGraph) {
    const path = recordPath(name, base);
    if (path && !path.rest.startsWith('apps/')) {
      addTo(records, path.recordId, { index: new Graph(quads), graph: name });
    } else if (name.startsWith(`${base}/`) || name.startsWith(ownUrn)) {
      others.push(name);
    } else {
      problems.push(
        `The graph ${name} is not named under ${base}: load an export under the base URL it was made with, ` +
          'or write the triples of one record without graphs.',
      );
    }
  }
  refuse(problems);
  return { records: [...records].map(([recordId, inputGraphs]) => ({ recordId, inputGraphs })), others };
}
