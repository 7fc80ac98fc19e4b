import type { Term } from '../rdf/terms.js';
import { compile, type CompiledTemplate, type Segment } from './segments.js';
import type { StatementShape } from './shapes.js';
import { writeSparqlTerm } from './sparql-term.js';

/** Terms by parameter name, without the `$`; names that the query does not use are ignored. */
export type Values = Readonly<Record<string, Term>>;

/** What a list may add to its sub-select: bound filter patterns (`bindFilter`), an order, a part of it. */
export interface ListOptions {
  filters?: readonly string[];
  /** Finds the members in the place of the sub-select's own pattern: the very same ones. */
  pattern?: string | undefined;
  /** The pattern that binds what the order looks at, and the columns; it stands last. */
  sort?: string;
  /** What is selected beside the members: variables that other options bind. */
  columns?: readonly string[];
  /** What stands after ORDER BY. */
  orderBy?: string;
  limit?: number;
  offset?: number;
}

type Additions = ListOptions & { members?: readonly Term[]; gathered?: string };

/**
 * A query file with its places for terms. Binding puts serialised terms, never text, into the places that a tokenizer
 * found; so it costs no more than joining strings. Every function throws a TypeError for a parameter without a value
 * or a term that has no SPARQL form, and a RangeError for a limit or offset that is no natural number.
 */
export class QueryTemplate {
  readonly call: string;
  readonly file: string;
  /** Names of the parameters, without the `$`. */
  readonly parameters: string[];
  /** The file's own text. */
  readonly text: string;
  readonly #compiled: CompiledTemplate;

  /** Throws QueryFileError where the marks of a list do not stand in one simple sub-select. */
  constructor(call: string, file: string, sparql: string) {
    this.call = call;
    this.file = file;
    this.text = sparql;
    this.#compiled = compile(file, sparql);
    this.parameters = this.#compiled.parameters;
  }

  /** The variable that the sub-select of a list selects, undefined for a query that is no list. */
  get variable(): string | undefined {
    return this.#compiled.list?.variable;
  }

  /** The classes whose statements of the record a list has, where its sub-select asks for nothing else. */
  get listed(): readonly string[] | undefined {
    return this.#compiled.list?.listed;
  }

  /** The class that a list has the instances of which are named as their graphs, where its sub-select asks for nothing else. */
  get searched(): string | undefined {
    return this.#compiled.list?.searched;
  }

  /**
   * The properties by which the members of a list lead to others that go with them, where its whole query asks for
   * nothing but what the graphs of both say.
   */
  get neighbours(): readonly string[] | undefined {
    return this.#compiled.list?.neighbours;
  }

  /** What a query that is no list asks for, where that is one statement as it is stored. */
  get statement(): StatementShape | undefined {
    return this.#compiled.statement;
  }

  /** Whether a query asks for all that the graph of `$resource` says, and for nothing else. */
  get asksForGraph(): boolean {
    return this.#compiled.asksForGraph ?? false;
  }

  /** The whole query, for `construct`. */
  bind(values: Values, options: ListOptions = {}): string {
    if (Object.keys(options).length > 0) this.#list();
    return this.#render(this.#compiled.whole, values, options);
  }

  /** The sub-select of a list alone: the statements of the page in their order. */
  select(values: Values, options: ListOptions = {}): string {
    return this.#render(this.#list().select, values, options);
  }

  /** The whole query for these statements, as `select` found them: the choice is not made a second time. */
  known(values: Values, members: readonly Term[]): string {
    return this.#render(this.#list().known, values, { members });
  }

  /** How many statements the list holds after its filters, as `?count`. */
  count(values: Values, { filters = [], pattern }: Pick<ListOptions, 'filters' | 'pattern'> = {}): string {
    return this.#render(this.#list().count, values, { filters, pattern });
  }

  /**
   * The texts that a variable of a pattern holds which finds the members of a list, as one with spaces between, as
   * `?gathered`: the engine makes no rows of them.
   */
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
  // A statement with two values of a filtered or sorted property counts and stands once.
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
