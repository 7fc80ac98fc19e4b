import type { SecretKey } from './secret-key.js';

const PLACE = 'access-log/query';

/** Seals the texts of queries for the access log, and opens them again: they may name who somebody looks for. */
export interface QuerySealing {
  seal(query: string): string;
  /** @throws AccountError when another key sealed it */
  open(sealed: string): string;
}

/** @param key of the data directory */
export function querySealing(key: Pick<SecretKey, 'seal' | 'unseal'>): QuerySealing {
  return { seal: (query) => key.seal(query, PLACE), open: (sealed) => key.unseal(sealed, PLACE) };
}
