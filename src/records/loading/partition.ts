import { Graph } from '../../ontology/graph.js';
import { termKey } from '../../rdf/term-key.js';
import { namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { refuse } from './load-problems.js';
import type { InputGraph } from './input-graphs.js';
import type { RecordNode } from './record-node.js';
import type { FoundStatement } from './statements.js';

/** A record as a graph for each statement, and what belongs to none of them. */
export interface Partition {
  /** One graph for each statement, named by it, with its own copy of what it refers to. */
  readonly graphs: readonly { readonly statement: FoundStatement; readonly graph: NamedGraph }[];
  /** Triples of the file that are reachable from no statement. */
  readonly leftovers: readonly Quad[];
  /** Blank nodes that are reachable from several statements and were copied to each. */
  readonly shared: number;
}

/** A file in which everything refers to everything grows when it is partitioned; beyond this it is refused. */
const growthLimit = (quads: number): number => 1_000_000 + 50 * quads;

/**
 * Partitions a record into one graph for each statement. From the statement objects are followed through blank nodes and
 * through IRIs that the file describes (codes, media types), never through `rdf:type`; other statements and the
 * record end the walk and appear by their IRI, and so does every other name of this container. `sp:belongsTo`
 * is stated once, `sp:hasStatement` is left out: exports derive it.
 * @param inputGraphs all quads of the record: what no statement reaches is found there
 * @param names the IRI of every statement by term key
 * @throws RecordInputError when copies outgrow all measure
 */
export function partitionRecord(
  statements: ReadonlyMap<string, FoundStatement>,
  names: ReadonlyMap<string, string>,
  record: RecordNode,
  base: string,
  inputGraphs: readonly InputGraph[],
): Partition {
  const seen = new Set<Quad>();
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  const graphs: { statement: FoundStatement; graph: NamedGraph }[] = [];
  const limit = growthLimit(inputGraphs.reduce((sum, { index }) => sum + index.quads.length, 0));
  let size = 0;

  const rename = (term: Term): Term => {
    const iri = names.get(termKey(term)) ?? (record.is(term) ? record.iri : undefined);
    return iri === undefined ? term : namedNode(iri);
  };
  const goesOn = (object: Term, name: string): boolean => {
    if (object.termType === 'BlankNode') return true;
    if (object.termType !== 'NamedNode') return false;
    return !object.value.startsWith(`${base}/`) || object.value.startsWith(`${name}#`);
  };

  for (const [key, statement] of statements) {
    const name = names.get(key) ?? '';
    const own: Quad[] = [quad(namedNode(name), namedNode(sp.belongsTo), namedNode(record.iri))];
    const reached = new Set([key]);
    const queue: Term[] = [statement.node];
    for (let node = queue.pop(); node; node = queue.pop()) {
      for (const found of statement.inputGraph.index.about(node)) {
        seen.add(found);
        const { subject, predicate, object } = found;
        // Whatever statements belong to is the record: findRecord saw to that.
        if (predicate.value === sp.belongsTo && node === statement.node) continue;
        own.push(quad(rename(subject), predicate, rename(object)));
        const next = termKey(object);
        if (names.has(next) || record.is(object) || !goesOn(object, name) || reached.has(next)) continue;
        if (predicate.value === rdf.type && object.termType === 'NamedNode') continue;
        reached.add(next);
        queue.push(object);
        if (object.termType === 'BlankNode' && owners.has(next) && owners.get(next) !== name)
          shared.add(next);
        owners.set(next, name);
      }
    }
    const quads = new Graph(own).quads;
    size += quads.length;
    if (size > limit)
      refuse(['The statements share so much that copies for each would outgrow the file 50 times.']);
    graphs.push({ statement, graph: { name, quads } });
  }
  return { graphs, leftovers: leftovers(inputGraphs, seen, record), shared: shared.size };
}

/** What no statement reached, apart from what every record says of itself. */
function leftovers(inputGraphs: readonly InputGraph[], seen: ReadonlySet<Quad>, record: RecordNode): Quad[] {
  const left: Quad[] = [];
  for (const { index } of inputGraphs) {
    for (const found of index.quads) {
      if (!seen.has(found) && !isRecordsOwn(found, record)) left.push(found);
    }
  }
  return left;
}

function isRecordsOwn({ subject, predicate, object }: Quad, record: RecordNode): boolean {
  if (!record.is(subject)) return false;
  return (
    predicate.value === sp.hasStatement || (predicate.value === rdf.type && object.value === sp.MedicalRecord)
  );
}
