import { instants } from '../../query/partial-date.js';
import { literal, namedNode, type Term } from '../../rdf/terms.js';
import { xsd } from '../../rdf/vocabulary.js';
import type { AnalysisParameter } from './analysis.js';

/** What a type of values is. */
interface ParameterTypeFacts {
  /** What a value has to be, after "must be". */
  readonly says: (parameter: AnalysisParameter) => string;
  /** The term that a text means; undefined for a text that is none. */
  readonly term: (text: string, parameter: AnalysisParameter) => Term | undefined;
}

const identifier = /^[A-Za-z0-9._~-]{1,64}$/;
const wholeNumber = /^\d{1,9}$/;

const noControl = /^\P{Cc}{1,1000}$/u;

/** How the value of each type of parameter becomes a term: text never becomes syntax. */
export const parameterTypes = {
  text: {
    says: () => 'a text of 1 to 1000 characters',
    term: (text) => (noControl.test(text) ? literal(text) : undefined),
  },
  code: {
    says: () => 'the identifier of a code, such as 44054006',
    term: (text, { codeBase }) => (identifier.test(text) ? namedNode(codeBase + text) : undefined),
  },
  /** The first instant of a date, as analysts find it beside each date. */
  date: {
    says: () => 'a date of ISO 8601, such as 2010 or 2010-06-15',
    term: (text) => {
      const low = instants(text)?.low;
      return low === undefined ? undefined : literal(low, namedNode(xsd.dateTime));
    },
  },
  integer: {
    says: () => 'a whole number of at most nine digits',
    term: (text) =>
      wholeNumber.test(text) ? literal(String(Number(text)), namedNode(xsd.integer)) : undefined,
  },
  choice: {
    says: ({ choices }) => `one of ${choices.join(', ')}`,
    term: (text, { choices }) => (choices.includes(text) ? literal(text) : undefined),
  },
} as const satisfies Readonly<Record<string, ParameterTypeFacts>>;

export type ParameterType = keyof typeof parameterTypes;

/** The term that a text means to a parameter; undefined for a text that is none of its type. */
export function termOf(parameter: AnalysisParameter, text: string): Term | undefined {
  return parameterTypes[parameter.type].term(text, parameter);
}

/** What a value of a parameter has to be, in words. */
export function saysOf(parameter: AnalysisParameter): string {
  return parameterTypes[parameter.type].says(parameter);
}
