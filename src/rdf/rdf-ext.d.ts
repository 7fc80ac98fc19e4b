/** The part of rdf-ext that we use; the package has no types of its own. */
declare module 'rdf-ext/DataFactory.js' {
  import type * as RDF from '@rdfjs/types';

  export default class DataFactory implements RDF.DataFactory {
    /** An environment calls this once after it is assembled. */
    init(): void;
    namedNode<Iri extends string = string>(value: Iri): RDF.NamedNode<Iri>;
    blankNode(value?: string): RDF.BlankNode;
    literal(
      value: string,
      languageOrDatatype?: string | RDF.NamedNode | RDF.DirectionalLanguage,
    ): RDF.Literal;
    variable(value: string): RDF.Variable;
    defaultGraph(): RDF.DefaultGraph;
    quad(
      subject: RDF.Quad_Subject,
      predicate: RDF.Quad_Predicate,
      object: RDF.Quad_Object,
      graph?: RDF.Quad_Graph,
    ): RDF.Quad;
    fromTerm<T extends RDF.Term>(original: T): T;
    fromQuad(original: RDF.Quad): RDF.Quad;
  }
}
