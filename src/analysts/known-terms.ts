import { isVocabularyTerm } from '../ontology/check/vocabulary-terms.js';
import { shortName } from '../ontology/term-names.js';
import { termsIn } from '../query/check/terms-of.js';
import type { Token } from '../query/tokenizer.js';
import { cg } from '../rdf/vocabulary.js';
import { placeOf, type Place } from './query-fault.js';

/** A term that no statement can have, since the ontology does not declare it. */
export interface UnknownTerm extends Place {
  readonly message: string;
}

/** Said of dates in the store of analysts alone. */
const ofDates: ReadonlySet<string> = new Set([cg.earliest, cg.latest]);

/** More are not told: the first ones say enough. */
const TOLD = 10;
/** A name that differs in more than so many characters was not meant. */
const FAR = 3;
/** Characters of a name that are told: what is told stands in a header field. */
const TOLD_OF_NAME = 80;

/**
 * The terms of a query that belong to a vocabulary of the container, but that its ontology does not declare; each with
 * the declared one that is most like it.
 * @param tokens of the query with all its prefixes declared, without spaces and comments
 * @param sent what the caller sent of it, and @param start where that begins
 */
export function unknownTerms(
  tokens: readonly Token[],
  sent: string,
  start: number,
  terms: ReadonlySet<string>,
): UnknownTerm[] {
  return termsIn(tokens)
    .filter(({ iri }) => isVocabularyTerm(iri) && !terms.has(iri) && !ofDates.has(iri))
    .slice(0, TOLD)
    .map(({ iri, at }) => {
      const meant = nearest(iri, terms);
      const hint = meant === undefined ? '' : ` Did you mean ${shortName(meant)}?`;
      return {
        message: `${cut(shortName(iri))} is not declared in the ontology, so nothing has it.${hint}`,
        ...placeOf(sent, at - start),
      };
    });
}

const cut = (name: string): string =>
  name.length > TOLD_OF_NAME ? `${name.slice(0, TOLD_OF_NAME).toWellFormed()}…` : name;

function nearest(iri: string, terms: ReadonlySet<string>): string | undefined {
  let best: { term: string; far: number } | undefined;
  const namespace = iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
  for (const term of terms) {
    if (!term.startsWith(namespace) || Math.abs(term.length - iri.length) > FAR) continue;
    const far = distance(iri.slice(namespace.length), term.slice(namespace.length));
    if (far <= FAR && far < (best?.far ?? Infinity)) best = { term, far };
  }
  return best?.term;
}

/** How many characters have to be put in, taken away, changed or swapped with the next one. */
function distance(from: string, to: string): number {
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let at = 1; at <= to.length; at++) {
      const same = from[row - 1] === to[at - 1] ? 0 : 1;
      let least = Math.min((next[at - 1] ?? 0) + 1, (last[at] ?? 0) + 1, (last[at - 1] ?? 0) + same);
      const isSwapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      if (row > 1 && at > 1 && isSwapped) least = Math.min(least, (before[at - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
