import { prefixesOf, type QueryTree } from '../syntax.js';

export type Pattern = QueryTree['where']['patterns'][number];
export type SubSelect = Extract<Pattern, { type: 'query' }>;
export type Expression = Extract<Pattern, { subType: 'filter' }>['expression'];
type GraphPattern = Extract<Pattern, { subType: 'graph' }>;
type Bgp = Extract<Pattern, { subType: 'bgp' }>;
type Nesting = Bgp['triples'][number];
type Path = Extract<Nesting, { type: 'triple' }>['predicate'];
type Term = Path | Extract<Nesting, { type: 'triple' }>['object'];

/** A term of a triple pattern, or the name of a graph: a variable (parameters are variables to the parser), an IRI, or else. */
export type PatternTerm =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'iri'; readonly iri: string }
  | { readonly kind: 'other' };

export interface Triple {
  readonly subject: PatternTerm;
  readonly predicate: PatternTerm;
  readonly object: PatternTerm;
  /** The properties of the subject that its predicate, or a path in its place, begins with. */
  readonly begins: readonly string[];
  /** The properties one of which, or none where that is allowed, leads to the object; undefined where it may be more. */
  readonly steps: readonly string[] | undefined;
}

/** A variable that is one of some IRIs in every solution. */
export interface Choice {
  readonly name: string;
  readonly iris: readonly string[];
}

/** Reads terms of a syntax tree, prefixed names as the query declares them. */
export interface Reader {
  triples(bgp: Bgp): Triple[];
  graph(pattern: GraphPattern): PatternTerm;
  term(node: Term): PatternTerm;
}

const other: PatternTerm = { kind: 'other' };

export function readerOf(tree: QueryTree): Reader {
  const prefixes = prefixesOf(tree);
  const place = (node: Term): PatternTerm => {
    if (node.type === 'tripleCollection' || node.type === 'path') return other;
    if (node.subType === 'variable') return { kind: 'variable', name: node.value };
    if (node.subType !== 'namedNode') return other;
    const prefix = 'prefix' in node ? prefixes.get(node.prefix) : '';
    return prefix === undefined ? other : { kind: 'iri', iri: prefix + node.value };
  };
  const begins = (path: Path): string[] => {
    if (path.type !== 'path') {
      const term = place(path);
      return term.kind === 'iri' ? [term.iri] : [];
    }
    if (path.subType === '^' || path.subType === '!') return [];
    const [first, ...others] = path.items;
    return [first, ...(path.subType === '|' ? others : [])].flatMap(begins);
  };
  const steps = (path: Path): string[] | undefined => {
    const term = place(path);
    if (path.type !== 'path') return term.kind === 'iri' ? [term.iri] : undefined;
    if (path.subType !== '?' && path.subType !== '|') return undefined;
    const each = path.items.map(steps);
    return each.includes(undefined) ? undefined : each.flatMap((some) => some ?? []);
  };
  const nested = (node: Nesting | Extract<Nesting, { type: 'triple' }>['object']): Triple[] => {
    if (node.type === 'tripleCollection') return node.triples.flatMap(nested);
    if (node.type !== 'triple') return [];
    const { subject, predicate, object } = node;
    const own = { subject: place(subject), predicate: place(predicate), object: place(object) };
    return [
      { ...own, begins: begins(predicate), steps: steps(predicate) },
      ...nested(subject),
      ...nested(object),
    ];
  };
  return { triples: (bgp) => bgp.triples.flatMap(nested), graph: ({ name }) => place(name), term: place };
}

/** The groups that EXISTS and NOT EXISTS hold inside an expression, and whether each must match. */
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

/** Names of the variables that an expression looks at, those of its groups left out. */
export function variablesIn(expression: unknown): string[] {
  if (typeof expression !== 'object' || expression === null) return [];
  if ((expression as { subType?: string }).subType === 'patternOperation') return [];
  const name = nameOf(expression);
  return name === undefined ? Object.values(expression).flatMap(variablesIn) : [name];
}

/** Names that a sub-select hands to what stands around it; undefined for `*`, which hands over all. */
export function projected({ variables }: SubSelect): string[] | undefined {
  if (variables.some((variable) => variable.type === 'wildcard')) return undefined;
  return variables.flatMap((variable) =>
    variable.type === 'term' && variable.subType === 'variable' ? [variable.value] : [],
  );
}

/**
 * Pairs of names that are the same term in every solution that passes a FILTER or comes out of a BIND: `?a = ?b` and
 * `sameTerm(?a, ?b)`, alone or joined by `&&` (SPARQL 1.1 §17.4.1), and `BIND(?a AS ?b)`.
 */
export function equalities(pattern: Pattern): (readonly [string, string])[] {
  if (pattern.type === 'query') return [];
  if (pattern.subType === 'filter') return equalIn(pattern.expression);
  if (pattern.subType !== 'bind') return [];
  const source = nameOf(pattern.expression);
  return source === undefined ? [] : [[source, pattern.variable.value]];
}

/** What variables are one of in every solution that passes a FILTER: `?a IN (<x>, <y>)` and `?a = <x>`, alone or joined by `&&`. */
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

/** The properties that patterns ask for of a variable, anywhere. */
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

/** Whether patterns match only where something is of a term: what stands in OPTIONAL, or in one branch of a UNION, need not be. */
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

/** The texts of all terms of a part of a tree. */
function valuesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = node as { type?: string; value?: unknown };
  return type === 'term' && typeof value === 'string' ? [value] : Object.values(node).flatMap(valuesIn);
}
