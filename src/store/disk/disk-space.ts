import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../model/problem.js';

const RETRY_AFTER = '60';
const codes = ['ENOSPC', 'EDQUOT', 'EFBIG'] as const;
/** LMDB reports errors by number, and EIO after a partial write. */
const numbers: readonly unknown[] = ['EIO' as const, ...codes].map((code) => constants.errno[code]);

/** The disk is full: writes fail, reads continue. */
export function noRoom(sentence: string, cause: unknown): Problem {
  return new Problem('unavailable', sentence, { headers: { 'Retry-After': RETRY_AFTER }, cause });
}

export function isNoRoom(error: unknown): boolean {
  return (codes as readonly unknown[]).includes((error as NodeJS.ErrnoException).code);
}

/** LMDB's commit error holds another promise, which rejects with the reason. */
export async function committed<T>(transaction: Promise<T>): Promise<T> {
  try {
    return await transaction;
  } catch (error) {
    if (!(error instanceof Error && 'commitError' in error)) throw error;
    const cause = await Promise.resolve(error.commitError).catch((reason: unknown) => reason);
    throw noRoom(`The change could not be written to disk: ${whyNotCommitted(cause)}.`, cause);
  }
}

function whyNotCommitted(cause: unknown): string {
  if (!isOfCommit(cause)) return String(cause);
  const { code, message } = cause;
  return numbers.includes(code) ? `no room is left on it, or it fails (${message})` : message;
}

/** LMDB's commit errors have numeric codes; Node.js errors have names. */
export function isOfCommit(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'number';
}

const NEW_ENVIRONMENT_BYTES = 256 * 1024;

/**
 * Checks that a folder has room for a new LMDB environment. LMDB maps its lock file into memory, so a full disk would
 * end the process (SIGBUS, SIGSEGV).
 * @throws the file system's error
 */
export function requireSpace(folder: string): void {
  const isThere = (name: string): boolean =>
    (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (isThere('data.mdb') && isThere('lock.mdb')) return;
  const file = join(folder, `room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(NEW_ENVIRONMENT_BYTES), { flush: true, mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Room for about ten thousand access log entries, or three hundred thousand nonces. */
const BYTES = 4 * 1024 * 1024;

export type Reserve = ReturnType<typeof openReserve>;

/** Opens a file that reserves disk space, so that access can still be logged for a while when the disk is full. */
export function openReserve(folder: string) {
  const file = join(folder, 'reserve');
  if (!existsSync(file)) makeReserve(file);
  return {
    orElse(work: () => void): void {
      try {
        work();
      } catch (error) {
        if (!isNoRoom(error) || !existsSync(file)) throw error;
        rmSync(file, { force: true });
        work();
      }
    },
  };
}

/** Appends bytes at `offset`, the end of a file: all or none. */
export function append(fd: number, bytes: Buffer, offset: number, reserve: Reserve): void {
  try {
    reserve.orElse(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, offset + at);
    });
  } catch (error) {
    // Nobody got an answer that relies on the partial write.
    ftruncateSync(fd, offset);
    throw error;
  }
}

function makeReserve(file: string): void {
  const fd = openSync(file, 'w', 0o600);
  try {
    writeSync(fd, Buffer.alloc(BYTES));
  } catch (error) {
    rmSync(file, { force: true });
    if (!isNoRoom(error)) throw error;
  } finally {
    closeSync(fd);
  }
}
