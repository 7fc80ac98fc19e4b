import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import DataFactory from 'rdf-ext/DataFactory.js';
import { xsd } from './vocabulary.js';

export type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term };

/**
 * The RDF/JS terms of rdf-ext. Only its factory is loaded: the package's entry also loads parsers and HTTP, and its
 * datasets are hundreds of times slower than the index in graph.ts (docs/decisions/006, bench/terms.mjs).
 */
const factory = new DataFactory();
factory.init();

const theDefaultGraph = factory.defaultGraph();
let blanks = 0;

/** Makes the term of an absolute IRI, without checking it. */
export function namedNode(iri: string): NamedNode {
  return factory.namedNode(iri);
}

/** Makes a blank node; without a label, a new one. The factory itself would count `b1`, `b2` …, as documents do. */
export function blankNode(label?: string): BlankNode {
  return factory.blankNode(label ?? `anon${blanks++}`);
}

/** Makes a literal: plain (`xsd:string`), or with a language tag or datatype. */
export function literal(value: string, languageOrDatatype?: string | NamedNode): Literal {
  return factory.literal(value, languageOrDatatype === '' ? undefined : languageOrDatatype);
}

export function defaultGraph(): DefaultGraph {
  return theDefaultGraph;
}

export function quad(subject: Term, predicate: Term, object: Term, graph: Term = theDefaultGraph): Quad {
  return factory.quad(
    subject as Quad['subject'],
    predicate as Quad['predicate'],
    object as Quad['object'],
    graph as Quad['graph'],
  );
}

export function say(subject: Term, property: string, object: Term): Quad {
  return quad(subject, namedNode(property), object);
}

export function integer(value: number): Literal {
  return literal(String(value), namedNode(xsd.integer));
}
