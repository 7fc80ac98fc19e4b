import { blankNode, literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import type { NamedGraph } from '../../src/store/graph-store.js';

export const BASE = 'http://localhost:7000';

const terms = 'https://example.org/terms#';
export const iri = (path: string, base = BASE) => namedNode(base + path);
export const term = (name: string) => namedNode(terms + name);

/** A graph about itself, with one blank node. */
export function note(path: string, text: string, base = BASE): NamedGraph {
  const inner = blankNode();
  return {
    name: base + path,
    quads: [
      quad(iri(path, base), term('text'), literal(text)),
      quad(iri(path, base), term('part'), inner),
      quad(inner, term('of'), iri(path.split('/').slice(0, 3).join('/'), base)),
    ],
  };
}

/** A query for the texts of all notes, by path. */
export const TEXTS = `SELECT ?note ?text WHERE { GRAPH ?note { ?note <${terms}text> ?text } }`;

export const everythingIn = (path: string, base = BASE) =>
  `CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <${base}${path}> { ?s ?p ?o } }`;

/** A statement as one line, for comparison in tests. */
export const shown = ({ subject, predicate, object }: Quad) =>
  `${subject.value} ${predicate.value} ${object.value}`;
