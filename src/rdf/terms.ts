import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import { rdf, xsd } from './vocabulary.js';

export type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term };

/**
 * RDF/JS terms as plain records. The terms of n3 keep everything in one id string and cut it at every access, which
 * costs more than all the rest of writing a response; n3 itself takes these as they are.
 */
class Iri implements NamedNode {
  readonly termType = 'NamedNode';
  constructor(readonly value: string) {}
  equals(other?: Term | null): boolean {
    return other?.termType === 'NamedNode' && other.value === this.value;
  }
}

class Blank implements BlankNode {
  readonly termType = 'BlankNode';
  constructor(readonly value: string) {}
  equals(other?: Term | null): boolean {
    return other?.termType === 'BlankNode' && other.value === this.value;
  }
}

class Value implements Literal {
  readonly termType = 'Literal';
  readonly direction = '';
  constructor(
    readonly value: string,
    readonly language: string,
    readonly datatype: NamedNode,
  ) {}
  equals(other?: Term | null): boolean {
    return (
      other?.termType === 'Literal' &&
      other.value === this.value &&
      other.language === this.language &&
      other.datatype.value === this.datatype.value
    );
  }
}

class Default implements DefaultGraph {
  readonly termType = 'DefaultGraph';
  readonly value = '';
  equals(other?: Term | null): boolean {
    return other?.termType === 'DefaultGraph';
  }
}

class Statement implements Quad {
  readonly termType = 'Quad';
  readonly value = '';
  constructor(
    readonly subject: Quad['subject'],
    readonly predicate: Quad['predicate'],
    readonly object: Quad['object'],
    readonly graph: Quad['graph'],
  ) {}
  equals(other?: Term | null): boolean {
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph)
    );
  }
}

const plain = new Iri(xsd.string);
const tagged = new Iri(rdf.langString);
const theDefaultGraph = new Default();
let blanks = 0;

/** The term of an absolute IRI; the IRI is not checked here (`iriFault` of iri.ts does that). */
export function namedNode(iri: string): NamedNode {
  return new Iri(iri);
}

/** A blank node; without a label one that no other call has returned. */
export function blankNode(label?: string): BlankNode {
  return new Blank(label ?? `anon${blanks++}`);
}

/** A literal: plain (`xsd:string`), with a language tag (a non-empty string) or with a datatype (a term). */
export function literal(value: string, languageOrDatatype?: string | NamedNode): Literal {
  if (languageOrDatatype === undefined || languageOrDatatype === '') return new Value(value, '', plain);
  if (typeof languageOrDatatype === 'string') return new Value(value, languageOrDatatype, tagged);
  return new Value(value, '', languageOrDatatype);
}

/** The graph without a name. */
export function defaultGraph(): DefaultGraph {
  return theDefaultGraph;
}

/** A statement, in the default graph unless a graph is given. The caller answers for subject and predicate kinds. */
export function quad(subject: Term, predicate: Term, object: Term, graph: Term = theDefaultGraph): Quad {
  return new Statement(
    subject as Quad['subject'],
    predicate as Quad['predicate'],
    object as Quad['object'],
    graph as Quad['graph'],
  );
}
