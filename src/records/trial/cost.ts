import { nodesIn, parseSparql } from '../../query/syntax.js';
import type { QueryTemplate } from '../../query/template.js';

/** What the query of a call takes. */
export interface QueryCost {
  /** Triple patterns that it has to match; those that it constructs do not count. */
  readonly patterns: number;
  /** Milliseconds for all requests together, in the fastest and the slowest round. */
  readonly least: number;
  readonly most: number;
}

/** What a call takes with two ontologies; of one that is new or gone there is one side. */
export interface CallCost {
  readonly old?: QueryCost;
  readonly now?: QueryCost;
  /** Whether it takes longer by more than the times of either differ among themselves. */
  readonly slower: boolean;
}

/** How many triple patterns a query matches. The engine has no way to ask for its plan, and follows them as they stand. */
export function countPatterns({ text }: Pick<QueryTemplate, 'text'>): number {
  const tree = parseSparql(text);
  const nodes = 'where' in tree ? nodesIn(tree.where) : [];
  return nodes.filter((node) => 'type' in node && node.type === 'triple').length;
}

/**
 * The cost of a query.
 * @param rounds milliseconds of each round, undefined for a call that was not made
 */
export function costOf(
  query: QueryTemplate | undefined,
  rounds: readonly number[] | undefined,
): QueryCost | undefined {
  if (!query || !rounds || rounds.length === 0) return undefined;
  return { patterns: countPatterns(query), least: Math.min(...rounds), most: Math.max(...rounds) };
}

/** Puts two sides beside each other. One round alone has no spread, so nothing can be said of its growth. */
export function compareCosts(
  old: QueryCost | undefined,
  now: QueryCost | undefined,
  rounds: number,
): CallCost {
  const spread = Math.max(...[old, now].map((cost) => (cost ? cost.most - cost.least : 0)));
  const slower = rounds > 1 && old !== undefined && now !== undefined && now.least - old.most > spread;
  return { ...(old && { old }), ...(now && { now }), slower };
}
