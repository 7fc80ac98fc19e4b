import type { ReadTx, WriteTx } from '../disk/transaction.js';

/** Orders texts by code points like the engine, not by UTF-16 code units like JavaScript. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === end) return a.length - b.length;
  return weightOf(a.charCodeAt(at)) - weightOf(b.charCodeAt(at));
}

/** Returns the index of the first key that is not less than another. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const BEHIND_ALL = 0x10000;

/** Surrogates sort after all other units. */
function weightOf(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + BEHIND_ALL : unit;
}

const TABLE = 'searchNodes';
/** The key under which the number of the next new node is stored. */
const NEXT = 0;
const ROOT = 1;
/** Maximum characters of a node: compressed and sealed about half a page. */
const MAX_CHARACTERS = 4000;
const SEPARATOR = '\u0000';

/** A leaf holds keys; an inner node the first key of each child, of which the first is never read. */
interface Node {
  readonly keys: string[];
  readonly children: number[] | undefined;
}

/** A sorted set of texts without line feeds: a B+ tree whose nodes are sealed values of a table. */
export class SortedKeys {
  constructor(protected readonly tx: Pick<ReadTx, 'get'>) {}

  /** Yields the keys from `start` (inclusive) to `end` (exclusive), in batches. */
  *range(start: string, end: string): Generator<readonly string[]> {
    for (const keys of this.#leaves(ROOT, start)) {
      const from = lowerBound(keys, start);
      const to = lowerBound(keys, end);
      yield keys.slice(from, to);
      if (to < keys.length) return;
    }
  }

  protected node(number: number): Node {
    return readNode(this.tx.get(TABLE, number) as string | undefined);
  }

  *#leaves(number: number, start: string): Generator<readonly string[]> {
    const { keys, children } = this.node(number);
    if (!children) return yield keys;
    for (const child of children.slice(childAt(keys, start))) yield* this.#leaves(child, start);
  }
}

/** Changes the keys in a transaction; `finish` writes each node once. */
export class SortedKeysWriter extends SortedKeys {
  readonly #nodes = new Map<number, Node>();
  readonly #changed = new Set<number>();
  #next: number | undefined;

  constructor(private readonly writer: WriteTx) {
    super(writer);
  }

  add(key: string): void {
    const split = this.#add(ROOT, key);
    if (!split) return;
    const left = this.#new(this.node(ROOT));
    this.#put(ROOT, { keys: ['', split.key], children: [left, split.number] });
  }

  remove(key: string): void {
    if (this.#remove(ROOT, key)) this.#put(ROOT, { keys: [], children: undefined });
  }

  finish(): void {
    for (const number of this.#changed) {
      const node = this.#nodes.get(number);
      if (node) this.writer.put(TABLE, number, writeNode(node));
      else this.writer.remove(TABLE, number);
    }
    if (this.#next !== undefined) this.writer.put(TABLE, NEXT, String(this.#next));
  }

  protected override node(number: number): Node {
    const known = this.#nodes.get(number);
    if (known) return known;
    const node = super.node(number);
    this.#nodes.set(number, node);
    return node;
  }

  #add(number: number, key: string): { readonly key: string; readonly number: number } | undefined {
    const node = this.node(number);
    const { keys, children } = node;
    if (children) {
      const at = childAt(keys, key);
      const split = this.#add(children[at] ?? ROOT, key);
      if (!split) return undefined;
      keys.splice(at + 1, 0, split.key);
      children.splice(at + 1, 0, split.number);
    } else {
      const at = lowerBound(keys, key);
      if (keys[at] === key) return undefined;
      keys.splice(at, 0, key);
    }
    this.#changed.add(number);
    const size = keys.reduce((sum, { length }) => sum + length, 0);
    return size > MAX_CHARACTERS && keys.length > 3 ? this.#split(node, key) : undefined;
  }

  #split({ keys, children }: Node, key: string): { readonly key: string; readonly number: number } {
    // Keys that arrive in order leave full nodes.
    const isLast = keys.at(-1) === key || (children && compareKeys(keys.at(-1) ?? '', key) <= 0);
    const at = isLast ? keys.length - 1 : keys.length >> 1;
    const right = keys.splice(at);
    return { key: right[0] ?? '', number: this.#new({ keys: right, children: children?.splice(at) }) };
  }

  #remove(number: number, key: string): boolean {
    const { keys, children } = this.node(number);
    const at = children ? childAt(keys, key) : lowerBound(keys, key);
    if (children) {
      const child = children[at] ?? ROOT;
      if (!this.#remove(child, key)) return false;
      this.#drop(child);
      children.splice(at, 1);
    } else if (keys[at] !== key) return false;
    keys.splice(at, 1);
    this.#changed.add(number);
    return keys.length === 0;
  }

  #new(node: Node): number {
    const number = (this.#next ??= Number(this.tx.get(TABLE, NEXT) ?? ROOT + 1));
    this.#next++;
    this.#put(number, node);
    return number;
  }

  #put(number: number, node: Node): void {
    this.#nodes.set(number, node);
    this.#changed.add(number);
  }

  #drop(number: number): void {
    this.#nodes.delete(number);
    this.#changed.add(number);
  }
}

function childAt(keys: readonly string[], key: string): number {
  const at = lowerBound(keys, key);
  return keys[at] === key ? at : Math.max(0, at - 1);
}

function writeNode({ keys, children }: Node): string {
  if (!children) return ['', ...keys].join('\n');
  return ['children', ...keys.map((key, at) => `${key}${SEPARATOR}${children[at]}`)].join('\n');
}

function readNode(text = '\n'): Node {
  const [kind, ...lines] = text.split('\n');
  if (kind === '') return { keys: lines.filter((line) => line !== ''), children: undefined };
  const keys: string[] = [];
  const children: number[] = [];
  for (const line of lines) {
    const end = line.lastIndexOf(SEPARATOR);
    keys.push(line.slice(0, end));
    children.push(Number(line.slice(end + 1)));
  }
  return { keys, children };
}
