import { Graph } from '../../model/ontology/graph.js';
import { addTo, groupedBy } from '../../rdf/by-key.js';
import type { Quad } from '../../rdf/terms.js';
import { ownUrn } from '../../rdf/vocabulary.js';
import { recordPath } from '../resource-paths.js';
import { refuse } from './load-problems.js';

export interface InputGraph {
  readonly index: Graph;
  readonly graph?: string;
}

export interface PartedInput {
  /** One entry for triples, without an id yet, or one per record. */
  readonly records: readonly { readonly recordId?: string; readonly inputGraphs: readonly InputGraph[] }[];
  readonly others: readonly string[];
}

/**
 * Splits a file by record. Triples form one input graph; named graphs follow our export format, each named by its
 * resource.
 * @throws RecordInputError for other graph names, or triples beside named graphs
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
