import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { api, rdf, xsd } from '../../rdf/vocabulary.js';

/** What a list says of itself. */
export interface ListFacts {
  /** Statements that pass the filters, on all pages. */
  readonly total: number;
  /** IRIs of the statements on this page, in order. */
  readonly order: readonly string[];
  readonly nextPageURL: string | undefined;
}

/** The `api:ResponseSummary` of a list: a blank node that nothing links to, its order an RDF list. */
export function responseSummary({ total, order, nextPageURL }: ListFacts): Quad[] {
  const summary = blankNode('summary');
  const count = (value: number): Term => literal(String(value), namedNode(xsd.integer));
  const say = (property: string, value: Term): Quad => quad(summary, namedNode(property), value);
  const cells = order.map((_, index) => blankNode(`order${index}`));
  const nil = namedNode(rdf.nil);
  return [
    say(rdf.type, namedNode(api.ResponseSummary)),
    say(api.totalResultCount, count(total)),
    say(api.resultsReturned, count(order.length)),
    say(api.resultOrder, cells[0] ?? nil),
    ...order.flatMap((iri, index) => {
      const cell = cells[index] ?? nil;
      return [
        quad(cell, namedNode(rdf.first), namedNode(iri)),
        quad(cell, namedNode(rdf.rest), cells[index + 1] ?? nil),
      ];
    }),
    ...(nextPageURL === undefined ? [] : [say(api.nextPageURL, literal(nextPageURL))]),
  ];
}
