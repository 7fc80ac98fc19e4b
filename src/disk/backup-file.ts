import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DataDirectoryError } from './data-directory-error.js';
import type { BackupKey } from './backup-key.js';
import {
  damagedBackup,
  parseHeader,
  readUpTo,
  unsealFrom,
  type ByteSink,
  type ByteSource,
} from './sealed-file.js';
import { withFile } from './with-file.js';

// A backup is one sealed file (sealed-file.ts); up to version 0.2 the content stood in the clear. It is a line with a header in JSON, then blocks (four bytes of length, then deflated entries), an
// empty block, and the SHA-256 of everything before it. An entry is the length of its key and of its value (four
// bytes each), the number of its table in the header, and key (JSON) and value.

const FORMAT = 'chartgraph-backup';
const FORMAT_VERSION = 1;
const BLOCK = 1 << 20;
const MAX_HEADER = 1 << 16;
const MAX_BLOCK = 1 << 30;
const DIGEST = 32;
const ENTRY_HEADER = 9;
const LINE_FEED = 0x0a;

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

/** Writes the content of a backup, entry by entry. */
export class BackupWriter {
  readonly #sink: ByteSink;
  readonly #tables: readonly string[];
  readonly #hash = createHash('sha256');
  #parts: Uint8Array[] = [];
  #size = 0;

  /** @param tables all that entries may be of */
  constructor(sink: ByteSink, tables: readonly string[]) {
    this.#sink = sink;
    this.#tables = tables;
    const created = new Date().toISOString();
    const header: BackupHeader = { format: FORMAT, version: FORMAT_VERSION, created, tables };
    this.#write(Buffer.from(JSON.stringify(header) + '\n'));
  }

  add({ table, key, value }: BackupEntry): void {
    const name = Buffer.from(JSON.stringify(key));
    const number = Uint8Array.of(this.#tables.indexOf(table));
    this.#parts.push(lengths(name.length, value.length), number, name, value);
    this.#size += ENTRY_HEADER + name.length + value.length;
    if (this.#size >= BLOCK) this.#flush();
  }

  end(): void {
    if (this.#size > 0) this.#flush();
    this.#flush();
    this.#write(this.#hash.copy().digest());
    this.#sink.end();
  }

  #flush(): void {
    const block =
      this.#size === 0 ? Buffer.alloc(0) : deflateRawSync(Buffer.concat(this.#parts), { level: 3 });
    this.#write(lengths(block.length));
    this.#write(block);
    this.#parts = [];
    this.#size = 0;
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#sink.write(bytes);
  }
}

/**
 * Reads a whole backup, checks it, and touches nothing else.
 * @param key called when the file is sealed
 * @returns whether it is sealed
 * @throws DataDirectoryError when the file is no backup, damaged, cut short or of a newer format, or needs another key
 */
export function checkBackupFile(fd: number, file: string, key: () => BackupKey): boolean {
  const hash = createHash('sha256');
  const { source, isSealed } = open(fd, file, key);
  const reader = new Reader(source, file, (bytes) => hash.update(bytes));
  reader.header();
  while (reader.block().length > 0);
  const expected = hash.copy().digest();
  if (!expected.equals(reader.take(DIGEST))) throw damagedBackup(file, 'its checksum does not match');
  if (!reader.atEnd()) throw damagedBackup(file, 'something follows its end');
  return isSealed;
}

/**
 * Whether a file begins as a backup does; undefined when there is none, or nothing in it.
 * @throws DataDirectoryError for a directory
 */
export function holdsBackup(file: string): boolean | undefined {
  return withFile(file, (fd) => {
    refuseDirectory(fd, file);
    const start = Buffer.alloc(64);
    const length = readSync(fd, start, 0, start.length, 0);
    if (length === 0) return undefined;
    return /^\{"format":"chartgraph-(?:sealed-)?backup"/u.test(start.toString('latin1', 0, length));
  });
}

/**
 * The entries of a backup that `checkBackupFile` has accepted.
 * @throws DataDirectoryError for what is none, as somebody may have written into a file that is not sealed
 */
export function* readBackupFile(fd: number, file: string, key: () => BackupKey): Generator<BackupEntry> {
  const reader = new Reader(open(fd, file, key).source, file, () => undefined);
  const { tables } = reader.header();
  for (let block = reader.block(); block.length > 0; block = reader.block()) {
    const entries = readOr(() => inflateRawSync(block, { maxOutputLength: MAX_BLOCK }));
    if (!entries) throw damagedBackup(file, 'a block of it cannot be read');
    for (let at = 0; at < entries.length;) {
      const start = at + ENTRY_HEADER;
      const value = start <= entries.length ? start + entries.readUInt32BE(at) : Infinity;
      const end = value <= entries.length ? value + entries.readUInt32BE(at + 4) : Infinity;
      if (end > entries.length) throw damagedBackup(file, 'an entry of it has no proper length');
      const key = readOr(() => JSON.parse(entries.toString('utf8', start, value)) as unknown);
      if (typeof key !== 'string' && typeof key !== 'number')
        throw damagedBackup(file, 'an entry of it has no proper name');
      yield {
        table: tables[entries.readUInt8(at + 8)] ?? '',
        key,
        value: entries.subarray(value, end),
      };
      at = end;
    }
  }
}

/** What is said of a backup that is not sealed where nobody has asked for such a one. */
export function unsealedBackup(file: string): DataDirectoryError {
  return new DataDirectoryError(
    `The backup ${file} is not sealed, as up to version 0.2: anybody could have written it. Restore it with --unsealed if you know where it comes from. Nothing was changed.`,
  );
}

function open(fd: number, file: string, key: () => BackupKey): { source: ByteSource; isSealed: boolean } {
  refuseDirectory(fd, file);
  const sealed = unsealFrom(fd, file, key);
  return { source: sealed ?? plain(fd), isSealed: sealed !== undefined };
}

/** A directory can be opened as a file can; the error of reading it would not say which one is meant. */
function refuseDirectory(fd: number, file: string): void {
  if (fstatSync(fd).isDirectory()) throw new DataDirectoryError(`${file} is a directory, not a file.`);
}

function plain(fd: number): ByteSource {
  let position = 0;
  return {
    take(length) {
      const bytes = readUpTo(fd, length, position);
      position += bytes.length;
      return bytes;
    },
  };
}

class Reader {
  constructor(
    readonly source: ByteSource,
    readonly file: string,
    readonly onRead: (bytes: Uint8Array) => void,
  ) {}

  header(): BackupHeader {
    const bytes: number[] = [];
    for (let byte: number | undefined; byte !== LINE_FEED && bytes.length < MAX_HEADER;) {
      byte = this.source.take(1)[0];
      if (byte === undefined) break;
      bytes.push(byte);
    }
    const line = Buffer.from(bytes);
    const header = parseHeader<BackupHeader>(line);
    if (header?.format !== FORMAT || !Array.isArray(header.tables)) {
      throw new DataDirectoryError(`${this.file} is not a Chartgraph backup.`);
    }
    if (!(header.version <= FORMAT_VERSION)) {
      throw new DataDirectoryError(
        `${this.file} has data format ${header.version}; this version of Chartgraph reads formats up to ${FORMAT_VERSION}.`,
      );
    }
    this.onRead(line);
    return header;
  }

  block(): Buffer {
    const length = this.take(4).readUInt32BE();
    if (length > MAX_BLOCK) throw damagedBackup(this.file, 'a block of it has no proper length');
    return this.take(length);
  }

  take(length: number): Buffer {
    const bytes = this.source.take(length);
    if (bytes.length < length) throw damagedBackup(this.file, 'it is cut short');
    this.onRead(bytes);
    return bytes;
  }

  atEnd(): boolean {
    return this.source.take(1).length === 0;
  }
}

/** Undefined for what cannot be read. */
function readOr<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function lengths(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number, 4 * index));
  return bytes;
}
