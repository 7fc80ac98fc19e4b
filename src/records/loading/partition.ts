import { Graph } from '../../model/ontology/graph.js';
import { termKey } from '../../rdf/term-key.js';
import { namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { refuse } from './load-problems.js';
import type { InputGraph } from './input-graphs.js';
import type { RecordNode } from './record-node.js';
import type { FoundStatement } from './statements.js';

export type Partition = ReturnType<typeof partitionRecord>;

/** Bounds the growth of files in which everything refers to everything. */
const growthLimit = (quads: number): number => 1_000_000 + 50 * quads;

/**
 * Cuts a graph for each statement: follows objects through blank nodes and IRIs described in the file (codes, media
 * types), but not through `rdf:type`. Other statements, the record and other names of this container stay IRIs. States
 * `sp:belongsTo` once and omits `sp:hasStatement`, which exports derive.
 * @param names statement IRIs by term key
 * @returns graphs, leftover quads, and the number of blank nodes copied to several statements
 * @throws RecordInputError when copies outgrow the limit
 */
export function partitionRecord(
  statements: ReadonlyMap<string, FoundStatement>,
  names: ReadonlyMap<string, string>,
  record: RecordNode,
  base: string,
  inputGraphs: readonly InputGraph[],
) {
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
  const isFollowed = (object: Term, name: string): boolean => {
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
        if (predicate.value === sp.belongsTo && node === statement.node) continue;
        own.push(quad(rename(subject), predicate, rename(object)));
        const next = termKey(object);
        if (names.has(next) || record.is(object) || !isFollowed(object, name) || reached.has(next)) continue;
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
  // Quads that no statement reached, except those that every record states of itself.
  const leftovers = inputGraphs.flatMap(({ index }) =>
    index.quads.filter((found) => !seen.has(found) && !isRecordsOwn(found, record)),
  );
  return { graphs, leftovers, shared: shared.size };
}

function isRecordsOwn({ subject, predicate, object }: Quad, record: RecordNode): boolean {
  if (!record.is(subject)) return false;
  return (
    predicate.value === sp.hasStatement || (predicate.value === rdf.type && object.value === sp.MedicalRecord)
  );
}
