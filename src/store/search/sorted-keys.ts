import type { ReadTx, WriteTx } from '../../disk/transaction.js';
import { compareKeys, placeOf } from './key-order.js';

/** The table whose entries are the nodes, by their numbers. */
const TABLE = 'searchNodes';
/** Under which the number of the next new node stands. */
const NEXT = 0;
const ROOT = 1;
/** Characters that a node holds at most: compressed and sealed it takes about half a page. */
const MOST = 4000;
/** What stands between a separator and the number of its child. */
const BETWEEN = '\u0000';

/** A leaf holds keys; a node above it the first key of each child, of which that of the first is never looked at. */
interface Node {
  readonly keys: string[];
  /** The numbers of the children; undefined for a leaf. */
  readonly children: number[] | undefined;
}

/**
 * Texts in order, as a B+ tree whose nodes are values of a table: sealed as all values are, so that of what is in them
 * nothing is to be seen on the disk but how much it is. Texts hold no line feed.
 */
export class SortedKeys {
  constructor(protected readonly tx: Pick<ReadTx, 'get'>) {}

  /** The keys from a text (included) to another one (not included), in order, some at a time. */
  *range(start: string, end: string): Generator<readonly string[]> {
    for (const keys of this.#leaves(ROOT, start)) {
      const from = placeOf(keys, start);
      const to = placeOf(keys, end);
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

/** The same while a transaction changes them: nodes are written by `finish`, each once. */
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

  /** Nothing is changed after this. */
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

  /** @returns the new node beside this one, with its first key, where it had to be split */
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
      const at = placeOf(keys, key);
      if (keys[at] === key) return undefined;
      keys.splice(at, 0, key);
    }
    this.#changed.add(number);
    return sizeOf(keys) > MOST && keys.length > 3 ? this.#split(node, key) : undefined;
  }

  #split({ keys, children }: Node, key: string): { readonly key: string; readonly number: number } {
    // Keys that come in order leave full nodes behind.
    const isLast = keys.at(-1) === key || (children && compareKeys(keys.at(-1) ?? '', key) <= 0);
    const at = isLast ? keys.length - 1 : keys.length >> 1;
    const right = keys.splice(at);
    return { key: right[0] ?? '', number: this.#new({ keys: right, children: children?.splice(at) }) };
  }

  /** @returns whether nothing is left of the node */
  #remove(number: number, key: string): boolean {
    const { keys, children } = this.node(number);
    const at = children ? childAt(keys, key) : placeOf(keys, key);
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

/** Which child of a node a key stands in, if anywhere. */
function childAt(keys: readonly string[], key: string): number {
  const at = placeOf(keys, key);
  return keys[at] === key ? at : Math.max(0, at - 1);
}

function sizeOf(keys: readonly string[]): number {
  let size = 0;
  for (const { length } of keys) size += length;
  return size;
}

/** The first line tells a leaf from others. */
function writeNode({ keys, children }: Node): string {
  if (!children) return ['', ...keys].join('\n');
  return ['children', ...keys.map((key, at) => `${key}${BETWEEN}${children[at]}`)].join('\n');
}

function readNode(text = '\n'): Node {
  const [kind, ...lines] = text.split('\n');
  if (kind === '') return { keys: lines.filter((line) => line !== ''), children: undefined };
  const keys: string[] = [];
  const children: number[] = [];
  for (const line of lines) {
    const end = line.lastIndexOf(BETWEEN);
    keys.push(line.slice(0, end));
    children.push(Number(line.slice(end + 1)));
  }
  return { keys, children };
}
