import { sha256 } from '../../disk/sha256.js';
import type { Coding } from './content-coding.js';

/** A strong entity tag (RFC 9110 §8.8.3) without quotation marks, the same for the same parts. */
export function strongTag(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 27);
}

/**
 * The tag of an answer that changes with everything it depends on: ontology and queries, what is asked for, and the
 * state of what the call reads. It is made before the query runs, so that a match needs none.
 * @param key the representation and what is asked for
 * @param state of everything that the answer is made of
 */
export function entityTag(
  { digest, base }: { readonly digest: string; readonly base: string },
  key: string,
  state: string,
): string {
  return strongTag([digest, base, key, state]);
}

/** RFC 9110 §8.8.3.3: each coding of an answer has a tag of its own. */
export function codedTag(tag: string, coding: Coding): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}
