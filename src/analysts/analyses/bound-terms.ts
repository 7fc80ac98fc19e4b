import { writeSparqlTerm } from '../../query/sparql-term.js';
import { tokenize } from '../../query/tokenizer.js';
import type { Term } from '../../rdf/terms.js';
import { AnalysisValueError, type Analysis } from './analysis.js';
import { saysOf, termOf } from './parameter-types.js';

/**
 * The terms of the values of parameters, by their names.
 * @param given names and values in the order in which they were given
 * @throws AnalysisValueError for a name that it does not have or that comes twice, a value that cannot be, one that is missing
 */
export function boundTerms(
  { name, parameters }: Pick<Analysis, 'name' | 'parameters'>,
  given: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, Term>> {
  const texts = new Map<string, string>();
  for (const [parameter, text] of given) {
    if (!parameters.some((each) => each.name === parameter)) {
      const names = parameters.map((each) => each.name).join(', ');
      const has = names === '' ? 'it has none' : `it has ${names}`;
      throw new AnalysisValueError(parameter, `${name} has no such parameter; ${has}.`);
    }
    if (texts.has(parameter))
      throw new AnalysisValueError(parameter, `${parameter} is given twice; give it once.`);
    texts.set(parameter, text);
  }
  const terms = parameters.map((parameter): [string, Term] => {
    const text = texts.get(parameter.name) ?? parameter.standard;
    if (text === undefined)
      throw new AnalysisValueError(
        parameter.name,
        `${parameter.name} is missing; it must be ${saysOf(parameter)}.`,
      );
    const term = termOf(parameter, text);
    if (!term)
      throw new AnalysisValueError(parameter.name, `${parameter.name} must be ${saysOf(parameter)}.`);
    return [parameter.name, term];
  });
  return Object.fromEntries(terms);
}

/**
 * The SPARQL of an analysis with values in their places, as terms.
 * @param given names and values in the order in which they were given
 * @throws AnalysisValueError for a name that it does not have or that comes twice, a value that cannot be, one that is missing
 */
export function bindAnalysis(
  analysis: Analysis,
  given: readonly (readonly [name: string, value: string])[],
): string {
  return analysis.query.bind(boundTerms(analysis, given));
}

/** A query that is no file, with terms in the places of parameters of their names; others stay variables. */
export function withTerms(sparql: string, terms: Readonly<Record<string, Term>>): string {
  const byName = new Map(Object.entries(terms));
  return tokenize(sparql)
    .map(({ kind, text, value }) => {
      const term = kind === 'parameter' ? byName.get(value) : undefined;
      return term ? writeSparqlTerm(term) : text;
    })
    .join('');
}
