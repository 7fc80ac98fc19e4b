import type { CallModel, FilterModel, ParameterModel } from '../../ontology/model.js';
import { MOST_CODES, valueTypeFacts, type ValueType } from '../../ontology/value-types.js';
import {
  bindFilter,
  DESCENDANTS,
  invalid,
  takesDescendants,
  type Bindable,
} from '../../query/bind-filter.js';
import { foldName } from '../../query/fold.js';
import { instants } from '../../query/partial-date.js';
import { literal, type Term } from '../../rdf/terms.js';

/** Decoded query parameters by name, each with its values in the order of the request. */
export type Given = ReadonlyMap<string, readonly string[]>;

type Argument = FilterModel | ParameterModel;

/** A code's identifier as it may stand at the end of an IRI (RFC 3986 §2.3, unreserved characters). */
const CODE = /^[A-Za-z0-9._~-]{1,64}$/;

/** How the text of each type of value becomes terms; an empty result asks for nothing. */
const readers: Record<ValueType, (argument: Argument, text: string) => Term[]> = {
  text: (_, text) => (text === '' ? [] : [literal(text)]),
  // Specification 4.1: a blank name lists everybody.
  name: (_, text) => (text === '' ? [] : [literal(foldName(text))]),
  date: ({ name }, text) => {
    if (!instants(text))
      throw invalid(name, 'is no ISO 8601 date; write it like 2010, 2010-06 or 2010-06-15T10:30:00Z');
    return [literal(text)];
  },
  code: ({ name }, text) => {
    const codes = text.split('|');
    if (codes.length > MOST_CODES) throw invalid(name, `names more than ${MOST_CODES} codes; ask for fewer`);
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
 * The filters that a request asks for, as bound patterns for the mark `#:filters` of a list: everything that the
 * ontology declares for the call and gives a pattern. They are combined with AND.
 * @param variable the variable that the list's sub-select selects
 * @param hierarchy the IRI of the graph of the ontology, which says what codes are below others
 * @throws Problem invalid-parameter that names the parameter
 */
export function boundFilters(call: CallModel, given: Given, variable: string, hierarchy: string): string[] {
  if (given.size === 0) return [];
  const below = asksForDescendants(call, given) ? hierarchy : undefined;
  return givenTerms(call, given).map(([argument, terms], index) => {
    const isCode = argument.valueType === 'code';
    return bindFilter(argument, variable, terms, index, isCode ? below : undefined);
  });
}

/**
 * What a request asks for of everything that the ontology declares for the call and gives a pattern: first what finds
 * the fewest.
 * @throws Problem invalid-parameter that names the parameter
 */
export function givenTerms(call: CallModel, given: Given): [argument: Bindable, terms: Term[]][] {
  const ranked = [...call.filters, ...call.parameters].sort(
    (a, b) => valueTypeFacts[a.valueType].rank - valueTypeFacts[b.valueType].rank,
  );
  return ranked.flatMap((argument): [Bindable, Term[]][] => {
    const text = single(given, argument.name);
    if (text === undefined) return [];
    const terms = readers[argument.valueType](argument, text);
    return isBindable(argument) && terms.length > 0 ? [[argument, terms]] : [];
  });
}

/**
 * Whether codes stand for all below them. Said without a code it would be ignored silently, and everything come back.
 * @throws Problem invalid-parameter
 */
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

const isBindable = (argument: Argument): argument is Bindable => argument.pattern !== undefined;

/**
 * The one value of a parameter, undefined when it is not given.
 * @throws Problem invalid-parameter when it is given more than once: which of them is meant cannot be known
 */
export function single(given: Given, name: string): string | undefined {
  const values = given.get(name);
  if (values && values.length > 1) throw invalid(name, 'is given more than once; give it once');
  return values?.[0];
}

/** A decimal integer between two bounds. @throws Problem invalid-parameter */
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
