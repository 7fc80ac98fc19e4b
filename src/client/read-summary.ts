import { parseUrl } from '../rdf/parse-url.js';
import type { Graph } from '../ontology/graph.js';
import type { Term } from '../rdf/terms.js';
import { api } from '../rdf/vocabulary.js';

/** What a list says of itself. */
export interface Summary {
  readonly total: number | undefined;
  /** The things of the page in their order. */
  readonly order: readonly Term[];
  /** The query of the next page, with its question mark. */
  readonly next: string | undefined;
}

/**
 * Reads the api:ResponseSummary of a list.
 * @param found the things of the page in the order of the text: what counts where there is no summary
 * @param link the Link field of the response, which says the next page where there is no summary
 */
export function readSummary(graph: Graph, found: readonly Term[], link: string | null): Summary {
  const summary = [...graph.subjects()].find((key) => graph.hasType(key, api.ResponseSummary));
  const next = summary === undefined ? undefined : graph.value(summary, api.nextPageURL);
  const total = summary === undefined ? undefined : graph.value(summary, api.totalResultCount);
  const head = summary === undefined ? undefined : graph.objects(summary, api.resultOrder)[0];
  return {
    total: total === undefined ? undefined : Number(total),
    order: head === undefined ? found : graph.list(head),
    next: queryOf(next ?? /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1]),
  };
}

/** Only the query is taken over: where requests are sent, the settings say and not an answer. */
function queryOf(url: string | undefined): string | undefined {
  // What is relative may be relative to anything here.
  const anywhere = 'http://localhost';
  const parsed = url === undefined ? undefined : parseUrl(url, anywhere);
  if (!parsed) return undefined;
  return parsed.search;
}
