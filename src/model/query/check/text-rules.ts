import { isVocabularyTerm } from '../../check/vocabulary-terms.js';
import { shortName } from '../../ontology/term-names.js';
import { prefixes } from '../../../rdf/vocabulary.js';
import { lineAt, tokenize, termsOf } from '../tokenizer.js';
import { readerOf, variablesIn, type PatternTerm } from './patterns.js';
import type { QueryBreach, QueryRule, QueryText } from './query-rule.js';

const queryParameter: QueryRule<QueryText> = {
  id: 'query-parameter',
  severity: 'error',
  summary: 'A query has only parameters of its call.',
  hint: 'Use $record, $resource, or a name that the path, a parameter or a filter of the call has.',
  check: ({ sparql, call }) => {
    // `$record` and `$resource` are IRIs; other names are the ontology's.
    const allowed = new Set([
      'resource',
      ...(call.pathParameters.includes('record_id') ? ['record'] : []),
      ...call.pathParameters,
      ...[...call.parameters, ...call.filters].map(({ name }) => name),
    ]);
    return tokenize(sparql)
      .filter(({ kind, value }) => kind === 'parameter' && !allowed.has(value))
      .map(({ value, at }) => ({
        line: lineAt(sparql, at),
        says: `${call.name} has no parameter $${value}`,
      }));
  },
};

const queryVariable: QueryRule<QueryText> = {
  id: 'query-variable',
  severity: 'error',
  summary: 'A parameter is written with $ everywhere, a variable with ?.',
  hint: 'To SPARQL the two are one name: rename the variable, or write the parameter with $.',
  // If only one of them were bound, the query would change its meaning.
  check: ({ sparql }) => {
    const tokens = tokenize(sparql);
    const used = new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value));
    return tokens
      .filter(({ kind, value }) => kind === 'variable' && used.has(value))
      .map(({ value, at }) => ({
        line: lineAt(sparql, at),
        says: `?${value} is also used as the parameter $${value}`,
      }));
  },
};

const queryTerm: QueryRule<QueryText> = {
  id: 'query-term',
  severity: 'error',
  summary: 'Every class and property of a query is declared in the ontology.',
  hint: 'Look for a misspelt name, or declare the term.',
  check: ({ sparql, ontology }) =>
    termsOf(sparql)
      .filter(({ iri }) => isVocabularyTerm(iri, ontology) && !ontology.terms.has(iri) && !isIndexTerm(iri))
      .map(({ iri, at }) => ({
        line: lineAt(sparql, at),
        says: `${shortName(iri)} is not declared in the ontology`,
      })),
};

/** Index terms are made from properties and exist in working sets only. */
function isIndexTerm(iri: string): boolean {
  return iri.startsWith(prefixes.cg) && iri.slice(prefixes.cg.length).includes('/');
}

const queryTemplate: QueryRule<QueryText> = {
  id: 'query-template',
  severity: 'error',
  summary: 'The template of a query names what it found and terms of the ontology, nothing else.',
  hint: 'Write variables as the pattern does, $resource or a variable in the place of an IRI, or declare the term in the ontology.',
  check: (input) => {
    const { tree } = input;
    if (tree.subType !== 'construct') return [];
    const places = readerOf(tree)
      .triples(tree.template)
      .flatMap(({ subject, predicate, object }) => [subject, predicate, object]);
    return [
      ...[...new Set(places.flatMap((place) => foreign(place, input)))].map((iri) => breachAt(iri, input)),
      ...unfound(places, input),
    ];
  },
};

/** Finds template variables that the pattern lacks: their triples would silently be missing. */
function unfound(places: readonly PatternTerm[], { tree, sparql }: QueryText): QueryBreach[] {
  if (places.length === 0)
    return [{ line: undefined, says: 'its template is empty, and so is every answer' }];
  const tokens = tokenize(sparql);
  const known = new Set([
    ...variablesIn(tree.where),
    ...tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value),
  ]);
  const missing = places.flatMap((place) =>
    place.kind === 'variable' && !known.has(place.name) ? [place.name] : [],
  );
  return [...new Set(missing)].map((name) => {
    const at = tokens.find(({ kind, value }) => kind === 'variable' && value === name)?.at;
    return {
      line: at === undefined ? undefined : lineAt(sparql, at),
      says: `its template has ?${name}, which its pattern never finds`,
    };
  });
}

const languages = [prefixes.rdf, prefixes.rdfs, prefixes.owl, prefixes.xsd];

function foreign(place: PatternTerm, { ontology, beside }: QueryText): string[] {
  if (place.kind !== 'iri' || ontology.terms.has(place.iri)) return [];
  const isKnown =
    isVocabularyTerm(place.iri, ontology) ||
    [...languages, ...(beside?.namespaces ?? [])].some((namespace) => place.iri.startsWith(namespace));
  return isKnown ? [] : [place.iri];
}

function breachAt(iri: string, { sparql }: QueryText): QueryBreach {
  const at = termsOf(sparql).find((term) => term.iri === iri)?.at;
  return {
    line: at === undefined ? undefined : lineAt(sparql, at),
    says: `its template always says something about <${iri}>, whatever it finds`,
  };
}

export const textRules = [queryParameter, queryVariable, queryTerm, queryTemplate];
