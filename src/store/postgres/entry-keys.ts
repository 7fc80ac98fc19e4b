import { createHash } from 'node:crypto';
import { tableNames, type TableName } from '../disk/tables.js';
import type { Key } from '../disk/transaction.js';
import type { StoredEntry } from './shared-store.js';

const NUMBER = 0x6e;
const TEXT = 0x73;

export interface EntryRow {
  readonly tab: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

const ownTables: readonly TableName[] = ['copy'];

export const sharedTables: readonly TableName[] = tableNames.filter((table) => !ownTables.includes(table));

/** Encodes a key in key order: `n` and eight bytes, or `s` and UTF-8. */
export function keyBytes(key: Key): Buffer {
  if (typeof key === 'string') return Buffer.concat([Buffer.from([TEXT]), Buffer.from(key)]);
  const bytes = Buffer.alloc(9, NUMBER);
  bytes.writeBigUInt64BE(BigInt(key), 1);
  return bytes;
}

/** @throws Error for an unknown table */
export function entryOfRow({ tab, key, value }: EntryRow): StoredEntry {
  const table = sharedTables.find((name) => name === tab);
  if (!table) throw new Error(`the store has a table ${tab}, which this program does not know`);
  const bytes = Buffer.from(key);
  const read = bytes[0] === NUMBER ? Number(bytes.readBigUInt64BE(1)) : bytes.toString('utf8', 1);
  return { table, key: read, value: value ?? undefined };
}

/** Returns the name of an entry and the digest of its value, as a store computes both. */
export function digestOf({
  table,
  key,
  value = Buffer.alloc(0),
}: StoredEntry): [name: string, digest: string] {
  return [
    `${table} ${keyBytes(key).toString('base64')}`,
    createHash('sha256').update(value).digest('base64'),
  ];
}
