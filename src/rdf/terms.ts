import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import DataFactory from 'rdf-ext/DataFactory.js';
import { xsd } from './vocabulary.js';

export type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term };

/**
 * The RDF/JS environment of the whole program is that of rdf-ext. Only its factory of terms is loaded: the package's
 * own entry loads parsers, serializers and HTTP as well, and its datasets and pointers take hundreds of times as long
 * over the ontology as the index in graph.ts (docs/decisions/006, bench/terms.mjs).
 */
const factory = new DataFactory();
factory.init();

const theDefaultGraph = factory.defaultGraph();
let blanks = 0;

/** The term of an absolute IRI; the IRI is not checked here (`iriFault` of iri.ts does that). */
export function namedNode(iri: string): NamedNode {
  return factory.namedNode(iri);
}

/**
 * A blank node; without a label one that no other call has returned. The factory would count `b1`, `b2` …, which
 * documents use as well.
 */
export function blankNode(label?: string): BlankNode {
  return factory.blankNode(label ?? `anon${blanks++}`);
}

/** A literal: plain (`xsd:string`), with a language tag (a non-empty string) or with a datatype (a term). */
export function literal(value: string, languageOrDatatype?: string | NamedNode): Literal {
  return factory.literal(value, languageOrDatatype === '' ? undefined : languageOrDatatype);
}

/** The graph without a name. */
export function defaultGraph(): DefaultGraph {
  return theDefaultGraph;
}

/** A statement, in the default graph unless a graph is given. The caller answers for subject and predicate kinds. */
export function quad(subject: Term, predicate: Term, object: Term, graph: Term = theDefaultGraph): Quad {
  return factory.quad(
    subject as Quad['subject'],
    predicate as Quad['predicate'],
    object as Quad['object'],
    graph as Quad['graph'],
  );
}

/** A statement whose predicate is named by its IRI. */
export function say(subject: Term, property: string, object: Term): Quad {
  return quad(subject, namedNode(property), object);
}

/** A whole number. */
export function integer(value: number): Literal {
  return literal(String(value), namedNode(xsd.integer));
}
