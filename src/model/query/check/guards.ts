import {
  choices,
  equalities,
  groupsIn,
  projected,
  readerOf,
  type Choice,
  type Pattern,
  type PatternTerm,
  type Reader,
  type Triple,
} from './patterns.js';
import type { QueryTree } from '../syntax.js';
import { isA, type CallModel, type Ontology } from '../../ontology/model.js';
import { rdf, sp } from '../../../rdf/vocabulary.js';

/** What is certain in every solution: variables `own` name readable graphs; `owners` make others readable. */
export interface Known {
  readonly own: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
}

export type Said = Pick<Triple, 'predicate' | 'object' | 'steps'> & { readonly graph: string };

export interface Policy {
  readonly own: readonly string[];
  readonly owners: readonly string[];
  /** Graphs that hold nothing of anybody. */
  readonly shared?: readonly string[] | undefined;
  /** Adds what follows from a graph's statement about itself. */
  readonly learn: (said: Said, known: Known) => Known;
  /** Adds what follows from a variable being one of some IRIs. */
  readonly choose?: (choice: Choice, known: Known) => Known;
}

/** A graph read without a guard, or a pattern that bypasses graphs. */
export interface GuardFault {
  readonly kind: 'unguarded' | 'no-graph' | 'elsewhere';
  readonly graph: string;
}

/**
 * Finds graphs that a query may read without permission. A graph `?g` is guarded if its condition (for records,
 * `GRAPH ?g { ?g sp:belongsTo $record }`) must hold in every solution that reads it. OPTIONAL, MINUS or one branch of
 * a UNION guard nothing outside themselves; a sub-select, run alone for pages and counts, must guard itself. SPARQL
 * 1.1 §18.2 defines what is joined.
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
  constructor(
    private readonly reader: Reader,
    private readonly policy: Policy,
    private readonly start: Known,
  ) {}

  check(patterns: readonly Pattern[], graph: PatternTerm | undefined, outer: Known): GuardFault[] {
    const known = this.#learn(patterns, graph, outer);
    return patterns.flatMap((pattern, index): GuardFault[] => {
      if (pattern.type === 'query') {
        const inner = this.check(pattern.where.patterns, hidden(graph), this.start);
        return [...inner, ...this.modifiers([pattern.variables, pattern.solutionModifiers], this.start)];
      }
      switch (pattern.subType) {
        case 'bgp':
          return graph === undefined && pattern.triples.length > 0 ? [{ kind: 'no-graph', graph: '' }] : [];
        case 'graph': {
          const name = this.reader.graph(pattern);
          return [...this.#graphFaults(name, known), ...this.check(pattern.patterns, name, known)];
        }
        case 'union':
          return pattern.patterns.flatMap((branch) => this.check(branch.patterns, graph, known));
        case 'group':
          return this.check(pattern.patterns, graph, known);
        case 'optional':
        case 'minus': {
          // A guard that follows them would come too late.
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

  modifiers(expression: unknown, known: Known, graph?: PatternTerm): GuardFault[] {
    return groupsIn(expression).flatMap(({ patterns }) => this.check(patterns, graph, known));
  }

  #graphFaults(name: PatternTerm, { own, owners }: Known): GuardFault[] {
    if (name.kind === 'variable') {
      return own.has(name.name) || owners.has(name.name) ? [] : [{ kind: 'unguarded', graph: name.name }];
    }
    if (name.kind === 'iri' && this.policy.shared?.includes(name.iri)) return [];
    return [{ kind: 'elsewhere', graph: name.kind === 'iri' ? `<${name.iri}>` : 'GRAPH' }];
  }

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
      const inner = this.#learn(pattern.where.patterns, hidden(graph), this.start);
      const names = projected(pattern);
      return names === undefined ? both(known, inner) : both(known, only(inner, names));
    }
    switch (pattern.subType) {
      case 'bgp':
        return this.reader
          .triples(pattern)
          .reduce((sum, triple) => this.#learnTriple(triple, graph, sum), known);
      case 'graph':
        return this.#learn(pattern.patterns, this.reader.graph(pattern), known);
      case 'group':
        return this.#learn(pattern.patterns, graph, known);
      case 'union':
        return common(pattern.patterns.map((branch) => this.#learn(branch.patterns, graph, known))) ?? known;
      case 'filter':
      case 'bind': {
        const equal = equalities(pattern).reduce((sum, pair) => this.#learnEqual(pair, sum), known);
        return choices(pattern, this.reader).reduce(
          (sum, choice) => this.policy.choose?.(choice, sum) ?? sum,
          equal,
        );
      }
      default:
        return known;
    }
  }

  /** A variable equal to a request parameter counts as that parameter; other variables may be unbound. */
  #learnEqual([one, other]: readonly [string, string], known: Known): Known {
    const { own, owners } = this.start;
    const take = (name: string, parameter: string, sum: Known): Known => ({
      own: own.has(parameter) ? adding(sum.own, name) : sum.own,
      owners: owners.has(parameter) ? adding(sum.owners, name) : sum.owners,
    });
    return take(other, one, take(one, other, known));
  }

  /** Only statements about the graph itself count: anyone may write in their own graph that another one is theirs. */
  #learnTriple({ subject, ...said }: Triple, graph: PatternTerm | undefined, known: Known): Known {
    return graph?.kind === 'variable' && subject.kind === 'variable' && subject.name === graph.name
      ? this.policy.learn({ ...said, graph: graph.name }, known)
      : known;
  }
}

/** In a sub-select the outer graph's name is another variable, unless projected. */
function hidden(graph: PatternTerm | undefined): PatternTerm | undefined {
  return graph && { kind: 'other' };
}

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

/**
 * What a call's query may read. About a record: the record's own graph and graphs that belong to it; statements must
 * say so themselves, while apps' texts are found by their IRI. About a user: what the request's IRI names. Of the
 * container: that, and things of the target's class; only exactly that class when the call discloses people.
 */
export function policyOf(call: CallModel, ontology: Ontology): Policy {
  const aboutRecord = isAboutRecord(call);
  const isStatement = isA(ontology, call.target, sp.Statement);
  const isTarget = (type: string): boolean =>
    !aboutRecord &&
    call.scope === 'container' &&
    (call.discloses === undefined ? isA(ontology, type, call.target) : type === call.target);
  const own = aboutRecord && isStatement ? [] : ['resource'];
  const learn = ({ graph, predicate, object }: Said, known: Known): Known => {
    if (predicate.kind !== 'iri') return known;
    if (predicate.iri === rdf.type && object.kind === 'iri' && isTarget(object.iri))
      return { ...known, own: adding(known.own, graph) };
    if (predicate.iri !== sp.belongsTo || object.kind !== 'variable') return known;
    if (known.owners.has(object.name)) return { ...known, own: adding(known.own, graph) };
    // A statement belongs to one record, which a guarded one therefore names. Calls about no record may read any.
    return aboutRecord && known.own.has(graph) && !own.includes(graph)
      ? { ...known, owners: adding(known.owners, object.name) }
      : known;
  };
  return { own, owners: aboutRecord ? ['record'] : [], learn };
}

/** Whether a call is about one record, and so must answer with nothing of another. */
export function isAboutRecord({ pathParameters }: CallModel): boolean {
  return pathParameters.includes('record_id');
}
