import type { Term } from '../../rdf/terms.js';
import type { QueryTemplate } from '../../query/template.js';
import type { ParameterType } from './parameter-types.js';

/** What an analysis is asked for. */
export interface AnalysisParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly comment: string;
  /** What stands before the identifier in the IRI of a code. */
  readonly codeBase: string;
  /** The only values of a choice. */
  readonly choices: readonly string[];
  /** What it is when nobody says; without one it has to be given. */
  readonly standard: string | undefined;
}

/** How results are drawn. */
export const chartKinds = ['bar', 'line'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** A chart: a column of what is compared or when it was, and columns of numbers. */
export interface AnalysisChart {
  readonly kind: ChartKind;
  readonly across: string;
  readonly values: readonly string[];
}

/** A question that a container answers over all records: a SELECT query with what people and programs have to know of it. */
export interface Analysis {
  /** The name of its file, by which it is asked for. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly AnalysisParameter[];
  /** The names of its columns in their order. */
  readonly columns: readonly string[];
  readonly chart: AnalysisChart | undefined;
  readonly query: QueryTemplate;
}

/** A value of a parameter that cannot be, or a parameter that is not there. */
export class AnalysisValueError extends Error {
  constructor(
    readonly parameter: string,
    message: string,
  ) {
    super(message);
    this.name = 'AnalysisValueError';
  }
}

/** Terms by the name of their parameter. */
export type BoundValues = Readonly<Record<string, Term>>;
