import type { CallModel, FilterModel, ParameterModel } from '../../model/ontology/model.js';
import { MAX_CODES, valueTypeFacts, type ValueType } from '../../model/ontology/value-types.js';
import {
  bindFilter,
  DESCENDANTS,
  hasPattern,
  invalid,
  takesDescendants,
  type Bindable,
} from '../../model/query/bind-filter.js';
import { foldName } from '../../model/query/fold.js';
import { instants } from '../../model/query/partial-date.js';
import { literal, type Term } from '../../rdf/terms.js';

/** Decoded query parameters by name, values in request order. */
export type Given = ReadonlyMap<string, readonly string[]>;

type Argument = FilterModel | ParameterModel;

/** A code's identifier at the end of an IRI (RFC 3986 §2.3, unreserved characters). */
const CODE = /^[A-Za-z0-9._~-]{1,64}$/;

/** Converts a text of each value type to terms; an empty result means no filter. */
const readers: Record<ValueType, (argument: Argument, text: string) => Term[]> = {
  text: (_, text) => (text === '' ? [] : [literal(text)]),
  name: (_, text) => (text === '' ? [] : [literal(foldName(text))]),
  date: ({ name }, text) => {
    if (!instants(text))
      throw invalid(name, 'is no ISO 8601 date; write it like 2010, 2010-06 or 2010-06-15T10:30:00Z');
    return [literal(text)];
  },
  code: ({ name }, text) => {
    const codes = text.split('|');
    if (codes.length > MAX_CODES) throw invalid(name, `names more than ${MAX_CODES} codes; ask for fewer`);
    if (!codes.every((code) => CODE.test(code))) throw invalid(name, 'is no code, or codes separated by |');
    return codes.map((code) => literal(code));
  },
  choice: (argument, text) => {
    const choices = 'choices' in argument ? argument.choices : [];
    if (!choices.includes(text)) throw invalid(argument.name, `is not one of ${choices.join(', ')}`);
    return [literal(text)];
  },
  integer: ({ name }, text) => [literal(String(readInteger(name, text, 0, Number.MAX_SAFE_INTEGER)))],
};

/**
 * Returns the filters of a request as bound patterns for `#:filters`, combined with AND.
 * @param variable selected by the list's sub-select
 * @param hierarchy the IRI of the graph with skos:broader, the ontology's
 * @throws Problem invalid-parameter
 */
export function boundFilters(call: CallModel, given: Given, variable: string, hierarchy: string): string[] {
  if (given.size === 0) return [];
  const below = asksForDescendants(call, given) ? hierarchy : undefined;
  return givenTerms(call, given).map(([argument, terms], index) => {
    const isCode = argument.valueType === 'code';
    return bindFilter(argument, variable, terms, index, isCode ? below : undefined);
  });
}

/** Returns the given arguments that have a pattern, most selective first. @throws Problem invalid-parameter */
export function givenTerms(call: CallModel, given: Given): [argument: Bindable, terms: Term[]][] {
  const ranked = [...call.filters, ...call.parameters].sort(
    (a, b) => valueTypeFacts[a.valueType].rank - valueTypeFacts[b.valueType].rank,
  );
  return ranked.flatMap((argument): [Bindable, Term[]][] => {
    const text = single(given, argument.name);
    if (text === undefined) return [];
    const terms = readers[argument.valueType](argument, text);
    return hasPattern(argument) && terms.length > 0 ? [[argument, terms]] : [];
  });
}

/** Codes include their descendants if asked for; without codes that is an error. @throws Problem invalid-parameter */
function asksForDescendants({ parameters, filters }: CallModel, given: Given): boolean {
  if (!parameters.some(({ name }) => name === DESCENDANTS)) return false;
  if (single(given, DESCENDANTS) !== 'true') return false;
  const codes = filters.filter(takesDescendants).map(({ name }) => name);
  if (codes.some((name) => given.has(name))) return true;
  throw invalid(
    DESCENDANTS,
    `says what to do with codes, and none is given; give ${codes.join(' or ')}, too`,
  );
}

/** Returns the value of a parameter, if given. @throws Problem invalid-parameter when it is given twice */
export function single(given: Given, name: string): string | undefined {
  const values = given.get(name);
  if (values && values.length > 1) throw invalid(name, 'is given more than once; give it once');
  return values?.[0];
}

/** Parses a decimal integer within bounds. @throws Problem invalid-parameter */
export function readInteger(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalid(
    name,
    most === Number.MAX_SAFE_INTEGER
      ? `is no integer from ${least}`
      : `is no integer from ${least} to ${most}`,
  );
}
