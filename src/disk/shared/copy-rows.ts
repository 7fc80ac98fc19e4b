import { keyBytes } from './entry-keys.js';
import type { StoredEntry } from './shared-store.js';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** Bytes that are handed over at a time. */
const CHUNK = 1 << 20;

/**
 * Entries in the binary format of PostgreSQL's COPY, columns tab, key, value, sequence.
 * @see https://www.postgresql.org/docs/current/sql-copy.html
 */
export function* copyRows(entries: Iterable<StoredEntry>, sequence: number): Generator<Buffer> {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(sequence));
  let parts: Buffer[] = [SIGNATURE, Buffer.alloc(8)];
  let size = 0;
  for (const { table, key, value = Buffer.alloc(0) } of entries) {
    const columns = [Buffer.from(table), keyBytes(key), value, number];
    const count = Buffer.alloc(2);
    count.writeInt16BE(columns.length);
    parts.push(count);
    for (const column of columns) {
      const length = Buffer.alloc(4);
      length.writeInt32BE(column.length);
      parts.push(length, Buffer.from(column));
      size += column.length + length.length;
    }
    if (size < CHUNK) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  const end = Buffer.alloc(2);
  end.writeInt16BE(-1);
  yield Buffer.concat([...parts, end]);
}
