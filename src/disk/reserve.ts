import { closeSync, existsSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isNoRoom } from './no-room.js';

/** Room for some ten thousand entries of the access log, or three hundred thousand nonces. */
const BYTES = 4 * 1024 * 1024;

/** A file that keeps room on the disk: when that is full, what has to be written for a read still can be for a while. */
export interface Reserve {
  /** Runs `work`; where it fails for want of room, gives the room free and runs it once more. */
  orElse(work: () => void): void;
}

/** The reserve of a folder, made again when it is next opened, if there is room. */
export function openReserve(folder: string): Reserve {
  const file = join(folder, 'reserve');
  if (!existsSync(file)) makeReserve(file);
  return {
    orElse(work) {
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

/**
 * Writes bytes at the end of a file, at `offset`: all, or none. @throws what the file system says
 */
export function append(fd: number, bytes: Buffer, offset: number, reserve: Reserve): void {
  try {
    reserve.orElse(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, offset + at);
    });
  } catch (error) {
    // What is half written was never answered for.
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
