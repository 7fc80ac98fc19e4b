import type { DataDirectory } from './data-directory.js';
import type { ReadTx, WriteTx } from './transaction.js';

/** As much of a token as it is looked for by. */
export interface IndexedToken {
  readonly app: string;
  readonly user?: string;
  readonly record?: string;
}

/** Whose tokens are looked for. */
export type TokenOwner = { readonly app: string } | { readonly user: string } | { readonly record: string };

const TABLE = 'tokenIndex';
/** Each token has so many entries, so that two counts tell whether the index is whole. */
const KINDS = 3;
/** Tokens that are looked at in one transaction: short enough that other writers hardly wait. */
const PART = 500;

/** Ids have no spaces. What a token does not have is an empty name, which nobody looks for. */
const prefixOf = (owner: TokenOwner): string => {
  const [[kind, name]] = Object.entries(owner) as [[string, string]];
  return `${kind} ${name} `;
};

function keysOf(id: string, { app, user = '', record = '' }: IndexedToken): string[] {
  return [{ app }, { user }, { record }].map((owner) => prefixOf(owner) + id);
}

/** Enters a token, in the transaction that writes it. */
export function indexToken(tx: WriteTx, id: string, token: IndexedToken): void {
  for (const key of keysOf(id, token)) tx.put(TABLE, key, true);
}

/** Takes a token out, in the transaction that removes it. */
export function unindexToken(tx: WriteTx, id: string, token: IndexedToken): void {
  for (const key of keysOf(id, token)) tx.remove(TABLE, key);
}

/** The ids of the tokens of an app, of a user, or for a record. */
export function tokenIdsOf(tx: ReadTx, owner: TokenOwner): string[] {
  const prefix = prefixOf(owner);
  return Array.from(tx.range(TABLE, { prefix, values: false }), ({ key }) =>
    String(key).slice(prefix.length),
  );
}

/** Whether a token can be found: its entries come and go together, so one tells. */
export function isIndexed(tx: ReadTx, id: string, { app }: IndexedToken): boolean {
  return tx.has(TABLE, prefixOf({ app }) + id);
}

/** Makes the index anew from the tokens, in a transaction that the caller has. */
export function indexAllTokens(tx: WriteTx): void {
  tx.clear(TABLE);
  for (const { key, value } of tx.range('tokens')) indexToken(tx, String(key), value as IndexedToken);
}

/**
 * Completes the index of a directory that an earlier version wrote to, which knows none: some tokens at a time, as other
 * processes may be serving.
 */
export async function completeTokenIndex(directory: DataDirectory): Promise<void> {
  const isWhole = (): boolean => directory.read((tx) => tx.count(TABLE) === KINDS * tx.count('tokens'));
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

/** Does something for each key of a table, some in a transaction. */
async function inParts(
  directory: DataDirectory,
  table: 'tokens' | typeof TABLE,
  work: (tx: WriteTx, key: string) => void,
): Promise<void> {
  for (let after: string | undefined; ;) {
    const range = { limit: PART, values: false, ...(after === undefined ? {} : { after }) };
    const keys = directory.read((tx) => Array.from(tx.range(table, range), ({ key }) => String(key)));
    if (keys.length > 0)
      await directory.transact((tx) => {
        for (const key of keys) work(tx, key);
      });
    after = keys.at(-1);
    if (after === undefined || keys.length < PART) return;
  }
}
