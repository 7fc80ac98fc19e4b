import { open, type FileHandle } from 'node:fs/promises';
import { DataDirectoryError } from './errors.js';

// The layout of LMDB's data file, format 2, on a 64-bit little-endian machine. Two meta pages stand at its
// beginning; each holds, after a page header of 24 bytes: magic, version, address, map size, the records of the
// free list and of the main tree (48 bytes each, the first beginning with the page size), the last page in use and
// the number of its transaction.
const HEADER = 24;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_SIZE = 160;
const at = {
  magic: HEADER,
  version: HEADER + 4,
  pageSize: HEADER + 24,
  mainRoot: HEADER + 112,
  lastPage: HEADER + 120,
  transaction: HEADER + 128,
};
const MAX_PAGE_SIZE = 0x10000;

interface Meta {
  pageSize: number;
  lastPage: number;
  transaction: bigint;
}

/**
 * Checks that LMDB can map a store file without harm: it reads beyond the end of a truncated file only to be
 * killed by the operating system (SIGBUS), so this looks first.
 * @throws DataDirectoryError when the file is missing, cut short, or is no store file
 */
export async function checkStoreFile(file: string): Promise<void> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw damaged(file, 'it is missing');
    throw error;
  });
  try {
    const { size } = await handle.stat();
    const meta = await newestMeta(handle, file);
    const needed = (meta.lastPage + 1) * meta.pageSize;
    if (size < needed) throw damaged(file, `it is cut short: ${size} bytes where ${needed} belong`);
  } finally {
    await handle.close();
  }
}

async function newestMeta(handle: FileHandle, file: string): Promise<Meta> {
  const first = await readMeta(handle, 0);
  if (!first) throw damaged(file, 'its header cannot be read');
  const second = await readMeta(handle, first.pageSize);
  if (!second || second.pageSize !== first.pageSize) throw damaged(file, 'its second header cannot be read');
  return second.transaction > first.transaction ? second : first;
}

async function readMeta(handle: FileHandle, position: number): Promise<Meta | undefined> {
  const bytes = Buffer.alloc(META_SIZE);
  const { bytesRead } = await handle.read(bytes, 0, META_SIZE, position);
  if (bytesRead < META_SIZE) return undefined;
  if (bytes.readUInt32LE(at.magic) !== MAGIC || (bytes.readUInt32LE(at.version) & 0xffff) !== VERSION)
    return undefined;
  const pageSize = bytes.readUInt32LE(at.pageSize);
  if (pageSize < 512 || pageSize > MAX_PAGE_SIZE || (pageSize & (pageSize - 1)) !== 0) return undefined;
  return {
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(at.lastPage)),
    transaction: bytes.readBigUInt64LE(at.transaction),
  };
}

function damaged(file: string, how: string): DataDirectoryError {
  return new DataDirectoryError(
    `The store file ${file} is damaged: ${how}. Restore a backup into a new directory.`,
  );
}
