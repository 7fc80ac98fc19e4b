import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DataDirectoryError } from './data-directory-error.js';

// The layout of LMDB's data file, format 2, on a 64-bit little-endian machine. It begins with two meta pages. After a
// page header of 24 bytes, each holds: magic, version, address, map size, the records of the free list and of the main
// tree (48 bytes each; the first begins with the page size, both end with their root page), the last used page and the
// transaction number.
const HEADER = 24;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_SIZE = 160;
const at = {
  magic: 24,
  version: 28,
  pageSize: 48,
  freeRoot: 88,
  mainRoot: 136,
  lastPage: 144,
  transaction: 152,
};
const MAX_PAGE_SIZE = 0x10000;
const EMPTY_TREE = 0xffff_ffff_ffff_ffffn;
const branch = 0x01;
const leaf = 0x02;
const overflow = 0x04;
/** Flags of a leaf node: the value lies on pages of its own, or is the record of another tree. */
const bigData = 0x01;
const subTree = 0x02;
const NODE = 8;
const TREE_RECORD = 48;

/** Pages checked when opening a file of any size. */
const PAGES_AT_OPENING = 64;
const MAX_ATTEMPTS = 5;
const TURN_MS = 5;

export interface WalkOptions {
  readonly rest?: number;
  readonly signal?: AbortSignal;
}

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
  readonly roots: readonly bigint[];
}

/**
 * Checks in constant time the headers of a store file, the top pages of its trees, and its length. If the file is
 * shorter than its newest header says, walks all pages, since the missing ones may never have been needed.
 * @throws DataDirectoryError when the file is missing, damaged, or not a store file
 */
export function checkStoreFile(file: string): void {
  const fd = openStoreFile(file);
  try {
    for (let attempt = 1; ; attempt++) {
      const meta = newestMeta(fd, file);
      const { size } = fstatSync(fd);
      const isWhole = BigInt(size) >= (meta.lastPage + 1n) * BigInt(meta.pageSize);
      const bad = firstOf(walkPages(fd, meta, size), isWhole ? PAGES_AT_OPENING : Infinity);
      if (bad === undefined) return;
      // Later transactions reuse a snapshot's pages, so this is damage only if nobody wrote meanwhile.
      if (newestMeta(fd, file).transaction === meta.transaction) throw damaged(file, bad);
      if (attempt === MAX_ATTEMPTS) return;
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Walks all pages of the newest snapshot, in short turns of the event loop. The caller must hold a read transaction, so
 * that no writer reuses those pages.
 * @returns the number of pages
 * @throws DataDirectoryError when one is damaged
 */
export async function walkStoreFile(file: string, { rest = 0, signal }: WalkOptions = {}): Promise<number> {
  const fd = openStoreFile(file);
  try {
    const pages = walkPages(fd, newestMeta(fd, file), fstatSync(fd).size);
    let count = 0;
    for (let turnEnds = performance.now() + TURN_MS; ; count++) {
      const { done, value: bad } = pages.next();
      if (bad !== undefined) throw damaged(file, bad);
      if (done) return count;
      if (performance.now() < turnEnds) continue;
      await setTimeout(rest, undefined, { signal });
      turnEnds = performance.now() + TURN_MS;
    }
  } finally {
    closeSync(fd);
  }
}

export function storeSize(dir: string): number {
  return statSync(join(dir, 'store', 'data.mdb')).size;
}

function openStoreFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw damaged(file, 'it is missing');
    throw error;
  }
}

function newestMeta(fd: number, file: string): Meta {
  const first = readMeta(fd, 0);
  if (!first) throw damaged(file, 'its header cannot be read');
  const second = readMeta(fd, first.pageSize);
  if (second?.pageSize !== first.pageSize) throw damaged(file, 'its second header cannot be read');
  return second.transaction > first.transaction ? second : first;
}

function readMeta(fd: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(META_SIZE);
  if (readSync(fd, bytes, 0, META_SIZE, position) < META_SIZE) return undefined;
  if (bytes.readUInt32LE(at.magic) !== MAGIC) return undefined;
  if ((bytes.readUInt32LE(at.version) & 0xffff) !== VERSION) return undefined;
  const pageSize = bytes.readUInt32LE(at.pageSize);
  if (pageSize < 512 || pageSize > MAX_PAGE_SIZE || (pageSize & (pageSize - 1)) !== 0) return undefined;
  return {
    pageSize,
    lastPage: bytes.readBigUInt64LE(at.lastPage),
    transaction: bytes.readBigUInt64LE(at.transaction),
    roots: [bytes.readBigUInt64LE(at.freeRoot), bytes.readBigUInt64LE(at.mainRoot)],
  };
}

function damaged(file: string, how: string): DataDirectoryError {
  return new DataDirectoryError(
    `The store file ${file} is damaged: ${how}. Restore a backup into a new directory.`,
  );
}

function firstOf(pages: ReturnType<typeof walkPages>, most: number): string | undefined {
  for (let count = 0; count < most; count++) {
    const { done, value } = pages.next();
    if (done) return value;
  }
  return undefined;
}

/** Walks all trees of a snapshot, one page per step. Returns a phrase that says what is wrong, if anything. */
function* walkPages(
  fd: number,
  { pageSize, roots, transaction }: Meta,
  size: number,
): Generator<undefined, string | undefined> {
  const page = Buffer.alloc(pageSize);
  const pending = roots.filter((root) => root !== EMPTY_TREE);
  const last = BigInt(Math.floor(size / pageSize));
  let left = Number(last);
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    if (number >= last) return 'it is cut short';
    // A tree that contains itself would be walked forever.
    if (left-- < 0) return 'its pages lead in a circle';
    readSync(fd, page, 0, pageSize, Number(number) * pageSize);
    const wrong = `page ${number} is not what belongs there`;
    if (page.readBigUInt64LE(0) !== number || page.readBigUInt64LE(8) > transaction) return wrong;
    const flags = page.readUInt16LE(18);
    if (flags === overflow) {
      const pages = BigInt(page.readUInt32LE(20));
      if (number + pages > last) return 'it is cut short';
    } else if (flags === branch || flags === leaf) {
      const children = flags === branch ? branchChildren(page) : leafChildren(page);
      if (!children) return wrong;
      for (const child of children) if (child !== EMPTY_TREE) pending.push(child);
    } else return wrong;
    yield;
  }
  return undefined;
}

function branchChildren(page: Buffer): bigint[] | undefined {
  return nodes(page)?.map(
    (node) =>
      BigInt(page.readUInt16LE(node)) |
      (BigInt(page.readUInt16LE(node + 2)) << 16n) |
      (BigInt(page.readUInt16LE(node + 4)) << 32n),
  );
}

function leafChildren(page: Buffer): bigint[] | undefined {
  const children: bigint[] = [];
  const nodeOffsets = nodes(page);
  for (const node of nodeOffsets ?? []) {
    const flags = page.readUInt16LE(node + 4);
    if ((flags & (bigData | subTree)) === 0) continue;
    const value = node + NODE + page.readUInt16LE(node + 6);
    // A reference begins with its page number; a tree record ends with that of its root.
    const reference = flags & bigData ? value : value + TREE_RECORD - 8;
    if (reference + 8 > page.length) return undefined;
    children.push(page.readBigUInt64LE(reference));
  }
  return nodeOffsets && children;
}

function nodes(page: Buffer): number[] | undefined {
  const count = page.readUInt16LE(20) >> 1;
  if (HEADER + 2 * count > page.length) return undefined;
  const nodeOffsets = Array.from(
    { length: count },
    (_, index) => HEADER + page.readUInt16LE(HEADER + 2 * index),
  );
  return nodeOffsets.every((node) => node + NODE <= page.length) ? nodeOffsets : undefined;
}
