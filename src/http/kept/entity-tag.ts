import { createHash } from 'node:crypto';
import type { AllowedCall } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import type { Coding } from './content-coding.js';

/**
 * Names what a request asks for, apart from the state of the store: the resource, the media type, and the parameters.
 * A list names its next page with the parameters as they came, so their order counts there.
 */
export function answerKey({ call, resource, query, pairs }: AllowedCall, mediaType: string): string {
  const own =
    call.cardinality === 'multiple'
      ? pairs.filter(([name]) => !name.startsWith('oauth_'))
      : [...query.declared].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${mediaType} ${resource}${own.length === 0 ? '' : ` ${JSON.stringify(own)}`}`;
}

/**
 * A strong entity tag (RFC 9110 §8.8.3) that changes with everything an answer depends on: ontology and queries, what
 * is asked for, and the state of what the call reads. It is made before the query runs, so that a match needs none.
 * @param key of `answerKey`
 * @param state of `revisionState`
 * @returns without quotation marks
 */
export function entityTag({ digest, base }: ContainerContext, key: string, state: string): string {
  const parts = JSON.stringify([digest, base, key, state]);
  return createHash('sha256').update(parts).digest('base64url').slice(0, 27);
}

/** RFC 9110 §8.8.3.3: each coding of an answer has a tag of its own. */
export function codedTag(tag: string, coding: Coding): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}
