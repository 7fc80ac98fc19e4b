import type { ReadTx, WriteTx } from '../../disk/data-directory.js';
import { isAtOrBelow } from '../../ontology/path-template.js';
import { hexDigest } from '../../rdf/hex-digest.js';
import { Problem } from '../../problem.js';

/** How long a key is remembered, in milliseconds. */
export const KEY_LIFETIME = 24 * 60 * 60 * 1000;
/** How many outdated keys one write clears away. */
const SWEPT = 100;

/** Who sends a key for what: the same key of another app, user, record or call is another key. */
export interface KeyOwner {
  readonly app: string;
  readonly user: string | undefined;
  readonly record: string;
  readonly call: string;
}

/** A request that may come again. */
export interface Repeatable {
  /** Made by `repeatable`. */
  readonly entry: string;
  /** Hash of the body and what it is read as. */
  readonly fingerprint: string;
}

interface Remembered {
  readonly fingerprint: string;
  /** The path of what was stored, below the base URL. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/**
 * Reads the Idempotency-Key of a request (IETF draft-ietf-httpapi-idempotency-key-header: a string in quotation
 * marks; a bare text is taken as well).
 * @returns undefined when there is none
 * @throws Problem malformed-request
 */
export function repeatable(
  field: string,
  owner: KeyOwner,
  body: Uint8Array,
  format: string,
): Repeatable | undefined {
  if (field === '') return undefined;
  const key = /^\s*"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"\s*$/.exec(field)?.[1] ?? field.trim();
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    throw new Problem('malformed-request', 'An Idempotency-Key has 1 to 255 visible ASCII characters.');
  }
  const { app, user = null, record, call } = owner;
  return {
    entry: hexDigest(JSON.stringify([app, user, record, call, key])),
    fingerprint: `${format} ${hexDigest(body)}`,
  };
}

/**
 * The path of what an earlier request with the same key stored; undefined when there was none.
 * @throws Problem unprocessable when that request had another body
 */
export function answeredBefore(
  tx: ReadTx,
  { entry, fingerprint }: Repeatable,
  now: number,
): string | undefined {
  const found = tx.get('idempotency', keyOf(entry)) as Remembered | undefined;
  if (!found || found.expires <= now) return undefined;
  if (found.fingerprint === fingerprint) return found.path;
  throw new Problem(
    'unprocessable',
    'The Idempotency-Key was used with another body; give a new request a new key.',
    { extra: { rule: 'idempotency-key' } },
  );
}

/** Remembers, in the transaction that stores it, what a request stored; forgets some of what is outdated. */
export function rememberAnswer(
  tx: WriteTx,
  { entry, fingerprint }: Repeatable,
  path: string,
  now: number,
): void {
  forgetOutdated(tx, now);
  const expires = now + KEY_LIFETIME;
  tx.put('idempotency', keyOf(entry), { fingerprint, path, expires } satisfies Remembered);
  tx.put('idempotency', `${timeKey(expires)}${entry}`, entry);
}

/** Forgets what requests have stored in a record that is removed: who has its id next is another one. @param part its path */
export function forgetAnswers(tx: WriteTx, part: string): void {
  for (const { key, value } of tx.range('idempotency', { prefix: keyOf('') }))
    if (isAtOrBelow((value as Remembered).path, part)) tx.remove('idempotency', key);
}

function forgetOutdated(tx: WriteTx, now: number): void {
  const outdated = tx.range('idempotency', { start: BY_TIME, end: timeKey(now), limit: SWEPT });
  for (const { key, value } of outdated) {
    tx.remove('idempotency', key);
    const entry = keyOf(String(value));
    const found = tx.get('idempotency', entry) as Remembered | undefined;
    if (found && found.expires <= now) tx.remove('idempotency', entry);
  }
}

/** Entries by key, and beside them their keys in the order in which they expire. */
const keyOf = (entry: string): string => `key ${entry}`;
const BY_TIME = 'until ';
const timeKey = (time: number): string => `${BY_TIME}${String(Math.floor(time)).padStart(16, '0')} `;
