import { timingSafeEqual } from 'node:crypto';
import { isRecordId } from '../../accounts/account-ids.js';
import { readForm } from '../../oauth/percent.js';
import { Problem } from '../../problem.js';
import { isForm } from '../body.js';
import type { PageRequest } from './page-request.js';

/** The fields of a form or of a query, each of which occurs once. */
export type Fields = ReadonlyMap<string, string>;

/**
 * Reads the form that one of our pages sent.
 * @throws Problem malformed-request, or forbidden for a form of somebody else
 */
export function readPageForm({ context, body, visitor }: PageRequest): Fields {
  if (!isForm(context.req.headers['content-type']) || body === 'too-large') {
    throw new Problem('malformed-request', 'This address takes a form.', {
      headers: { Connection: 'close' },
    });
  }
  const fields = readFields(Buffer.from(body).toString('utf8'));
  // Fetch Metadata: a browser that says where the form stood is believed.
  const site = context.req.headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin' || !isSame(fields.get('csrf') ?? '', visitor.page.csrf)) {
    throw new Problem(
      'forbidden',
      'The form was not sent from its page, or the page is too old. Go back, load it again and repeat.',
    );
  }
  return fields;
}

/** The fields of a raw query or form. @throws Problem malformed-request for a name that occurs twice */
export function readFields(raw: string): Fields {
  let pairs: ReturnType<typeof readForm>;
  try {
    pairs = readForm(raw);
  } catch {
    throw new Problem('malformed-request', 'The address or form has a broken percent-encoding.');
  }
  const fields = new Map(pairs);
  if (fields.size < pairs.length) throw new Problem('malformed-request', 'A field of the form occurs twice.');
  return fields;
}

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

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
