import type { Database } from 'lmdb';
import { type DocumentHome, type DocumentStore, openDocumentStore } from '../documents/document-files.js';
import { keyInHeader } from '../documents/sealed-document.js';
import type { SealedValues } from './sealed-values.js';
import type { SharedStore } from '../postgres/shared-store.js';
import type { TableName } from './tables.js';
import type { Key, WriteTx } from './transaction.js';

/** Seals all documents again after a change of the data key; from then on no file uses an old key. */
export async function resealDocuments(home: DocumentHome): Promise<void> {
  const documents = openDocumentStore(home);
  const { current } = home.dataKeys;
  if (home.shared) {
    await resealShared(documents, home.shared, current);
    await refreshDocuments(home);
  } else for (const { sha256 } of await documents.list()) await documents.reseal(sha256, current);
}

/** Fetches again each document of a copy that an old data key sealed. */
export async function refreshDocuments(home: DocumentHome): Promise<void> {
  const documents = openDocumentStore(home);
  const { current } = home.dataKeys;
  for (const { sha256 } of await documents.list()) await documents.refresh(sha256, current);
}

async function resealShared(documents: DocumentStore, store: SharedStore, current: number): Promise<void> {
  for (let after = ''; ;) {
    const some = await store.documentHeaders(after);
    for (const { sha256, header } of some)
      if (keyInHeader(header) !== current) await documents.reseal(sha256, current);
    const last = some.at(-1);
    if (!last) return;
    after = last.sha256;
  }
}

const MAX_ENTRIES = 500;
const MAX_BYTES = 1 << 20;

/** Reseals stale values of a table after a key. @returns the number checked, and the last key; undefined at the end */
export function resealSome(
  tx: WriteTx,
  table: Database,
  name: TableName,
  values: SealedValues,
  after: Key | undefined,
): { looked: number; last: Key | undefined } {
  let bytes = 0;
  let looked = 0;
  let last: Key | undefined;
  const stale: Key[] = [];
  const from = after === undefined ? {} : { start: after, exclusiveStart: true };
  for (const { key, value } of table.getRange({ ...from, limit: MAX_ENTRIES })) {
    last = key as Key;
    looked++;
    if (values.isCurrent(value as Buffer, name)) continue;
    stale.push(last);
    bytes += (value as Buffer).length;
    if (bytes > MAX_BYTES) break;
  }
  for (const key of stale) {
    // Another writer in the same transaction may have changed it.
    const content = tx.bytes(name, key);
    if (content) tx.putBytes(name, key, content);
  }
  return { looked, last: bytes > MAX_BYTES || looked === MAX_ENTRIES ? last : undefined };
}
