import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import type { BackupKey } from './backup-key.js';
import {
  damagedBackup,
  parseHeader,
  unsealFrom,
  type ByteSink,
  type UnsealedBytes,
} from '../disk/sealed-file.js';
import { withFile } from '../disk/small-files.js';

// A backup is one sealed file (sealed-file.ts). It holds a JSON header line, blocks (four bytes of length, then
// deflated entries), an empty block, and the SHA-256 of everything before it. An entry is the lengths of its key and
// value (four bytes each), its table's index in the header, the key (JSON) and the value.

const FORMAT = 'chartgraph-backup';
const FORMAT_VERSION = 1;
const BLOCK = 1 << 20;
const MAX_HEADER = 1 << 16;
const MAX_BLOCK = 1 << 30;
const DIGEST = 32;
const ENTRY_HEADER = 9;
const LINE_FEED = 0x0a;

interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly created: string;
  readonly tables: readonly string[];
}

export interface BackupEntry {
  readonly table: string;
  readonly key: string | number;
  readonly value: Uint8Array;
}

export class BackupWriter {
  readonly #sink: ByteSink;
  readonly #tables: readonly string[];
  readonly #hash = createHash('sha256');
  #parts: Uint8Array[] = [];
  #size = 0;

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

/** Reads and checks a whole backup without changing anything. @throws DataDirectoryError */
export function checkBackupFile(fd: number, file: string, key: () => BackupKey): void {
  const hash = createHash('sha256');
  const reader = new Reader(open(fd, file, key), file, (bytes) => hash.update(bytes));
  reader.header();
  while (reader.block().length > 0);
  const expected = hash.copy().digest();
  if (!expected.equals(reader.take(DIGEST))) throw damagedBackup(file, 'its checksum does not match');
  if (!reader.atEnd()) throw damagedBackup(file, 'something follows its end');
}

/** Tells whether a file begins like a backup; undefined when it is missing or empty. */
export function holdsBackup(file: string): boolean | undefined {
  return withFile(file, (fd) => {
    refuseDirectory(fd, file);
    const start = Buffer.alloc(64);
    const length = readSync(fd, start, 0, start.length, 0);
    if (length === 0) return undefined;
    return /^\{"format":"chartgraph-(?:sealed-)?backup"/u.test(start.toString('latin1', 0, length));
  });
}

/** Yields the entries of a backup that `checkBackupFile` has accepted. @throws DataDirectoryError */
export function* readBackupFile(fd: number, file: string, key: () => BackupKey): Generator<BackupEntry> {
  const reader = new Reader(open(fd, file, key), file, () => undefined);
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

function open(fd: number, file: string, key: () => BackupKey): UnsealedBytes {
  refuseDirectory(fd, file);
  const sealed = unsealFrom(fd, file, key);
  if (sealed) return sealed;
  throw new DataDirectoryError(
    holdsBackup(file) === true
      ? `The backup ${file} is not sealed, as up to version 0.2: restore it with version 0.26, and back that up. Nothing was changed.`
      : `${file} is not a Chartgraph backup.`,
  );
}

/** Opening a directory succeeds, and the error on reading it does not name it. */
function refuseDirectory(fd: number, file: string): void {
  if (fstatSync(fd).isDirectory()) throw new DataDirectoryError(`${file} is a directory, not a file.`);
}

class Reader {
  constructor(
    readonly source: UnsealedBytes,
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
