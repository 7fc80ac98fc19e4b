import { blankNode, integer, literal, namedNode, say, type Quad } from '../../rdf/terms.js';
import { api, rdf } from '../../rdf/vocabulary.js';
import { readInteger, single, type Given } from './arguments.js';

export const LARGEST_PAGE = 1000;

const FARTHEST = 2 ** 32 - 1;

/**
 * Reads `limit` (1–1000) and `offset`; without a limit the page has no end.
 * @param fallback the default limit
 * @throws Problem invalid-parameter
 */
export function readPage(given: Given, fallback?: number) {
  const limit = single(given, 'limit');
  const offset = single(given, 'offset');
  return {
    limit: limit === undefined ? fallback : readInteger('limit', limit, 1, LARGEST_PAGE),
    offset:
      offset === undefined
        ? 0
        : Math.min(FARTHEST, readInteger('offset', offset, 0, Number.MAX_SAFE_INTEGER)),
  };
}

/**
 * Returns the address of the next page, without OAuth parameters, since a signature is valid once.
 * @param url of the request without its query
 * @param pairs its decoded query
 */
export function nextPageUrl(
  url: string,
  pairs: readonly (readonly [name: string, value: string])[],
  { limit, offset }: { limit: number; offset: number },
): string {
  const kept = pairs.filter(([name]) => !name.startsWith('oauth_') && name !== 'limit' && name !== 'offset');
  const all = [...kept, ['limit', String(limit)], ['offset', String(offset + limit)]];
  return `${url}?${all.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

export interface ListFacts {
  readonly total: number;
  readonly order: readonly string[];
  readonly nextPageURL: string | undefined;
}

/** Builds the `api:ResponseSummary` of a list: an unlinked blank node with its order as an RDF list. */
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
