import { isRecordId } from '../../accounts/account-ids.js';
import { Problem } from '../../problem.js';
import type { Fields } from './form.js';

/**
 * The record that an address or a form names. Paths and queries are made from it, so what cannot be an id goes no
 * further, whoever asks.
 * @param audit notes the refusal, without what was sent
 * @returns undefined where it names none
 * @throws Problem invalid-parameter
 */
export function namedRecord(fields: Fields, audit: (reason: string) => void): string | undefined {
  const record = fields.get('record_id') ?? '';
  if (record === '') return undefined;
  if (isRecordId(record)) return record;
  audit('record id');
  throw new Problem('invalid-parameter', 'What the address names as record_id cannot be the id of a record.');
}
