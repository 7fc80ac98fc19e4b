import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { isAtOrBelow } from '../../model/ontology/path-template.js';
import { hexDigest } from '../../rdf/hex-digest.js';
import { Problem } from '../../model/problem.js';

/** Milliseconds. */
export const KEY_LIFETIME = 24 * 60 * 60 * 1000;
const MAX_SWEPT = 100;

/** Scope of a key: another app, user, record or call has its own keys. */
export interface KeyOwner {
  readonly app: string;
  readonly user: string | undefined;
  readonly record: string;
  readonly call: string;
}

export interface Repeatable {
  readonly entry: string;
  readonly fingerprint: string;
}

interface Remembered {
  readonly fingerprint: string;
  readonly path: string;
  readonly expires: number;
}

/**
 * Reads the Idempotency-Key (IETF draft-ietf-httpapi-idempotency-key-header: a quoted string; bare text is accepted
 * too).
 * @returns undefined without a key @throws Problem malformed-request
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
 * Returns the path that an earlier request with this key stored, if any. @throws Problem unprocessable if its body
 * differed
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

/** Remembers what a request stored, in the same transaction, and removes some expired keys. */
export function rememberAnswer(
  tx: WriteTx,
  { entry, fingerprint }: Repeatable,
  path: string,
  now: number,
): void {
  for (const { key, value } of tx.range('idempotency', {
    start: BY_TIME,
    end: timeKey(now),
    limit: MAX_SWEPT,
  })) {
    tx.remove('idempotency', key);
    const outdated = keyOf(String(value));
    const found = tx.get('idempotency', outdated) as Remembered | undefined;
    if (found && found.expires <= now) tx.remove('idempotency', outdated);
  }
  const expires = now + KEY_LIFETIME;
  tx.put('idempotency', keyOf(entry), { fingerprint, path, expires } satisfies Remembered);
  tx.put('idempotency', `${timeKey(expires)}${entry}`, entry);
}

/** Forgets what was stored in a removed record, since its id may be reused. @param part path of the record */
export function forgetAnswers(tx: WriteTx, part: string): void {
  for (const { key, value } of tx.range('idempotency', { prefix: keyOf('') }))
    if (isAtOrBelow((value as Remembered).path, part)) tx.remove('idempotency', key);
}

const keyOf = (entry: string): string => `key ${entry}`;
const BY_TIME = 'until ';
const timeKey = (time: number): string => `${BY_TIME}${String(Math.floor(time)).padStart(16, '0')} `;
