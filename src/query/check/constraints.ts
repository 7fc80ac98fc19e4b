import { equalities, groupsIn, readerOf, variablesIn } from './patterns.js';
import type { Pattern, PatternTerm, Reader } from './patterns.js';
import type { QueryTree } from '../syntax.js';

/**
 * Names of the variables and parameters that decide what a query finds: they stand in a pattern or filter that has to
 * match, not only in OPTIONAL, MINUS, NOT EXISTS or some branches of a UNION.
 */
export function constrained(tree: QueryTree): Set<string> {
  return decidingIn(tree.where.patterns, readerOf(tree));
}

function decidingIn(patterns: readonly Pattern[], reader: Reader): Set<string> {
  const names = new Set(patterns.flatMap((pattern) => [...decidingBy(pattern, reader)]));
  // What is bound under another name decides where that name does.
  for (const [source, alias] of patterns.flatMap(boundNames)) if (names.has(alias)) names.add(source);
  return names;
}

const boundNames = (pattern: Pattern): (readonly [string, string])[] =>
  pattern.type !== 'query' && pattern.subType === 'bind' ? equalities(pattern) : [];

function decidingBy(pattern: Pattern, reader: Reader): Iterable<string> {
  if (pattern.type === 'query') return decidingIn(pattern.where.patterns, reader);
  switch (pattern.subType) {
    case 'bgp':
      return reader
        .triples(pattern)
        .flatMap(({ subject, predicate, object }) => names(subject, predicate, object));
    case 'graph':
      return [...names(reader.graph(pattern)), ...decidingIn(pattern.patterns, reader)];
    case 'group':
      return decidingIn(pattern.patterns, reader);
    case 'union': {
      const [first = new Set<string>(), ...others] = pattern.patterns.map((branch) =>
        decidingIn(branch.patterns, reader),
      );
      return [...first].filter((name) => others.every((branch) => branch.has(name)));
    }
    case 'filter': {
      const groups = groupsIn(pattern.expression).filter(({ isPositive }) => isPositive);
      const inside = groups.flatMap((group) => [...decidingIn(group.patterns, reader)]);
      return [...variablesIn(pattern.expression), ...inside];
    }
    default:
      return [];
  }
}

/** Names in the first pattern of the text, its graph's included; undefined where the query has no pattern. */
export function firstNames(tree: QueryTree): string[] | undefined {
  return firstIn(tree.where.patterns, readerOf(tree), []);
}

function firstIn(patterns: readonly Pattern[], reader: Reader, graph: string[]): string[] | undefined {
  for (const pattern of patterns) {
    const found = firstOf(pattern, reader, graph);
    if (!found) continue;
    const sources = patterns.flatMap(boundNames).filter(([, alias]) => found.includes(alias));
    return [...found, ...sources.map(([source]) => source)];
  }
  return undefined;
}

function firstOf(pattern: Pattern, reader: Reader, graph: string[]): string[] | undefined {
  if (pattern.type === 'query') return firstIn(pattern.where.patterns, reader, graph);
  if (pattern.subType === 'bgp') {
    const [first] = reader.triples(pattern);
    return first && [...graph, ...names(first.subject, first.predicate, first.object)];
  }
  if (pattern.subType === 'graph') return firstIn(pattern.patterns, reader, names(reader.graph(pattern)));
  return 'patterns' in pattern ? firstIn(pattern.patterns, reader, graph) : undefined;
}

function names(...places: readonly PatternTerm[]): string[] {
  return places.flatMap((place) => (place.kind === 'variable' ? [place.name] : []));
}
