import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { findBadPage } from './store-pages.js';

// The layout of LMDB's data file, format 2, on a 64-bit little-endian machine. Two meta pages stand at its
// beginning; each holds, after a page header of 24 bytes: magic, version, address, map size, the records of the
// free list and of the main tree (48 bytes each; the first begins with the page size, both end with the number of
// their root page), the last page in use and the number of its transaction.
const HEADER = 24;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_SIZE = 160;
const at = { magic: 24, version: 28, pageSize: 48, freeRoot: 88, mainRoot: 136, transaction: 152 };
const MAX_PAGE_SIZE = 0x10000;
/** How often a file that somebody writes to is looked at before it is taken as it is. */
const ATTEMPTS = 5;

interface Meta {
  readonly pageSize: number;
  readonly transaction: bigint;
  readonly roots: readonly bigint[];
}

/**
 * Checks that LMDB can work with a store file: it trusts its pages, and a file that is cut short or overwritten
 * makes it crash the whole process. So every page that the newest snapshot reaches must lie in the file and be what
 * the page above says it is. Reads the file once, and changes nothing.
 * @throws DataDirectoryError when the file is missing, damaged, or no store file
 */
export function checkStoreFile(file: string): void {
  const fd = openStoreFile(file);
  try {
    for (let attempt = 1; ; attempt++) {
      const meta = newestMeta(fd, file);
      const bad = findBadPage(fd, { ...meta, header: HEADER, size: fstatSync(fd).size });
      if (bad === undefined) return;
      // Pages of a snapshot are used again by later transactions: only when nobody writes is this a fault.
      if (newestMeta(fd, file).transaction === meta.transaction) throw damaged(file, bad);
      if (attempt === ATTEMPTS) return;
    }
  } finally {
    closeSync(fd);
  }
}

/** How large the primary store of a data directory is on disk, in bytes. */
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
    transaction: bytes.readBigUInt64LE(at.transaction),
    roots: [bytes.readBigUInt64LE(at.freeRoot), bytes.readBigUInt64LE(at.mainRoot)],
  };
}

function damaged(file: string, how: string): DataDirectoryError {
  return new DataDirectoryError(
    `The store file ${file} is damaged: ${how}. Restore a backup into a new directory.`,
  );
}
