import type { ReadTx } from './disk/transaction.js';

export const SHARED = '';

/** Splits a container into parts at and below certain paths, which load alone; the rest is shared. */
export interface Partition {
  /** Returns the path of a graph's part; SHARED if it has none. */
  partOf(path: string): string;
}

/** Covers what a query reads: parts, or places in parts; SHARED for graphs in no part. */
export type Scope = readonly string[];

export const undivided: Partition = { partOf: () => SHARED };

const LAST = '\u{10ffff}';

/**
 * Surveys graph names for shared graphs and parts, skipping names below a part.
 * @param from '' or the `to` of the previous survey
 * @param most names
 * @returns `to`: where to continue; undefined at the end
 */
export function survey(tx: ReadTx, partition: Partition, from: string, most: number) {
  const shared: string[] = [];
  const parts: string[] = [];
  let to = from;
  for (let left = most; left > 0;) {
    const after = to === '' ? undefined : to;
    let isEnd = true;
    for (const { key } of tx.range('graphs', { after, limit: left, values: false })) {
      left--;
      const path = String(key);
      const part = partition.partOf(path);
      to = path;
      if (part === SHARED) {
        shared.push(path);
        continue;
      }
      parts.push(part);
      // The graph at the part's own path comes first, and others may follow before those below it.
      if (path === part) continue;
      to = `${part}/${LAST}`;
      isEnd = false;
      break;
    }
    if (isEnd && left > 0) return { shared, parts, to: undefined };
  }
  return { shared, parts, to };
}
