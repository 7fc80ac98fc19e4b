import { countPatterns } from '../../records/trial/cost.js';
import { parseWithPlaces, rangeOf } from '../../query/syntax.js';
import { tokenize } from '../../query/tokenizer.js';
import type { Pattern } from '../../query/check/patterns.js';
import { placeOf } from '../query-fault.js';
import type { ExplainedStep } from './explanation.js';
import { wholeSteps } from './whole-steps.js';

/** A step with the queries that measure it. */
export interface PlannedStep extends Pick<ExplainedStep, 'number' | 'operation' | 'text' | 'line'> {
  /** Makes the query that counts the rows where this step ends. */
  readonly rows?: () => string;
  /** Makes the query that counts the statements of a pattern alone. */
  readonly statements?: () => string;
}

/** How a query is to be explained. */
export interface Plan {
  readonly steps: readonly PlannedStep[];
  readonly patterns: number;
}

/** More steps are not told apart. */
const MOST_STEPS = 100;
/** Characters of a step that are shown. */
const SHOWN = 200;
/** The column of the queries that count. */
export const COUNTED = 'explained_rows';

type Bgp = Extract<Pattern, { subType: 'bgp' }>;
type Placed = Parameters<typeof rangeOf>[0];
/** Makes a query of a part of a group. */
type Ending = (part: string) => string;

/** What stands around a group. */
interface Around {
  /** The number of the step that holds the group, with a dot behind it. */
  readonly prefix: string;
  /** A query that ends where the part does. */
  readonly ends: Ending;
  /** A query of the part alone. */
  readonly alone: Ending;
}

/**
 * Takes a query apart, in the order of its text, which the engine follows: it has no way to ask for its own plan.
 * @param sparql a query that can be parsed, with all its prefixes declared
 * @param start where what the caller sent begins in it
 */
export function planOf(sparql: string, start: number): Plan {
  const { tree, text } = parseWithPlaces(sparql);
  if (tree.type !== 'query') return { steps: [], patterns: 0 };
  const planner = new Planner(text, start);
  const [first] = tokenize(text).filter(({ kind, text: word }) => kind === 'word' && isForm(word));
  const prologue = text.slice(0, first?.at ?? 0);
  const from = planner.textOf(tree.datasets);
  const alone: Ending = (part) => `${prologue}SELECT (COUNT(*) AS ?${COUNTED}) ${from} WHERE { ${part} }`;
  if (tree.where) planner.group(tree.where.patterns, { prefix: '', ends: alone, alone });
  for (const { operation, node, says } of wholeSteps(tree))
    planner.add('', { operation, node, says: says ?? (node ? planner.textOf(node) : '') });
  return { steps: planner.steps.slice(0, MOST_STEPS), patterns: countPatterns({ text }) };
}

const isForm = (word: string): boolean => /^(?:SELECT|ASK|CONSTRUCT|DESCRIBE)$/iu.test(word);

interface NewStep extends Pick<PlannedStep, 'operation' | 'rows' | 'statements'> {
  readonly node: Placed | undefined;
  readonly says: string;
}

class Planner {
  readonly steps: PlannedStep[] = [];
  readonly #text: string;
  readonly #start: number;
  /** How many steps each prefix has. */
  readonly #counts = new Map<string, number>();

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
  }

  textOf(node: Placed): string {
    const range = rangeOf(node);
    return range ? this.#text.slice(range.start, range.end) : '';
  }

  /** Adds a step behind those of its group. @returns what the numbers of those within it begin with */
  add(prefix: string, { node, says, ...step }: NewStep): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const number = `${prefix}${count}`;
    const range = node && rangeOf(node);
    const shown = says.replaceAll(/\s+/gu, ' ').trim();
    this.steps.push({
      ...step,
      number,
      text: shown.length > SHOWN ? `${shown.slice(0, SHOWN - 1)}…` : shown,
      ...(range && this.steps.length < MOST_STEPS && { line: this.#lineOf(range.start) }),
    });
    return `${number}.`;
  }

  #lineOf(offset: number): number {
    return placeOf(this.#text.slice(this.#start), offset - this.#start).line;
  }

  /** The steps of a group: its members in their order, and then its filters, which hold for all of it (§18.2.2.2). */
  group(patterns: readonly Pattern[], around: Around): void {
    let before = '';
    for (const member of patterns) {
      if (member.type !== 'query' && member.subType === 'filter') continue;
      if (member.type !== 'query' && member.subType === 'bgp') before = this.#bgp(member, before, around);
      else {
        this.#member(member, before, around);
        before += ` ${this.textOf(member)}`;
      }
    }
    for (const member of patterns) {
      if (member.type === 'query' || member.subType !== 'filter') continue;
      before += ` ${this.textOf(member)}`;
      this.#step(member, 'Filter', this.textOf(member), before, around);
    }
  }

  /** @returns what stands before the next member */
  #bgp(bgp: Bgp, before: string, around: Around): string {
    let so = before;
    for (const { node, part, isPlain } of this.#patternsOf(bgp)) {
      so += ` ${part} .`;
      const ended = so;
      this.add(around.prefix, {
        operation: isPlain ? 'Triple pattern' : 'Path or nested pattern',
        node,
        says: part,
        rows: () => around.ends(ended),
        ...(isPlain && { statements: () => around.alone(part) }),
      });
    }
    return so;
  }

  /** The patterns of a basic graph pattern, each with its subject and its predicate written out. */
  #patternsOf({ triples }: Bgp): { node: Placed; part: string; isPlain: boolean }[] {
    const patterns: { node: Placed; part: string; isPlain: boolean }[] = [];
    let [subject, verb, end] = ['', '', 0];
    for (const triple of triples) {
      const isNested = triple.type === 'tripleCollection' || triple.subject.type === 'tripleCollection';
      if (isNested) {
        subject = '';
        patterns.push({ node: triple, part: this.textOf(triple), isPlain: false });
      } else {
        const own = rangeOf(triple.subject);
        if (own) subject = this.textOf(triple.subject);
        verb = this.#verb(own?.end ?? end, rangeOf(triple.object)?.start ?? end) ?? verb;
        const said = `${verb} ${this.textOf(triple.object)}`;
        const last = patterns.at(-1);
        const isPlain = triple.predicate.type === 'term' && triple.object.type === 'term';
        // What is said of brackets cannot be said without them.
        if (subject === '' && last) patterns.splice(-1, 1, { ...last, part: `${last.part} ; ${said}` });
        else patterns.push({ node: triple, part: `${subject} ${said}`, isPlain });
      }
      end = rangeOf(triple)?.end ?? end;
    }
    return patterns;
  }

  /**
   * The predicate that stands between the end of what is before it and an object; undefined behind a comma. The parser
   * leaves the parentheses of a path out of its place.
   */
  #verb(start: number, end: number): string | undefined {
    const tokens = tokenize(this.#text.slice(start, end)).filter(({ kind }) => kind !== 'comment');
    const first = tokens.findIndex(({ kind, text }) => kind !== 'space' && text !== ';');
    if (tokens[first]?.text === ',') return undefined;
    return tokens
      .slice(Math.max(0, first))
      .map(({ text }) => text)
      .join('')
      .trim();
  }

  #step(node: Placed, operation: string, says: string, ended: string, around: Around): string {
    return this.add(around.prefix, { operation, node, says, rows: () => around.ends(ended) });
  }

  #member(member: Exclude<Pattern, Bgp>, before: string, around: Around): void {
    const whole = this.textOf(member);
    const step = (operation: string, says: string): string =>
      this.#step(member, operation, says, `${before} ${whole}`, around);
    const { alone } = around;
    const within = (prefix: string, opening: string): Around => ({
      prefix,
      ends: (part) => around.ends(`${before} ${opening}{ ${part} }`),
      alone,
    });
    if (member.type === 'query') return this.#select(member, step('Join', 'SELECT'), alone);
    switch (member.subType) {
      case 'optional':
        return this.group(member.patterns, within(step('LeftJoin', 'OPTIONAL'), 'OPTIONAL '));
      case 'union': {
        const prefix = step('Union', 'UNION');
        for (const branch of member.patterns) {
          const says = { operation: 'Branch', node: branch, says: '{ … }' };
          const ended = `${before} ${this.textOf(branch)}`;
          this.group(
            branch.patterns,
            within(this.add(prefix, { ...says, rows: () => around.ends(ended) }), ''),
          );
        }
        return;
      }
      case 'group': {
        const [only] = member.patterns;
        if (only?.type === 'query') return this.#select(only, step('Join', 'SELECT'), alone);
        return this.group(member.patterns, within(step('Join', '{ … }'), ''));
      }
      case 'graph': {
        const opening = `GRAPH ${this.textOf(member.name)} `;
        const inner = within(step('Graph', opening), opening);
        return this.group(member.patterns, { ...inner, alone: (part) => alone(`${opening}{ ${part} }`) });
      }
      case 'minus':
        // Its right side knows nothing of what stands before it (§18.5).
        return this.group(member.patterns, { prefix: step('Minus', 'MINUS'), ends: alone, alone });
      default:
        step(member.subType === 'bind' ? 'Extend' : 'Join', whole);
    }
  }

  /** What is within a query that stands in a group, evaluated before what is around it. */
  #select({ where }: Extract<Pattern, { type: 'query' }>, prefix: string, alone: Ending): void {
    this.group(where.patterns, { prefix, ends: alone, alone });
  }
}
