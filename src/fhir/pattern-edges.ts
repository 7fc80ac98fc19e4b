import { nodesIn, prefixesOf, type QueryTree } from '../model/query/syntax.js';

/** A triple pattern: from a node over some properties to another node, or to a fixed term. */
export interface Edge {
  /** The name of a variable, or the label of a blank node with `_:`. */
  readonly subject: string;
  /** IRIs, one after the other; undefined if the path is more than a sequence. */
  readonly path: readonly string[] | undefined;
  readonly object: { readonly node: string } | { readonly iri: string } | { readonly text: string };
}

interface Node {
  readonly type?: string;
  readonly subType?: string;
  readonly value?: string;
  readonly prefix?: string;
  readonly label?: string;
  readonly items?: readonly Node[];
  readonly identifier?: Node;
  readonly subject?: Node;
  readonly predicate?: Node;
  readonly object?: Node;
}

/** Returns every triple pattern in a part of a query, including nested groups and EXISTS; one for each alternative. */
export function edgesOf(tree: QueryTree, part: unknown): Edge[] {
  const expand = expander(tree);
  const triples = (nodesIn(part) as Node[]).filter(({ type }) => type === 'triple');
  return triples.flatMap(({ subject, predicate, object }) => {
    const from = subject && nodeOf(subject);
    if (from === undefined || predicate === undefined || object === undefined) return [];
    const to = nodeOf(object);
    const end =
      to !== undefined
        ? { node: to }
        : object.subType === 'namedNode'
          ? { iri: expand(object) }
          : { text: object.value ?? '' };
    const paths = pathsOf(predicate, expand) ?? [undefined];
    return paths.map((path) => ({ subject: from, path, object: end }));
  });
}

/** Reads prefixed names by the declarations of the query. */
function expander(tree: QueryTree): (node: Node) => string {
  const prefixes = prefixesOf(tree);
  return ({ prefix, value = '' }) => (prefix === undefined ? value : (prefixes.get(prefix) ?? '') + value);
}

function nodeOf(node: Node): string | undefined {
  if (node.type === 'tripleCollection') return node.identifier && nodeOf(node.identifier);
  if (node.subType === 'variable') return node.value;
  return node.subType === 'blankNode' ? `_:${node.label ?? ''}` : undefined;
}

/** Returns the sequences of IRIs that a property path allows; undefined for other paths and for a variable. */
function pathsOf(node: Node, expand: (node: Node) => string): string[][] | undefined {
  if (node.subType === 'namedNode') return [[expand(node)]];
  if (node.type !== 'path' || (node.subType !== '/' && node.subType !== '|')) return undefined;
  const parts = (node.items ?? []).map((item) => pathsOf(item, expand));
  if (parts.some((part) => part === undefined)) return undefined;
  const known = parts.flatMap((part) => (part === undefined ? [] : [part]));
  if (node.subType === '|') return known.flat();
  return known.reduce<string[][]>(
    (starts, part) => starts.flatMap((start) => part.map((rest) => [...start, ...rest])),
    [[]],
  );
}
