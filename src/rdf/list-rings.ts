import { quad, namedNode, type Quad } from './terms.js';
import { rdf } from './vocabulary.js';

/** Stands for `rdf:nil` where a chain of cells is no list that JSON-LD can write. No IRI holds a "<". */
export const openEnd = `${rdf.nil}<`;

/**
 * Triples in which lists that are members of themselves end in `openEnd`: as `@list` they would be written within
 * themselves, and RDF to JSON-LD (JSON-LD 1.1 API §8.4) leaves them out altogether. All others stay as they are. The
 * time is linear.
 */
export function withOpenRings(quads: readonly Quad[]): readonly Quad[] {
  const ends = quads.filter(
    ({ predicate, object }) => predicate.value === rdf.rest && object.value === rdf.nil,
  );
  if (ends.length === 0) return quads;
  const owners = ownersOf(quads);
  const ringed = new Set<string>();
  const known = new Map<string, boolean>();
  for (const { subject } of ends) {
    const way = new Set<string>();
    let cell: string | undefined = subject.value;
    while (cell !== undefined && !known.has(cell) && !way.has(cell)) {
      way.add(cell);
      cell = owners.get(cell);
    }
    const isRinged = cell !== undefined && (known.get(cell) ?? true);
    for (const each of way) known.set(each, isRinged);
    if (isRinged) ringed.add(subject.value);
  }
  if (ringed.size === 0) return quads;
  return quads.map((each) =>
    each.predicate.value === rdf.rest && each.object.value === rdf.nil && ringed.has(each.subject.value)
      ? quad(each.subject, each.predicate, namedNode(openEnd), each.graph)
      : each,
  );
}

/** The cell in which each blank node stands that nothing else refers to. */
function ownersOf(quads: readonly Quad[]): Map<string, string> {
  const cells = new Set(
    quads.flatMap(({ subject, predicate }) => (predicate.value === rdf.rest ? [subject.value] : [])),
  );
  const references = new Map<string, string | undefined>();
  for (const { subject, object } of quads) {
    if (object.termType !== 'BlankNode') continue;
    const isOnly = !references.has(object.value) && cells.has(subject.value);
    references.set(object.value, isOnly ? subject.value : undefined);
  }
  return new Map([...references].flatMap(([node, owner]) => (owner === undefined ? [] : [[node, owner]])));
}
