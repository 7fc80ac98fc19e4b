import { sha256 } from '../../store/disk/bytes.js';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';

export type Requirements = ReadonlyMap<string, readonly string[]>;

/**
 * What an app was said to need when a person approved it. A manifest that asks for more later does not widen the
 * token. `everything` when the manifest has no `requires`.
 */
export type Allowance = Requirements | 'everything';

const TABLE = 'allowances';
const NOTHING: Requirements = new Map();

// Ids have no spaces. Thousands of tokens share an allowance, so each stores only its digest.
const allowanceKey = (app: string, digest: string): string => `${app} ${digest}`;

/** The digest does not depend on the order of classes and methods. */
export function digestOfAllowance(allowance: Allowance): string {
  return sha256(JSON.stringify(sorted(allowance)));
}

/** @returns the digest to store with tokens */
export function putAllowance(tx: WriteTx, app: string, allowance: Allowance): string {
  const digest = digestOfAllowance(allowance);
  if (!tx.has(TABLE, allowanceKey(app, digest))) tx.put(TABLE, allowanceKey(app, digest), sorted(allowance));
  return digest;
}

export function allowanceOf(tx: ReadTx, app: string, digest: string): Allowance {
  const found = tx.get(TABLE, allowanceKey(app, digest)) as StoredAllowance | undefined;
  return found === 'everything' ? found : found ? new Map(found) : NOTHING;
}

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
