import type { Term } from '../../rdf/terms.js';
import { AnalysisValueError, type Analysis } from './analysis.js';
import { saysOf, termOf } from './parameter-types.js';

/**
 * The SPARQL of an analysis with values in their places, as terms.
 * @param given names and values in the order in which they were given
 * @throws AnalysisValueError for a name that it does not have or that comes twice, a value that cannot be, one that is missing
 */
export function bindAnalysis(
  { name, parameters, query }: Analysis,
  given: readonly (readonly [name: string, value: string])[],
): string {
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
  return query.bind(Object.fromEntries(terms));
}
