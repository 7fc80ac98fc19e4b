import { instants } from '../query/partial-date.js';
import { writeSparqlTerm } from '../query/sparql-term.js';
import type { QueryTemplate } from '../query/template.js';
import { tokenize } from '../query/tokenizer.js';
import { literal, namedNode, type Term } from '../../rdf/terms.js';
import { xsd } from '../../rdf/vocabulary.js';

export interface AnalysisParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly comment: string;
  readonly codeBase: string;
  readonly choices: readonly string[];
  readonly standard: string | undefined;
}

export const chartKinds = ['bar', 'line'] as const;
export type ChartKind = (typeof chartKinds)[number];

export interface AnalysisChart {
  readonly kind: ChartKind;
  readonly across: string;
  readonly values: readonly string[];
}

/** What may be shown of an analysis to those who see aggregates alone. */
export interface Aggregate {
  /** Columns that count; the first counts patients. */
  readonly counts: readonly string[];
  readonly shown: readonly string[];
}

export interface Analysis {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly AnalysisParameter[];
  readonly columns: readonly string[];
  readonly chart: AnalysisChart | undefined;
  /** Undefined if its rows tell of single patients. */
  readonly aggregate: Aggregate | undefined;
  readonly query: QueryTemplate;
}

export class AnalysisValueError extends Error {
  constructor(
    readonly parameter: string,
    message: string,
  ) {
    super(message);
    this.name = 'AnalysisValueError';
  }
}

interface ParameterTypeFacts {
  readonly says: (parameter: AnalysisParameter) => string;
  readonly term: (text: string, parameter: AnalysisParameter) => Term | undefined;
}

const identifier = /^[A-Za-z0-9._~-]{1,64}$/;
const wholeNumber = /^\d{1,9}$/;

const noControl = /^\P{Cc}{1,1000}$/u;

/** How values become terms; text never becomes syntax. */
export const parameterTypes = {
  text: {
    says: () => 'a text of 1 to 1000 characters',
    term: (text) => (noControl.test(text) ? literal(text) : undefined),
  },
  code: {
    says: () => 'the identifier of a code, such as 44054006',
    term: (text, { codeBase }) => (identifier.test(text) ? namedNode(codeBase + text) : undefined),
  },
  /** The first instant of a date; analysts find the same with each stored date. */
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

/** Turns a text into a term; undefined if it does not fit the parameter's type. */
export function termOf(parameter: AnalysisParameter, text: string): Term | undefined {
  return parameterTypes[parameter.type].term(text, parameter);
}

/** Says in words what a parameter's value must be. */
export function saysOf(parameter: AnalysisParameter): string {
  return parameterTypes[parameter.type].says(parameter);
}

/** Binds values to parameters. @throws AnalysisValueError for unknown, repeated, bad or missing values */
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

/** Returns the SPARQL of an analysis with its values filled in. @throws AnalysisValueError as `boundTerms` does */
export function bindAnalysis(
  analysis: Analysis,
  given: readonly (readonly [name: string, value: string])[],
): string {
  return analysis.query.bind(boundTerms(analysis, given));
}

/** Fills terms into the parameters of a query that is no file; parameters without a term stay as they are. */
export function withTerms(sparql: string, terms: Readonly<Record<string, Term>>): string {
  const byName = new Map(Object.entries(terms));
  return tokenize(sparql)
    .map(({ kind, text, value }) => {
      const term = kind === 'parameter' ? byName.get(value) : undefined;
      return term ? writeSparqlTerm(term) : text;
    })
    .join('');
}
