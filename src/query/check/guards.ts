import { choices, equalities, groupsIn, projected, readerOf } from './patterns.js';
import type { Choice, Pattern, PatternTerm, Reader, Triple } from './patterns.js';
import type { QueryTree } from '../syntax.js';

/** What is known of variables in every solution: `own` name graphs that may be read, `owners` what makes others so. */
export interface Known {
  readonly own: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
}

/** What a graph says of itself: its name is the subject. */
export type Said = Pick<Triple, 'predicate' | 'object' | 'steps'> & { readonly graph: string };

/** When a graph may be read. */
export interface Policy {
  /** Variables and parameters that name such a graph from the beginning. */
  readonly own: readonly string[];
  /** Parameters that are owners from the beginning. */
  readonly owners: readonly string[];
  /** Adds what follows from what a graph says of itself. */
  readonly learn: (said: Said, known: Known) => Known;
  /** Adds what follows from a variable being one of some IRIs. */
  readonly choose?: (choice: Choice, known: Known) => Known;
}

/** A graph that a query reads without a guard, or a way round all graphs. */
export interface GuardFault {
  readonly kind: 'unguarded' | 'no-graph' | 'elsewhere';
  /** Name of the graph variable, or the IRI of a graph. */
  readonly graph: string;
}

/**
 * Every graph that a query can read without it being certain that it may. A graph `?g` is guarded where what makes it so
 * (by the policy of records, `GRAPH ?g { ?g sp:belongsTo $record }`) must hold in every solution in which it is read.
 * What stands in OPTIONAL, MINUS or one branch of a UNION guards nothing outside of it, and a sub-select, which is run
 * alone to make pages and counts, has to guard itself. SPARQL 1.1 §18.2 decides what is joined.
 */
export function guardFaults(tree: QueryTree, policy: Policy): GuardFault[] {
  const start: Known = { own: new Set(policy.own), owners: new Set(policy.owners) };
  const analysis = new Analysis(readerOf(tree), policy, start);
  const { clauses } = tree.datasets;
  return [
    ...clauses.map((): GuardFault => ({ kind: 'elsewhere', graph: 'FROM' })),
    ...analysis.check(tree.where.patterns, undefined, start),
    ...analysis.modifiers(tree.solutionModifiers, start),
  ];
}

class Analysis {
  readonly #reader: Reader;
  readonly #policy: Policy;
  readonly #start: Known;

  constructor(reader: Reader, policy: Policy, start: Known) {
    this.#reader = reader;
    this.#policy = policy;
    this.#start = start;
  }

  check(patterns: readonly Pattern[], graph: PatternTerm | undefined, outer: Known): GuardFault[] {
    const known = this.#learn(patterns, graph, outer);
    return patterns.flatMap((pattern, index): GuardFault[] => {
      if (pattern.type === 'query') {
        const inner = this.check(pattern.where.patterns, hidden(graph), this.#start);
        return [...inner, ...this.modifiers([pattern.variables, pattern.solutionModifiers], this.#start)];
      }
      switch (pattern.subType) {
        case 'bgp':
          return graph === undefined && pattern.triples.length > 0 ? [{ kind: 'no-graph', graph: '' }] : [];
        case 'graph': {
          const name = this.#reader.graph(pattern);
          return [...this.#graphFaults(name, known), ...this.check(pattern.patterns, name, known)];
        }
        case 'union':
          return pattern.patterns.flatMap((branch) => this.check(branch.patterns, graph, known));
        case 'group':
          return this.check(pattern.patterns, graph, known);
        case 'optional':
        case 'minus': {
          // They are validated against what stands before them; a guard behind them would come too late.
          const before = this.#learn(patterns.slice(0, index), graph, outer);
          return this.check(pattern.patterns, graph, before);
        }
        case 'service':
          return [{ kind: 'elsewhere', graph: 'SERVICE' }];
        case 'filter':
        case 'bind':
          return this.modifiers(pattern.expression, known, graph);
        case 'values':
          return [];
      }
    });
  }

  /** Groups inside of expressions see what is known where they stand. */
  modifiers(expression: unknown, known: Known, graph?: PatternTerm): GuardFault[] {
    return groupsIn(expression).flatMap(({ patterns }) => this.check(patterns, graph, known));
  }

  #graphFaults(name: PatternTerm, { own, owners }: Known): GuardFault[] {
    if (name.kind === 'variable') {
      return own.has(name.name) || owners.has(name.name) ? [] : [{ kind: 'unguarded', graph: name.name }];
    }
    return [{ kind: 'elsewhere', graph: name.kind === 'iri' ? `<${name.iri}>` : 'GRAPH' }];
  }

  /** What holds in every solution of a group, beside what is known already: until nothing new follows. */
  #learn(patterns: readonly Pattern[], graph: PatternTerm | undefined, outer: Known): Known {
    let known = outer;
    for (;;) {
      const next = patterns.reduce((sum, pattern) => this.#learnFrom(pattern, graph, sum), known);
      if (next.own.size === known.own.size && next.owners.size === known.owners.size) return known;
      known = next;
    }
  }

  #learnFrom(pattern: Pattern, graph: PatternTerm | undefined, known: Known): Known {
    if (pattern.type === 'query') {
      const inner = this.#learn(pattern.where.patterns, hidden(graph), this.#start);
      const names = projected(pattern);
      return names === undefined ? both(known, inner) : both(known, only(inner, names));
    }
    switch (pattern.subType) {
      case 'bgp':
        return this.#reader
          .triples(pattern)
          .reduce((sum, triple) => this.#learnTriple(triple, graph, sum), known);
      case 'graph':
        return this.#learn(pattern.patterns, this.#reader.graph(pattern), known);
      case 'group':
        return this.#learn(pattern.patterns, graph, known);
      case 'union':
        return common(pattern.patterns.map((branch) => this.#learn(branch.patterns, graph, known))) ?? known;
      case 'filter':
      case 'bind': {
        const equal = equalities(pattern).reduce((sum, pair) => this.#learnEqual(pair, sum), known);
        return choices(pattern, this.#reader).reduce(
          (sum, choice) => this.#policy.choose?.(choice, sum) ?? sum,
          equal,
        );
      }
      default:
        return known;
    }
  }

  /** What equals a parameter of the request in every solution is as good as that; variables may be unbound. */
  #learnEqual([one, other]: readonly [string, string], known: Known): Known {
    const { own, owners } = this.#start;
    const take = (name: string, parameter: string, sum: Known): Known => ({
      own: own.has(parameter) ? adding(sum.own, name) : sum.own,
      owners: owners.has(parameter) ? adding(sum.owners, name) : sum.owners,
    });
    return take(other, one, take(one, other, known));
  }

  /** Only what a graph says of itself counts: anyone may say in a graph of their own that another's belongs to them. */
  #learnTriple({ subject, ...said }: Triple, graph: PatternTerm | undefined, known: Known): Known {
    return graph?.kind === 'variable' && subject.kind === 'variable' && subject.name === graph.name
      ? this.#policy.learn({ ...said, graph: graph.name }, known)
      : known;
  }
}

/** In a sub-select the name of the graph around it is another variable, unless it is handed out. */
function hidden(graph: PatternTerm | undefined): PatternTerm | undefined {
  return graph && { kind: 'other' };
}

/** Names with one more. */
export function adding(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return names.has(name) ? names : new Set([...names, name]);
}

function both(a: Known, b: Known): Known {
  return { own: new Set([...a.own, ...b.own]), owners: new Set([...a.owners, ...b.owners]) };
}

function only({ own, owners }: Known, names: readonly string[]): Known {
  const keep = (set: ReadonlySet<string>): Set<string> => new Set(names.filter((name) => set.has(name)));
  return { own: keep(own), owners: keep(owners) };
}

function common(branches: readonly Known[]): Known | undefined {
  const [first, ...others] = branches;
  if (!first) return undefined;
  const shared = (of: (known: Known) => ReadonlySet<string>): Set<string> =>
    new Set([...of(first)].filter((name) => others.every((known) => of(known).has(name))));
  return { own: shared(({ own }) => own), owners: shared(({ owners }) => owners) };
}
