import type { ReadTx, WriteTx } from './transaction.js';

type Owned = 'sessions' | 'requests' | 'grants';
export type Owner = { readonly app: string } | { readonly user: string } | { readonly record: string };

interface OwnedRow {
  readonly app?: string;
  readonly user?: string;
  readonly record?: string | undefined;
  readonly approved?: { readonly user: string; readonly record: string };
}

const TABLE = 'ownerIndex';

/** Ids and keys have no spaces. */
const prefixOf = (table: Owned, owner: Owner): string => {
  const [[kind, id]] = Object.entries(owner) as [[string, string]];
  return `${table} ${kind} ${id} `;
};

/** The first owner is one that each row of the table has. */
function ownersOf(table: Owned, { app = '', user = '', record, approved }: OwnedRow): Owner[] {
  if (table === 'sessions') return [{ user }];
  if (table === 'grants') return [{ user }, { app }, ...(record === undefined ? [] : [{ record }])];
  return approved ? [{ app }, { user: approved.user }, { record: approved.record }] : [{ app }];
}

/** Stores a row, and indexes it by its user, app and record; a request has a user once it is approved. */
export function putOwned<R extends OwnedRow>(tx: WriteTx, table: Owned, key: string, row: R): void {
  removeOwned(tx, table, key);
  tx.put(table, key, row);
  for (const owner of ownersOf(table, row)) tx.put(TABLE, prefixOf(table, owner) + key, true);
}

export function removeOwned(tx: WriteTx, table: Owned, key: string): void {
  const row = tx.get(table, key) as OwnedRow | undefined;
  if (!row) return;
  tx.remove(table, key);
  for (const owner of ownersOf(table, row)) tx.remove(TABLE, prefixOf(table, owner) + key);
}

export function ownedKeys(tx: ReadTx, table: Owned, owner: Owner): string[] {
  const prefix = prefixOf(table, owner);
  return Array.from(tx.range(TABLE, { prefix, values: false }), ({ key }) =>
    String(key).slice(prefix.length),
  );
}

/** Tells whether the index has each row, by counts: an older version may have written some. */
export function isOwnerIndexWhole(tx: ReadTx): boolean {
  const count = (prefix: string): number => [...tx.range(TABLE, { prefix, values: false })].length;
  return (
    count('sessions user ') === tx.count('sessions') &&
    count('requests app ') === tx.count('requests') &&
    count('grants user ') === tx.count('grants')
  );
}

export function makeOwnerIndex(tx: WriteTx): void {
  tx.clear(TABLE);
  for (const table of ['sessions', 'requests', 'grants'] as const)
    for (const { key, value } of [...tx.range(table)]) putOwned(tx, table, String(key), value as OwnedRow);
}
