import type { DateOperator } from '../../../src/model/ontology/model.js';
import { dateComparisons, instants } from '../../../src/model/query/partial-date.js';

const compare = {
  '>=': (a: string, b: string) => a >= b,
  '>': (a: string, b: string) => a > b,
  '<=': (a: string, b: string) => a <= b,
  '<': (a: string, b: string) => a < b,
};

/** Whether a date filter keeps a stored date; false when either is no date. What the queries do in SPARQL, told apart from it. */
export function keepsDate(operator: DateOperator, stored: string, given: string): boolean {
  const { stored: side, comparison, given: bound } = dateComparisons[operator];
  const own = instants(stored);
  const asked = instants(given);
  return own !== undefined && asked !== undefined && compare[comparison](own[side], asked[bound]);
}
