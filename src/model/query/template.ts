import type { Term } from '../../rdf/terms.js';
import { compile, type CompiledTemplate, type Segment } from './segments.js';
import { RUN_AS_IT_STANDS, type ReadPlan } from './read-plan.js';
import { writeSparqlTerm } from './sparql-term.js';

/** Terms by parameter name, without the `$`; unused names are ignored. */
export type Values = Readonly<Record<string, Term>>;

/** Additions to a list's sub-select. */
export interface ListOptions {
  filters?: readonly string[];
  /** Finds the members in place of the sub-select's own pattern. */
  pattern?: string | undefined;
  /** Binds the columns and the values to sort by; it comes last. */
  sort?: string;
  columns?: readonly string[];
  orderBy?: string;
  limit?: number;
  offset?: number;
}

type Additions = ListOptions & { members?: readonly Term[]; gathered?: string };

/**
 * A query file with placeholders, which are filled with serialised terms, never with text. Methods throw TypeError
 * for a missing value or a term without SPARQL form, and RangeError for a limit or offset that is no natural number.
 */
export class QueryTemplate {
  readonly parameters: string[];
  readonly #compiled: CompiledTemplate;

  /** @throws QueryFileError for marks that are not in one simple sub-select */
  constructor(
    readonly call: string,
    readonly file: string,
    readonly text: string,
    readonly plan: ReadPlan = RUN_AS_IT_STANDS,
  ) {
    this.#compiled = compile(file, text);
    this.parameters = this.#compiled.parameters;
  }

  get variable(): string | undefined {
    return this.#compiled.list?.variable;
  }

  bind(values: Values, options: ListOptions = {}): string {
    if (Object.keys(options).length > 0) this.#list();
    return this.#render(this.#compiled.whole, values, options);
  }

  /** Returns a list's sub-select: the members of the page, in order. */
  select(values: Values, options: ListOptions = {}): string {
    return this.#render(this.#list().select, values, options);
  }

  /** Returns the whole query for members that `select` found, without choosing them again. */
  known(values: Values, members: readonly Term[]): string {
    return this.#render(this.#list().known, values, { members });
  }

  /** Counts a list after its filters, as `?count`. */
  count(values: Values, { filters = [], pattern }: Pick<ListOptions, 'filters' | 'pattern'> = {}): string {
    return this.#render(this.#list().count, values, { filters, pattern });
  }

  /** Joins a variable's texts in a member pattern with spaces as `?gathered`, so that the engine makes no rows. */
  gather(values: Values, pattern: string, gathered: string): string {
    return this.#render(this.#list().gather, values, { pattern, gathered });
  }

  #list(): NonNullable<CompiledTemplate['list']> {
    const { list } = this.#compiled;
    if (!list) throw new TypeError(`${this.file} is no list: it has no #:filters and #:page`);
    return list;
  }

  #render(segments: readonly Segment[], values: Values, options: Additions): string {
    let text = '';
    for (const segment of segments) {
      if (segment.kind === 'text') text += segment.text;
      else if (segment.kind === 'parameter') text += this.#term(values, segment.name);
      else if (segment.kind === 'pattern')
        text += options.pattern ?? this.#render(segment.own, values, options);
      else text += additions[segment.kind](options);
    }
    return text;
  }

  #term(values: Values, name: string): string {
    const term = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!term) throw new TypeError(`${this.file} needs a value for $${name}`);
    return writeSparqlTerm(term);
  }
}

const additions: Record<
  Exclude<Segment['kind'], 'text' | 'parameter' | 'pattern'>,
  (options: Additions) => string
> = {
  // A statement with two values of a filtered or sorted property appears once.
  distinct: ({ filters = [], orderBy }) => (filters.length > 0 || orderBy !== undefined ? ' DISTINCT' : ''),
  filters: ({ filters = [] }) => filters.join('\n'),
  columns: ({ columns = [] }) => columns.map((name) => ` ?${name}`).join(''),
  sort: ({ sort = '' }) => sort,
  gathered: ({ gathered = '' }) => `(GROUP_CONCAT(?${gathered}; separator=" ") AS ?gathered) `,
  members: ({ members = [] }) => members.map(writeSparqlTerm).join(' '),
  page: ({ orderBy, limit, offset }) =>
    [
      ...(orderBy === undefined ? [] : [`ORDER BY ${orderBy}`]),
      ...(limit === undefined ? [] : [`LIMIT ${natural(limit)}`]),
      ...(offset === undefined ? [] : [`OFFSET ${natural(offset)}`]),
    ].join(' '),
};

function natural(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no natural number`);
  return value;
}
