import { readSync } from 'node:fs';

/** What is needed to walk the trees of an LMDB file: sizes in bytes, the root pages, the snapshot's transaction. */
export interface Trees {
  readonly size: number;
  readonly pageSize: number;
  /** Size of a page header; the offsets of a page's nodes are counted from its end. */
  readonly header: number;
  readonly roots: readonly bigint[];
  readonly transaction: bigint;
}

const EMPTY_TREE = 0xffff_ffff_ffff_ffffn;
const branch = 0x01;
const leaf = 0x02;
const overflow = 0x04;
/** Flags of a leaf's node: the value stands on pages of its own, or is the record of another tree. */
const bigData = 0x01;
const subTree = 0x02;
const NODE = 8;
const TREE_RECORD = 48;

/**
 * Walks all trees of a snapshot. Undefined when each page lies in the file, bears its own number, is of this snapshot
 * or an older one, and holds nodes that lie inside it; else a phrase that says what is wrong.
 */
export function findBadPage(fd: number, trees: Trees): string | undefined {
  const { pageSize, header, size } = trees;
  const page = Buffer.alloc(pageSize);
  const waiting = trees.roots.filter((root) => root !== EMPTY_TREE);
  const last = BigInt(Math.floor(size / pageSize));
  let left = Number(last);
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (number >= last) return 'it is cut short';
    // A tree that leads back into itself would be walked for ever.
    if (left-- < 0) return 'its pages lead in a circle';
    readSync(fd, page, 0, pageSize, Number(number) * pageSize);
    const fault = `page ${number} is not what belongs there`;
    if (page.readBigUInt64LE(0) !== number || page.readBigUInt64LE(8) > trees.transaction) return fault;
    const flags = page.readUInt16LE(18);
    if (flags === overflow) {
      const pages = BigInt(page.readUInt32LE(20));
      if (number + pages > last) return 'it is cut short';
    } else if (flags === branch || flags === leaf) {
      const children = flags === branch ? branchChildren(page, header) : leafChildren(page, header);
      if (!children) return fault;
      for (const child of children) if (child !== EMPTY_TREE) waiting.push(child);
    } else return fault;
  }
  return undefined;
}

function branchChildren(page: Buffer, header: number): bigint[] | undefined {
  return nodes(page, header)?.map(
    (node) =>
      BigInt(page.readUInt16LE(node)) |
      (BigInt(page.readUInt16LE(node + 2)) << 16n) |
      (BigInt(page.readUInt16LE(node + 4)) << 32n),
  );
}

function leafChildren(page: Buffer, header: number): bigint[] | undefined {
  const children: bigint[] = [];
  const found = nodes(page, header);
  for (const node of found ?? []) {
    const flags = page.readUInt16LE(node + 4);
    if ((flags & (bigData | subTree)) === 0) continue;
    const value = node + NODE + page.readUInt16LE(node + 6);
    // A reference begins with the number of the page; the record of a tree ends with that of its root.
    const reference = flags & bigData ? value : value + TREE_RECORD - 8;
    if (reference + 8 > page.length) return undefined;
    children.push(page.readBigUInt64LE(reference));
  }
  return found && children;
}

/** Where the nodes of a page begin; undefined when one lies outside of it. */
function nodes(page: Buffer, header: number): number[] | undefined {
  const count = page.readUInt16LE(20) >> 1;
  if (header + 2 * count > page.length) return undefined;
  const found = Array.from({ length: count }, (_, index) => header + page.readUInt16LE(header + 2 * index));
  return found.every((node) => node + NODE <= page.length) ? found : undefined;
}
