import { randomBytes } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import { fileKeys, refuseOtherKey, type BackupKey, type FileKeys } from '../backup/backup-key.js';
import { DataDirectoryError } from './data-directory-error.js';
import { CHUNK_TAG, openChunk, sealChunk } from './sealed-chunk.js';

// A sealed file is a JSON line, then chunks from `sealChunk` of up to 256 KB, each after its length in four bytes. It
// has its own key, and each chunk authenticates the line.
const FORMAT = 'chartgraph-sealed-backup';
const VERSION = 1;
const CHUNK = 1 << 18;
const MAX_HEADER = 1 << 16;

interface Header {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly key: BackupKey['kind'];
  readonly salt: string;
  readonly check: string;
}

export type ByteSink = ReturnType<typeof sealInto>;

export function sealInto(fd: number, key: BackupKey) {
  const salt = randomBytes(32);
  const { sealing, check } = fileKeys(key, salt);
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    key: key.kind,
    salt: salt.toString('hex'),
    check,
  };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  writeAll(fd, line);
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const flush = (content: Buffer, isLast: boolean): void => {
    const sealed = sealChunk(sealing, content, { number: number++, isLast, header: line });
    const length = Buffer.alloc(4);
    length.writeUInt32BE(sealed.length);
    writeAll(fd, Buffer.concat([length, sealed]));
  };
  return {
    write(bytes: Uint8Array): void {
      parts.push(bytes);
      size += bytes.length;
      if (size < CHUNK) return;
      let waiting = Buffer.concat(parts);
      for (; waiting.length >= CHUNK; waiting = waiting.subarray(CHUNK))
        flush(waiting.subarray(0, CHUNK), false);
      parts = [waiting];
      size = waiting.length;
    },
    end: () => flush(Buffer.concat(parts), true),
  };
}

/** Returns undefined for another kind of file. @throws DataDirectoryError for a wrong key or a newer version */
export function unsealFrom(fd: number, file: string, key: () => BackupKey): UnsealedBytes | undefined {
  const start = Buffer.alloc(MAX_HEADER);
  const line = start.subarray(0, start.subarray(0, readSync(fd, start, 0, MAX_HEADER, 0)).indexOf(10) + 1);
  const header = parseHeader<Header>(line);
  if (header?.format !== FORMAT) return undefined;
  if (header.version !== VERSION) {
    throw new DataDirectoryError(
      `${file} has backup format ${header.version}; this version of Chartgraph reads ${VERSION}.`,
    );
  }
  const given = key();
  const keys = fileKeys(given, Buffer.from(String(header.salt), 'hex'));
  refuseOtherKey(file, { key: header.key, check: String(header.check) }, given, keys.check);
  return new UnsealedBytes(fd, file, keys, line);
}

export class UnsealedBytes {
  #position: number;
  #number = 0;
  #content = Buffer.alloc(0);
  #ended = false;

  constructor(
    readonly fd: number,
    readonly file: string,
    readonly keys: FileKeys,
    readonly line: Buffer,
  ) {
    this.#position = line.length;
  }

  /** Returns the next bytes, fewer only at the end. @throws DataDirectoryError when they are damaged */
  take(length: number): Buffer {
    while (this.#content.length < length && !this.#ended) {
      this.#content = Buffer.concat([this.#content, this.#next()]);
    }
    const taken = this.#content.subarray(0, length);
    this.#content = this.#content.subarray(taken.length);
    return taken;
  }

  #next(): Buffer {
    const length = this.#read(4).readUInt32BE();
    if (length < CHUNK_TAG || length > CHUNK + CHUNK_TAG)
      throw damagedBackup(this.file, 'its checksum does not match');
    const sealed = this.#read(length);
    this.#ended = readUpTo(this.fd, 1, this.#position).length === 0;
    const content = this.#open(sealed, this.#ended) ?? this.#open(sealed, !this.#ended);
    if (!content) throw damagedBackup(this.file, 'its checksum does not match');
    this.#number++;
    return content;
  }

  /** If the chunk opens only with the opposite end mark, that tells what is wrong. */
  #open(sealed: Buffer, isLast: boolean): Buffer | undefined {
    const place = { number: this.#number, isLast, header: this.line };
    const content = openChunk(this.keys.sealing, sealed, place);
    if (!content || isLast === this.#ended) return content;
    throw damagedBackup(this.file, this.#ended ? 'it is cut short' : 'something follows its end');
  }

  #read(length: number): Buffer {
    const bytes = readUpTo(this.fd, length, this.#position);
    if (bytes.length < length) throw damagedBackup(this.file, 'it is cut short');
    this.#position += length;
    return bytes;
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

export function parseHeader<Header>(line: Buffer): Header | undefined {
  try {
    return Object(JSON.parse(line.toString())) as Header;
  } catch {
    return undefined;
  }
}

function readUpTo(fd: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  for (let read = 1; read > 0 && done < length; done += read)
    read = readSync(fd, bytes, done, length - done, position + done);
  return bytes.subarray(0, done);
}

export function damagedBackup(file: string, how: string): DataDirectoryError {
  return new DataDirectoryError(`The backup ${file} is damaged: ${how}. Nothing was changed.`);
}
