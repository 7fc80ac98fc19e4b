import { blankNode, integer, literal, namedNode, say, type Quad } from '../../rdf/terms.js';
import { api, rdf } from '../../rdf/vocabulary.js';

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
  const cells = order.map((_, index) => blankNode(`order${index}`));
  const nil = namedNode(rdf.nil);
  return [
    say(summary, rdf.type, namedNode(api.ResponseSummary)),
    say(summary, api.totalResultCount, integer(total)),
    say(summary, api.resultsReturned, integer(order.length)),
    say(summary, api.resultOrder, cells[0] ?? nil),
    ...order.flatMap((iri, index) => {
      const cell = cells[index] ?? nil;
      return [say(cell, rdf.first, namedNode(iri)), say(cell, rdf.rest, cells[index + 1] ?? nil)];
    }),
    ...(nextPageURL === undefined ? [] : [say(summary, api.nextPageURL, literal(nextPageURL))]),
  ];
}
