import { parseWithPlaces, rangeOf, type SparqlQuery } from '../model/query/syntax.js';
import { tokenize } from '../model/query/tokenizer.js';
import type { Pattern } from '../model/query/check/patterns.js';
import type { PreparedQuery } from './prepare-query.js';
import { placeOf } from './query-fault.js';

export interface PlannedStep {
  /** The outline number: 3.1 is the first within 3. */
  readonly number: string;
  /** The name in the SPARQL algebra (SPARQL 1.1 §18.2). */
  readonly operation: string;
  readonly text: string;
  /** The line in the query, from 1; undefined for implicit steps. */
  readonly line?: number;
}

export interface QueryPlan {
  /** The text sent to the engine: with the prefixes that it uses and the row limit. */
  readonly query: string;
  readonly steps: readonly PlannedStep[];
}

/** Further steps are left out. */
const MAX_STEPS = 100;
const SHOWN = 200;

type Bgp = Extract<Pattern, { subType: 'bgp' }>;
type Placed = Parameters<typeof rangeOf>[0];

/** Takes a query apart in the order of its text, which the engine follows: the engine cannot report its own plan. */
export function planOf({ text: query, declared }: Pick<PreparedQuery, 'text' | 'declared'>): QueryPlan {
  const { tree, text } = parseWithPlaces(declared.text);
  if (tree.type !== 'query') return { query, steps: [] };
  const planner = new Planner(text, declared.start);
  if (tree.where) planner.group(tree.where.patterns, '');
  planner.whole(tree);
  return { query, steps: planner.steps.slice(0, MAX_STEPS) };
}

class Planner {
  readonly steps: PlannedStep[] = [];
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {}

  /** Adds the steps of a group: its members in order, then its filters, which apply to the whole group (§18.2.2.2). */
  group(patterns: readonly Pattern[], prefix: string): void {
    const isFilter = (member: Pattern): boolean => member.type !== 'query' && member.subType === 'filter';
    for (const member of patterns) if (!isFilter(member)) this.#member(member, prefix);
    for (const member of patterns) if (isFilter(member)) this.#add(prefix, 'Filter', member);
  }

  /** Adds the steps on the joined rows, in the order of the algebra (§18.2.4, §18.2.5). */
  whole(query: SparqlQuery): void {
    const { group, having, order, limitOffset } = query.solutionModifiers ?? {};
    const some = (operation: string, node: Placed | undefined): void => {
      if (node) this.#add('', operation, node);
    };
    some('Group', group);
    some('Filter', having);
    some('Join', query.values);
    if (query.subType === 'select') {
      for (const each of query.variables) if (each.type === 'pattern') some('Extend', each);
    }
    some('OrderBy', order);
    if (query.subType === 'select') {
      this.#add('', 'Project', undefined, names(query));
      if (query.distinct) this.#add('', 'Distinct', undefined, 'DISTINCT');
      if (query.reduced) this.#add('', 'Reduced', undefined, 'REDUCED');
    }
    some('Slice', limitOffset);
    this.#add('', 'Answer', undefined, query.subType.toUpperCase());
  }

  /** Adds a step to its group. @returns the number prefix of its inner steps */
  #add(
    prefix: string,
    operation: string,
    node: Placed | undefined,
    says = node ? this.#textOf(node) : '',
  ): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const number = `${prefix}${count}`;
    const range = node && rangeOf(node);
    const shown = says.replaceAll(/\s+/gu, ' ').trim();
    this.steps.push({
      number,
      operation,
      text: shown.length > SHOWN ? `${shown.slice(0, SHOWN - 1)}…` : shown,
      ...(range && this.steps.length < MAX_STEPS && { line: this.#lineOf(range.start) }),
    });
    return `${number}.`;
  }

  #textOf(node: Placed): string {
    const range = rangeOf(node);
    return range ? this.text.slice(range.start, range.end) : '';
  }

  #lineOf(offset: number): number {
    return placeOf(this.text.slice(this.start), offset - this.start).line;
  }

  #member(member: Pattern, prefix: string): void {
    if (member.type === 'query')
      return this.group(member.where.patterns, this.#add(prefix, 'Join', member, 'SELECT'));
    switch (member.subType) {
      case 'bgp':
        for (const { node, says, isPlain } of this.#patternsOf(member))
          this.#add(prefix, isPlain ? 'Triple pattern' : 'Path or nested pattern', node, says);
        return;
      case 'optional':
        return this.group(member.patterns, this.#add(prefix, 'LeftJoin', member, 'OPTIONAL'));
      case 'union': {
        const inner = this.#add(prefix, 'Union', member, 'UNION');
        for (const branch of member.patterns)
          this.group(branch.patterns, this.#add(inner, 'Branch', branch, '{ … }'));
        return;
      }
      case 'group': {
        const [only] = member.patterns;
        if (only?.type === 'query') return this.#member(only, prefix);
        return this.group(member.patterns, this.#add(prefix, 'Join', member, '{ … }'));
      }
      case 'graph':
        return this.group(
          member.patterns,
          this.#add(prefix, 'Graph', member, `GRAPH ${this.#textOf(member.name)}`),
        );
      case 'minus':
        return this.group(member.patterns, this.#add(prefix, 'Minus', member, 'MINUS'));
      default:
        this.#add(prefix, member.subType === 'bind' ? 'Extend' : 'Join', member);
    }
  }

  /** Returns the patterns of a basic graph pattern, each with subject and predicate written out. */
  #patternsOf({ triples }: Bgp): { node: Placed; says: string; isPlain: boolean }[] {
    const patterns: { node: Placed; says: string; isPlain: boolean }[] = [];
    let [subject, verb, end] = ['', '', 0];
    for (const triple of triples) {
      const isNested = triple.type === 'tripleCollection' || triple.subject.type === 'tripleCollection';
      if (isNested) {
        subject = '';
        patterns.push({ node: triple, says: this.#textOf(triple), isPlain: false });
      } else {
        const own = rangeOf(triple.subject);
        if (own) subject = this.#textOf(triple.subject);
        verb = this.#verb(own?.end ?? end, rangeOf(triple.object)?.start ?? end) ?? verb;
        const said = `${verb} ${this.#textOf(triple.object)}`;
        const last = patterns.at(-1);
        const isPlain = triple.predicate.type === 'term' && triple.object.type === 'term';
        // Statements about a bracketed node need its brackets, so they are joined to its pattern.
        if (subject === '' && last) patterns.splice(-1, 1, { ...last, says: `${last.says} ; ${said}` });
        else patterns.push({ node: triple, says: `${subject} ${said}`, isPlain });
      }
      end = rangeOf(triple)?.end ?? end;
    }
    return patterns;
  }

  /** Returns the predicate before an object; undefined after a comma. The parser omits a path's parentheses. */
  #verb(start: number, end: number): string | undefined {
    const tokens = tokenize(this.text.slice(start, end)).filter(({ kind }) => kind !== 'comment');
    const first = tokens.findIndex(({ kind, text }) => kind !== 'space' && text !== ';');
    if (tokens[first]?.text === ',') return undefined;
    return tokens
      .slice(Math.max(0, first))
      .map(({ text }) => text)
      .join('')
      .trim();
  }
}

function names({ variables }: Extract<SparqlQuery, { subType: 'select' }>): string {
  return variables
    .map((each) =>
      each.type === 'wildcard' ? '*' : `?${each.type === 'pattern' ? each.variable.value : each.value}`,
    )
    .join(' ');
}
