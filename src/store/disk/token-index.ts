import type { DataDirectory } from './data-directory.js';
import type { ReadTx, WriteTx } from './transaction.js';

export interface IndexedToken {
  readonly app: string;
  readonly user?: string;
  readonly record?: string;
}

export type TokenOwner = { readonly app: string } | { readonly user: string } | { readonly record: string };

const TABLE = 'tokenIndex';
/** Index entries per token: comparing two counts tells whether the index is complete. */
const ENTRIES_PER_TOKEN = 3;
const MAX_TOKENS = 500;

/** Ids have no spaces. A missing part is an empty name, which nobody looks up. */
const prefixOf = (owner: TokenOwner): string => {
  const [[kind, name]] = Object.entries(owner) as [[string, string]];
  return `${kind} ${name} `;
};

function keysOf(id: string, { app, user = '', record = '' }: IndexedToken): string[] {
  return [{ app }, { user }, { record }].map((owner) => prefixOf(owner) + id);
}

/** Call in the transaction that writes the token. */
export function indexToken(tx: WriteTx, id: string, token: IndexedToken): void {
  for (const key of keysOf(id, token)) tx.put(TABLE, key, true);
}

/** Call in the transaction that removes the token. */
export function unindexToken(tx: WriteTx, id: string, token: IndexedToken): void {
  for (const key of keysOf(id, token)) tx.remove(TABLE, key);
}

export function tokenIdsOf(tx: ReadTx, owner: TokenOwner): string[] {
  const prefix = prefixOf(owner);
  return Array.from(tx.range(TABLE, { prefix, values: false }), ({ key }) =>
    String(key).slice(prefix.length),
  );
}

/** The entries of a token come and go together, so checking one is enough. */
export function isIndexed(tx: ReadTx, id: string, { app }: IndexedToken): boolean {
  return tx.has(TABLE, prefixOf({ app }) + id);
}

export function indexAllTokens(tx: WriteTx): void {
  tx.clear(TABLE);
  for (const { key, value } of tx.range('tokens')) indexToken(tx, String(key), value as IndexedToken);
}

/** Completes the index of an older directory, in short transactions beside other processes. */
export async function completeTokenIndex(directory: DataDirectory): Promise<void> {
  const isWhole = (): boolean =>
    directory.read((tx) => tx.count(TABLE) === ENTRIES_PER_TOKEN * tx.count('tokens'));
  if (isWhole()) return;
  await inParts(directory, 'tokens', (tx, id) => {
    const token = tx.get('tokens', id) as IndexedToken | undefined;
    if (token && !isIndexed(tx, id, token)) indexToken(tx, id, token);
  });
  if (isWhole()) return;
  await inParts(directory, TABLE, (tx, key) => {
    if (!tx.has('tokens', key.slice(key.lastIndexOf(' ') + 1))) tx.remove(TABLE, key);
  });
}

async function inParts(
  directory: DataDirectory,
  table: 'tokens' | typeof TABLE,
  work: (tx: WriteTx, key: string) => void,
): Promise<void> {
  for (let after: string | undefined; ;) {
    const range = { limit: MAX_TOKENS, values: false, after };
    const keys = directory.read((tx) => Array.from(tx.range(table, range), ({ key }) => String(key)));
    if (keys.length > 0)
      await directory.transact((tx) => {
        for (const key of keys) work(tx, key);
      });
    after = keys.at(-1);
    if (after === undefined || keys.length < MAX_TOKENS) return;
  }
}
