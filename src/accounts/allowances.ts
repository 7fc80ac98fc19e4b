import { sha256 } from '../disk/sha256.js';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';

/** What an app says that it needs: methods by the IRI of a class. */
export type Requirements = ReadonlyMap<string, readonly string[]>;

/**
 * What whoever gave a token was shown that the app needs: a manifest that lists more later gives no more to the token.
 * `everything` where the manifest did not say.
 */
export type Allowance = Requirements | 'everything';

const TABLE = 'allowances';
const NOTHING: Requirements = new Map();

// Ids have no spaces. Thousands of tokens share what was allowed, so they have its digest.
const place = (app: string, digest: string): string => `${app} ${digest}`;

/** The digest of an allowance, the same for every order of classes and methods. */
export function digestOfAllowance(allowance: Allowance): string {
  return sha256(JSON.stringify(sorted(allowance)));
}

/** Stores what an app was allowed. @returns its digest, which tokens have */
export function putAllowance(tx: WriteTx, app: string, allowance: Allowance): string {
  const digest = digestOfAllowance(allowance);
  if (!tx.has(TABLE, place(app, digest))) tx.put(TABLE, place(app, digest), sorted(allowance));
  return digest;
}

/** What an app was allowed, by its digest; nothing where that is not known. */
export function allowanceOf(tx: ReadTx, app: string, digest: string): Allowance {
  const found = tx.get(TABLE, place(app, digest)) as StoredAllowance | undefined;
  return found === 'everything' ? found : found ? new Map(found) : NOTHING;
}

/** Forgets all that an app was allowed. */
export function removeAllowances(tx: WriteTx, app: string): void {
  for (const { key } of tx.range(TABLE, { prefix: `${app} `, values: false })) tx.remove(TABLE, key);
}

type StoredAllowance = readonly (readonly [iri: string, methods: readonly string[]])[] | 'everything';

function sorted(allowance: Allowance): StoredAllowance {
  if (allowance === 'everything') return allowance;
  return [...allowance]
    .map(([iri, methods]) => [iri, [...new Set(methods)].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
