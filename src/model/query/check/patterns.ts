import { prefixesOf, type QueryTree } from '../syntax.js';

export type Pattern = QueryTree['where']['patterns'][number];
export type SubSelect = Extract<Pattern, { type: 'query' }>;
export type Expression = Extract<Pattern, { subType: 'filter' }>['expression'];
type Bgp = Extract<Pattern, { subType: 'bgp' }>;
type Nesting = Bgp['triples'][number];
type Path = Extract<Nesting, { type: 'triple' }>['predicate'];
type Term = Path | Extract<Nesting, { type: 'triple' }>['object'];

/** A term of a triple pattern, or the name of a graph; to the parser, parameters are variables. */
export type PatternTerm =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'iri'; readonly iri: string }
  | { readonly kind: 'other' };

export interface Triple {
  readonly subject: PatternTerm;
  readonly predicate: PatternTerm;
  readonly object: PatternTerm;
  readonly begins: readonly string[];
  /** The properties of a single, perhaps optional, step to the object; undefined for longer paths. */
  readonly steps: readonly string[] | undefined;
}

/** A variable that is one of some IRIs in every solution. */
export interface Choice {
  readonly name: string;
  readonly iris: readonly string[];
}

export type Reader = ReturnType<typeof readerOf>;

const other: PatternTerm = { kind: 'other' };

export function readerOf(tree: QueryTree) {
  const prefixes = prefixesOf(tree);
  const patternTerm = (node: Term): PatternTerm => {
    if (node.type === 'tripleCollection' || node.type === 'path') return other;
    if (node.subType === 'variable') return { kind: 'variable', name: node.value };
    if (node.subType !== 'namedNode') return other;
    const prefix = 'prefix' in node ? prefixes.get(node.prefix) : '';
    return prefix === undefined ? other : { kind: 'iri', iri: prefix + node.value };
  };
  const begins = (path: Path): string[] => {
    if (path.type !== 'path') {
      const term = patternTerm(path);
      return term.kind === 'iri' ? [term.iri] : [];
    }
    if (path.subType === '^' || path.subType === '!') return [];
    const [first, ...others] = path.items;
    return [first, ...(path.subType === '|' ? others : [])].flatMap(begins);
  };
  const steps = (path: Path): string[] | undefined => {
    const term = patternTerm(path);
    if (path.type !== 'path') return term.kind === 'iri' ? [term.iri] : undefined;
    if (path.subType !== '?' && path.subType !== '|') return undefined;
    const each = path.items.map(steps);
    return each.includes(undefined) ? undefined : each.flatMap((some) => some ?? []);
  };
  const nested = (node: Nesting | Extract<Nesting, { type: 'triple' }>['object']): Triple[] => {
    if (node.type === 'tripleCollection') return node.triples.flatMap(nested);
    if (node.type !== 'triple') return [];
    const { subject, predicate, object } = node;
    const own = {
      subject: patternTerm(subject),
      predicate: patternTerm(predicate),
      object: patternTerm(object),
    };
    return [
      { ...own, begins: begins(predicate), steps: steps(predicate) },
      ...nested(subject),
      ...nested(object),
    ];
  };
  return {
    triples: (bgp: Bgp) => bgp.triples.flatMap(nested),
    graph: ({ name }: Extract<Pattern, { subType: 'graph' }>) => patternTerm(name),
    term: patternTerm,
  };
}

/** Returns the groups of EXISTS and NOT EXISTS in an expression, and whether each must match. */
export function groupsIn(
  expression: unknown,
): { readonly patterns: readonly Pattern[]; readonly isPositive: boolean }[] {
  if (typeof expression !== 'object' || expression === null) return [];
  const node = expression as { subType?: string; operator?: string; args?: { patterns?: Pattern[] } };
  if (node.subType === 'patternOperation' && node.args?.patterns) {
    return [{ patterns: node.args.patterns, isPositive: node.operator === 'exists' }];
  }
  return Object.values(expression).flatMap(groupsIn);
}

export function variablesIn(expression: unknown): string[] {
  if (typeof expression !== 'object' || expression === null) return [];
  if ((expression as { subType?: string }).subType === 'patternOperation') return [];
  const name = nameOf(expression);
  return name === undefined ? Object.values(expression).flatMap(variablesIn) : [name];
}

/** The variables a sub-select projects; undefined for `*`. */
export function projected({ variables }: SubSelect): string[] | undefined {
  if (variables.some((variable) => variable.type === 'wildcard')) return undefined;
  return variables.flatMap((variable) =>
    variable.type === 'term' && variable.subType === 'variable' ? [variable.value] : [],
  );
}

/**
 * Pairs of variables with the same term in every solution of a FILTER or BIND: `?a = ?b` and `sameTerm(?a, ?b)`,
 * alone or joined by `&&` (SPARQL 1.1 §17.4.1), and `BIND(?a AS ?b)`.
 */
export function equalities(pattern: Pattern): (readonly [string, string])[] {
  if (pattern.type === 'query') return [];
  if (pattern.subType === 'filter') return equalIn(pattern.expression);
  if (pattern.subType !== 'bind') return [];
  const source = nameOf(pattern.expression);
  return source === undefined ? [] : [[source, pattern.variable.value]];
}

/** Variables limited by a FILTER to some IRIs: `?a IN (<x>, <y>)` and `?a = <x>`, alone or joined by `&&`. */
export function choices(pattern: Pattern, reader: Reader): Choice[] {
  return pattern.type === 'query' || pattern.subType !== 'filter'
    ? []
    : choicesIn(pattern.expression, reader);
}

function choicesIn(expression: unknown, reader: Reader): Choice[] {
  const node = expression as { subType?: string; operator?: string; args?: Term[] };
  if (node.subType !== 'operation' || !Array.isArray(node.args)) return [];
  if (node.operator === '&&') return node.args.flatMap((each) => choicesIn(each, reader));
  if (node.operator !== 'in' && node.operator !== '=') return [];
  const [name, ...values] = [nameOf(node.args[0]), ...node.args.slice(1).map((each) => reader.term(each))];
  const iris = values.flatMap((value) => (value.kind === 'iri' ? [value.iri] : []));
  return name === undefined || iris.length < values.length ? [] : [{ name, iris }];
}

function equalIn(expression: unknown): (readonly [string, string])[] {
  const node = expression as { subType?: string; operator?: string; args?: unknown[] };
  if (node.subType !== 'operation' || !Array.isArray(node.args)) return [];
  if (node.operator === '&&') return node.args.flatMap(equalIn);
  if (node.operator !== '=' && node.operator !== 'sameterm') return [];
  const [one, other] = node.args.map(nameOf);
  return one === undefined || other === undefined ? [] : [[one, other]];
}

function nameOf(expression: unknown): string | undefined {
  const node = expression as { type?: string; subType?: string; value?: unknown };
  return node.type === 'term' && node.subType === 'variable' && typeof node.value === 'string'
    ? node.value
    : undefined;
}

export function propertiesOf(patterns: readonly Pattern[], reader: Reader, name: string): string[] {
  return patterns.flatMap((pattern) => {
    if (pattern.type === 'query') return propertiesOf(pattern.where.patterns, reader, name);
    if ('patterns' in pattern) return propertiesOf(pattern.patterns, reader, name);
    if (pattern.subType === 'filter')
      return groupsIn(pattern.expression).flatMap((group) => propertiesOf(group.patterns, reader, name));
    if (pattern.subType !== 'bgp') return [];
    return reader
      .triples(pattern)
      .flatMap(({ subject, begins }) => (subject.kind === 'variable' && subject.name === name ? begins : []));
  });
}

/** Whether patterns match only with a certain term; OPTIONAL and single branches of a UNION do not count. */
export function asksFor(patterns: readonly Pattern[], isIt: (value: string) => boolean): boolean {
  return patterns.some((pattern) => {
    if (pattern.type === 'query') return asksFor(pattern.where.patterns, isIt);
    switch (pattern.subType) {
      case 'optional':
        return false;
      case 'union':
        return pattern.patterns.every((branch) => asksFor(branch.patterns, isIt));
      case 'graph':
      case 'group':
        return asksFor(pattern.patterns, isIt);
      default:
        return valuesIn(pattern).some(isIt);
    }
  });
}

function valuesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = node as { type?: string; value?: unknown };
  return type === 'term' && typeof value === 'string' ? [value] : Object.values(node).flatMap(valuesIn);
}
