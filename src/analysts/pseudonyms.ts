import { createHmac, type KeyObject } from 'node:crypto';
import { deriveKey } from '../disk/sealing.js';
import { INNER_MARK } from '../rdf/skolem-iris.js';
import { ownUrn } from '../rdf/vocabulary.js';

/** What the names of things begin with that analysts may not know by their own. */
export const pseudonymUrn = `${ownUrn}pseudonym:`;

/** Hexadecimal digits of a pseudonym: 128 bits, so that no two IRIs of a container share one. */
const DIGITS = 32;
/** Dates are shifted back by one to so many days. */
const MOST_DAYS = 365;
/** So many pseudonyms are held: a graph names few things, and its record again and again. */
const AT_HAND = 10_000;

const innerNumber = /^#_b\d{1,9}$/;

/** Names and shifts that nobody can undo or make without the key. */
export interface Pseudonyms {
  /** The pseudonym of an IRI: always the same one. That of a Skolem IRI is that of its graph with the same number. */
  of(iri: string): string;
  /** The days by which the dates of a person are shifted back: 1 to 365, always the same. @param person an IRI */
  days(person: string): number;
}

/**
 * The key of a container's pseudonyms: as stable as the key of its accounts, which `key rotate` keeps and a backup
 * brings along (RFC 5869).
 */
export function pseudonymKey(accountKey: Uint8Array): KeyObject {
  return deriveKey(accountKey, 'pseudonyms');
}

/** Pseudonyms by HMAC-SHA256 (RFC 2104). */
export function pseudonyms(key: KeyObject): Pseudonyms {
  const held = new Map<string, string>();
  const digest = (use: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${use} ${text}`).digest();
  const whole = (iri: string): string => {
    const known = held.get(iri);
    if (known !== undefined) return known;
    const made = pseudonymUrn + digest('name', iri).toString('hex').slice(0, DIGITS);
    if (held.size >= AT_HAND) held.clear();
    held.set(iri, made);
    return made;
  };
  return {
    of: (iri) => {
      const at = iri.lastIndexOf(INNER_MARK);
      const mark = at < 0 ? '' : iri.slice(at);
      return innerNumber.test(mark) ? whole(iri.slice(0, at)) + mark : whole(iri);
    },
    days: (person) => 1 + (digest('shift', person).readUIntBE(0, 6) % MOST_DAYS),
  };
}
