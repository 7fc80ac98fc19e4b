import { isUndeclared } from '../model/check/vocabulary-terms.js';
import type { Ontology } from '../model/ontology/model.js';
import { shortNameIn } from '../model/ontology/term-names.js';
import { termsIn, type Token } from '../model/query/tokenizer.js';
import { nearestName } from '../rdf/nearest-name.js';
import { placeOf, type Place } from './query-fault.js';

/** An undeclared term, which no statement can use. */
export interface UnknownTerm extends Place {
  readonly message: string;
}

const MAX_WARNINGS = 10;
const MAX_DISTANCE = 3;
const MAX_NAME = 80;

/**
 * Returns a query's undeclared terms in the container's vocabularies, each with the closest declared one. @param tokens
 * without spaces and comments, all prefixes declared @param sent the caller's part @param start its offset
 */
export function unknownTerms(
  tokens: readonly Token[],
  sent: string,
  start: number,
  named: Pick<Ontology, 'terms' | 'prefixes'>,
): UnknownTerm[] {
  return termsIn(tokens)
    .filter(({ iri }) => isUndeclared(iri, named.terms))
    .slice(0, MAX_WARNINGS)
    .map(({ iri, at }) => {
      const meant = nearest(iri, named.terms);
      const hint = meant === undefined ? '' : ` Did you mean ${shortNameIn(named, meant)}?`;
      return {
        message: `${cut(shortNameIn(named, iri))} is not declared in the ontology, so nothing has it.${hint}`,
        ...placeOf(sent, at - start),
      };
    });
}

const cut = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name;

function nearest(iri: string, terms: ReadonlySet<string>): string | undefined {
  const namespace = iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
  const names = [...terms]
    .filter((term) => term.startsWith(namespace))
    .map((term) => term.slice(namespace.length));
  const name = nearestName(iri.slice(namespace.length), names, MAX_DISTANCE);
  return name === undefined ? undefined : namespace + name;
}
