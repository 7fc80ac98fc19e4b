import { isContainerTerm } from '../ontology/check/vocabulary-terms.js';
import { shortName } from '../ontology/term-names.js';
import { termsIn } from '../query/check/terms-of.js';
import type { Token } from '../query/tokenizer.js';
import { nearestName } from '../rdf/nearest-name.js';
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

/** Whether an IRI belongs to a vocabulary of the container, and its ontology does not declare it. */
export function isUndeclared(iri: string, terms: ReadonlySet<string>): boolean {
  return isContainerTerm(iri) && !terms.has(iri) && !ofDates.has(iri);
}

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
    .filter(({ iri }) => isUndeclared(iri, terms))
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
  const namespace = iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
  const names = [...terms]
    .filter((term) => term.startsWith(namespace))
    .map((term) => term.slice(namespace.length));
  const name = nearestName(iri.slice(namespace.length), names, FAR);
  return name === undefined ? undefined : namespace + name;
}
