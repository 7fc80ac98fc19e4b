import { createHash } from 'node:crypto';

/**
 * How entries are stored: the one place that knows. The hashes of the chain cover what is stored, so that it can be
 * verified without any key.
 */
export interface Sealing {
  /** The stored form of a text: one line of printable ASCII or of UTF-8 that does not say `closed`. */
  seal(text: string): string;
  /** The text of a stored form, of this sealing or of an earlier one. @throws when it cannot be opened */
  open(stored: string): string;
  /** The name under which an id stands in the index. */
  name(id: string): string;
}

/** Stores entries in the clear, for the eyes of whoever may read the data directory. */
export const unsealed: Sealing = {
  seal: (text) => text,
  open: (stored) => stored,
  name: (id) => createHash('sha256').update(id).digest('base64url'),
};
