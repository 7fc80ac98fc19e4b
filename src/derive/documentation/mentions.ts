import type { QueryTemplate } from '../../query/template.js';
import { termsOf } from '../../query/check/terms-of.js';

/** The IRIs that the queries name, each with the client method names of the calls that they answer. */
export function mentionsIn(queries: ReadonlyMap<string, QueryTemplate>): Map<string, string[]> {
  const mentions = new Map<string, string[]>();
  for (const [name, { text }] of queries) {
    for (const iri of new Set(termsOf(text).map((term) => term.iri))) {
      mentions.set(iri, [...(mentions.get(iri) ?? []), name]);
    }
  }
  return mentions;
}
