import type { ReadTx } from '../disk/transaction.js';

/** The name of what lies in no part. */
export const SHARED = '';

/**
 * How a container falls into parts, which a working set is filled with one by one. A part has a path, and what lies in it
 * stands at and below that path. The rest is shared, and held as one.
 */
export interface Partition {
  /** The path of the part that a graph lies in; SHARED for one that lies in none. */
  partOf(path: string): string;
}

/**
 * What a query reads: at and below which paths every graph lies that it can find. Each is that of a part, or one inside
 * of a part, which is then loaded without the rest of it; SHARED for all that lies in no part.
 */
export type Scope = readonly string[];

/** No parts: everything is shared. */
export const undivided: Partition = { partOf: () => SHARED };

/** Sorts behind everything that begins so. */
const LAST = '\u{10ffff}';

/** What was found on a way through the names of all graphs. */
export interface Survey {
  readonly shared: readonly string[];
  readonly parts: readonly string[];
  /** Where to go on; undefined at the end. */
  readonly to: string | undefined;
}

/**
 * Looks for shared graphs and parts among the names of all graphs, without reading what lies below the path of a part.
 * @param from '' or the `to` of the survey before
 * @param most how many names are looked at
 */
export function survey(tx: ReadTx, partition: Partition, from: string, most: number): Survey {
  const shared: string[] = [];
  const parts: string[] = [];
  let to = from;
  for (let left = most; left > 0;) {
    const range = to === '' ? {} : { after: to };
    let isEnd = true;
    for (const { key } of tx.range('graphs', { ...range, limit: left, values: false })) {
      left--;
      const path = String(key);
      const part = partition.partOf(path);
      to = path;
      if (part === SHARED) {
        shared.push(path);
        continue;
      }
      parts.push(part);
      // What stands at its very path comes first, and others may stand in between.
      if (path === part) continue;
      // Behind all that lies below it.
      to = `${part}/${LAST}`;
      isEnd = false;
      break;
    }
    if (isEnd && left > 0) return { shared, parts, to: undefined };
  }
  return { shared, parts, to };
}

/** The graphs at and below a path, in order. @param after the path of the one to go on after; '' for all */
export function* graphsIn(
  tx: ReadTx,
  part: string,
  after: string,
): Generator<{ path: string; text: string }> {
  const own = after === '' ? tx.get('graphs', part) : undefined;
  if (own !== undefined) yield { path: part, text: own as string };
  const start = after > `${part}/` ? { after } : { start: `${part}/` };
  for (const { key, value } of tx.range('graphs', { ...start, end: `${part}/${LAST}` })) {
    yield { path: String(key), text: value as string };
  }
}

/** The paths of the graphs at and below a path, in order. */
export function* pathsIn(tx: ReadTx, path: string): Generator<string> {
  if (tx.has('graphs', path)) yield path;
  for (const { key } of tx.range('graphs', { prefix: `${path}/`, values: false })) yield String(key);
}
