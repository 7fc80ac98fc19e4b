import type { Analysis } from './analysis.js';
import { boundTerms } from './bound-terms.js';

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
