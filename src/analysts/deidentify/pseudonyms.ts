import { createHmac, type KeyObject } from 'node:crypto';
import { deriveKey } from '../../store/disk/sealing.js';
import { INNER_MARK } from '../../rdf/skolem-iris.js';
import { ownUrn } from '../../rdf/vocabulary.js';

/** The prefix of names that replace IRIs for analysts. */
export const pseudonymUrn = `${ownUrn}pseudonym:`;

const DIGITS = 32;
const MAX_DAYS = 365;
/** A graph names few things, but its record repeatedly. */
const MAX_CACHED = 10_000;

const innerNumber = /^#_b\d{1,9}$/;

/** Derives the key of pseudonyms (RFC 5869) from the account key, which `key rotate` and backups preserve. */
export function pseudonymKey(accountKey: Uint8Array): KeyObject {
  return deriveKey(accountKey, 'pseudonyms');
}

/** Makes pseudonyms and shifts by HMAC-SHA256 (RFC 2104): nobody can undo or repeat them without the key. */
export function pseudonyms(key: KeyObject) {
  const held = new Map<string, string>();
  const digest = (use: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${use} ${text}`).digest();
  const whole = (iri: string): string => {
    const known = held.get(iri);
    if (known !== undefined) return known;
    const made = pseudonymUrn + digest('name', iri).toString('hex').slice(0, DIGITS);
    if (held.size >= MAX_CACHED) held.clear();
    held.set(iri, made);
    return made;
  };
  return {
    /** Returns the stable pseudonym of an IRI. A Skolem IRI gets that of its graph, with the same number. */
    of: (iri: string): string => {
      const at = iri.lastIndexOf(INNER_MARK);
      const mark = at < 0 ? '' : iri.slice(at);
      return innerNumber.test(mark) ? whole(iri.slice(0, at)) + mark : whole(iri);
    },
    /** Returns how many days to shift a person's dates back, 1 to 365, always the same. @param person an IRI */
    days: (person: string): number => 1 + (digest('shift', person).readUIntBE(0, 6) % MAX_DAYS),
  };
}
