import { readInteger, single, type Given } from './arguments.js';

/** The most statements that one page holds. */
export const LARGEST_PAGE = 1000;

/** The largest offset that the engine reads; no list has so many statements. */
const FARTHEST = 2 ** 32 - 1;

/** The part of an ordered list that is asked for; without a limit it has no end. */
export interface Page {
  readonly limit: number | undefined;
  readonly offset: number;
}

/**
 * Reads `limit` (1–1000) and `offset` of a list.
 * @param fallback the limit where none is given, undefined for no limit
 * @throws Problem invalid-parameter
 */
export function readPage(given: Given, fallback?: number): Page {
  const limit = single(given, 'limit');
  const offset = single(given, 'offset');
  return {
    limit: limit === undefined ? fallback : readInteger('limit', limit, 1, LARGEST_PAGE),
    offset:
      offset === undefined
        ? 0
        : Math.min(FARTHEST, readInteger('offset', offset, 0, Number.MAX_SAFE_INTEGER)),
  };
}

/**
 * The address of the next page: the request with another offset. Protocol parameters are left out, since a
 * signature serves once; everything else is kept and percent-encoded.
 * @param url the request's own address without its query
 * @param pairs its decoded query parameters
 */
export function nextPageUrl(
  url: string,
  pairs: readonly (readonly [name: string, value: string])[],
  { limit, offset }: { limit: number; offset: number },
): string {
  const kept = pairs.filter(([name]) => !name.startsWith('oauth_') && name !== 'limit' && name !== 'offset');
  const all = [...kept, ['limit', String(limit)], ['offset', String(offset + limit)]];
  return `${url}?${all.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}
