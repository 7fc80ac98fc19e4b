import { rangeOf, type PlacedTree } from '../model/query/syntax.js';

export interface Ungrouped {
  readonly name: string;
  readonly isNamedThere: boolean;
  readonly at: number | undefined;
}

interface Node {
  readonly type?: string;
  readonly subType?: string;
}
interface Placed extends Node {
  readonly loc: PlacedTree['tree']['loc'];
}
interface Variable extends Placed {
  readonly value: string;
}
interface Named extends Node {
  readonly variable: Variable;
  readonly expression?: object;
}
interface Select extends Node {
  readonly variables: readonly (Placed | Named)[];
  readonly solutionModifiers: {
    readonly group?: { readonly groupings: readonly (Variable | Named)[] };
    readonly having?: object;
    readonly order?: object;
  };
}

/** Returns the first selected variable without a single value (SPARQL 1.1 §11.4, §19.8). */
export function ungrouped(tree: PlacedTree['tree']): Ungrouped | undefined {
  for (const node of nodesOf(tree, isTable)) {
    const found = isSelect(node) ? ungroupedIn(node) : undefined;
    if (!found) continue;
    const isNamedThere = (node as Select).variables.some(
      (each) => isNamed(each) && each.variable.value === found.name,
    );
    return { ...found, isNamedThere };
  }
  return undefined;
}

function ungroupedIn({
  variables,
  solutionModifiers: { group, having, order },
}: Select): Omit<Ungrouped, 'isNamedThere'> | undefined {
  const isGrouped = group !== undefined || some(nodesOf([variables, having, order], isClosed), isAggregate);
  if (!isGrouped) return undefined;
  const all = variables.find(isWildcard);
  if (all) return { name: '*', at: rangeOf(all)?.start };
  const grouped = new Set(
    (group?.groupings ?? []).map((each) => (isNamed(each) ? each.variable : each).value),
  );
  const selected = variables.map((each) => (isNamed(each) ? each.expression : each));
  for (const node of nodesOf(selected, isClosed))
    if (isVariable(node) && !grouped.has(node.value)) return { name: node.value, at: rangeOf(node)?.start };
  return undefined;
}

/** Yields a subtree's nodes in text order, but not inside closed ones. Iterative: trees may be deep. */
function* nodesOf(part: unknown, isClosedNode: (node: Node) => boolean): Generator<Node> {
  const waiting = [part];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    yield node;
    if (!isClosedNode(node)) for (const each of Object.values(node).reverse()) waiting.push(each);
  }
}

function some(nodes: Iterable<Node>, test: (node: Node) => boolean): boolean {
  for (const node of nodes) if (test(node)) return true;
  return false;
}

/** VALUES may contain tens of thousands of terms, but no query. */
const isTable = ({ type, subType }: Node): boolean => type === 'pattern' && subType === 'values';
const isAggregate = ({ subType }: Node): boolean => subType === 'aggregate';
/** Aggregates, patterns (of EXISTS) and subqueries have their own variables. */
const isClosed = (node: Node): boolean =>
  isAggregate(node) || node.type === 'query' || (node.type === 'pattern' && node.subType !== 'bind');
const isVariable = (node: Node): node is Variable => node.type === 'term' && node.subType === 'variable';
const isWildcard = (node: Placed | Named): node is Placed => node.type === 'wildcard';
const isNamed = (node: Node): node is Named => 'variable' in node;
const isSelect = (node: Node): node is Select => node.type === 'query' && node.subType === 'select';
