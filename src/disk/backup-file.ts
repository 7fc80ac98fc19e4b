import { createHash } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DataDirectoryError } from './data-directory-error.js';
import { FORMAT_VERSION } from './marker.js';

// A backup is one file: a line with a header in JSON, then blocks (four bytes of length, then deflated entries), an
// empty block, and the SHA-256 of everything before it. An entry is the length of its key and of its value (four
// bytes each), the number of its table in the header, and key (JSON) and value.

const FORMAT = 'chartgraph-backup';
const BLOCK = 1 << 20;
const MAX_HEADER = 1 << 16;
const MAX_BLOCK = 1 << 30;
const DIGEST = 32;
const ENTRY_HEADER = 9;

export interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** ISO 8601. */
  readonly created: string;
  readonly tables: readonly string[];
}

export interface BackupEntry {
  readonly table: string;
  readonly key: string | number;
  readonly value: Uint8Array;
}

/** Writes a backup to an open file, from its beginning; `entries` is walked once, without a pause. */
export function writeBackupFile(fd: number, tables: readonly string[], entries: Iterable<BackupEntry>): void {
  const hash = createHash('sha256');
  const write = (bytes: Uint8Array): void => {
    hash.update(bytes);
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  };
  const created = new Date().toISOString();
  const header: BackupHeader = { format: FORMAT, version: FORMAT_VERSION, created, tables };
  write(Buffer.from(JSON.stringify(header) + '\n'));
  let parts: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    const block = size === 0 ? Buffer.alloc(0) : deflateRawSync(Buffer.concat(parts), { level: 3 });
    write(lengths(block.length));
    write(block);
    parts = [];
    size = 0;
  };
  for (const { table, key, value } of entries) {
    const name = Buffer.from(JSON.stringify(key));
    parts.push(lengths(name.length, value.length), Uint8Array.of(tables.indexOf(table)), name, value);
    size += ENTRY_HEADER + name.length + value.length;
    if (size >= BLOCK) flush();
  }
  if (size > 0) flush();
  flush();
  write(hash.copy().digest());
}

/**
 * Reads a whole backup, checks it, and touches nothing else.
 * @throws DataDirectoryError when the file is no backup, damaged, cut short or of a newer format
 */
export function checkBackupFile(fd: number, file: string): BackupHeader {
  const hash = createHash('sha256');
  const reader = new Reader(fd, file, (bytes) => hash.update(bytes));
  const header = reader.header();
  while (reader.block().length > 0);
  const expected = hash.copy().digest();
  if (!expected.equals(reader.take(DIGEST))) throw damaged(file, 'its checksum does not match');
  if (!reader.atEnd()) throw damaged(file, 'something follows its end');
  return header;
}

/** The entries of a backup that `checkBackupFile` has accepted. */
export function* readBackupFile(fd: number, file: string): Generator<BackupEntry> {
  const reader = new Reader(fd, file, () => undefined);
  const { tables } = reader.header();
  for (let block = reader.block(); block.length > 0; block = reader.block()) {
    const entries = inflateRawSync(block, { maxOutputLength: MAX_BLOCK });
    for (let at = 0; at < entries.length;) {
      const key = at + ENTRY_HEADER;
      const value = key + entries.readUInt32BE(at);
      const end = value + entries.readUInt32BE(at + 4);
      yield {
        table: tables[entries.readUInt8(at + 8)] ?? '',
        key: JSON.parse(entries.toString('utf8', key, value)) as string | number,
        value: entries.subarray(value, end),
      };
      at = end;
    }
  }
}

class Reader {
  #position = 0;

  constructor(
    readonly fd: number,
    readonly file: string,
    readonly onRead: (bytes: Uint8Array) => void,
  ) {}

  header(): BackupHeader {
    const bytes = Buffer.alloc(MAX_HEADER);
    const line = bytes.subarray(
      0,
      bytes.subarray(0, readSync(this.fd, bytes, 0, MAX_HEADER, 0)).indexOf(10) + 1,
    );
    const header = parseHeader(line.toString('utf8'));
    if (header?.format !== FORMAT || !Array.isArray(header.tables)) {
      throw new DataDirectoryError(`${this.file} is not a Chartgraph backup.`);
    }
    if (!(header.version <= FORMAT_VERSION)) {
      throw new DataDirectoryError(
        `${this.file} has data format ${header.version}; this version of Chartgraph reads formats up to ${FORMAT_VERSION}.`,
      );
    }
    return this.take(line.length) && header;
  }

  block(): Buffer {
    const length = this.take(4).readUInt32BE();
    if (length > MAX_BLOCK) throw damaged(this.file, 'a block of it has no proper length');
    return this.take(length);
  }

  take(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length;) {
      const read = readSync(this.fd, bytes, done, length - done, this.#position + done);
      if (read === 0) throw damaged(this.file, 'it is cut short');
      done += read;
    }
    this.#position += length;
    this.onRead(bytes);
    return bytes;
  }

  atEnd(): boolean {
    return readSync(this.fd, Buffer.alloc(1), 0, 1, this.#position) === 0;
  }
}

function parseHeader(text: string): BackupHeader | undefined {
  try {
    return Object(JSON.parse(text)) as BackupHeader;
  } catch {
    return undefined;
  }
}

function lengths(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, 4 * index));
  return bytes;
}

function damaged(file: string, how: string): DataDirectoryError {
  return new DataDirectoryError(`The backup ${file} is damaged: ${how}. Nothing was changed.`);
}
