import { timingSafeEqual } from 'node:crypto';
import { readForm } from '../../oauth/percent.js';
import { Problem } from '../../problem.js';
import { readBody } from '../body.js';
import type { Visit } from '../path-table.js';

const FORM_LIMIT = 16 * 1024;

/** The fields of a form or of a query, each of which occurs once. */
export type Fields = ReadonlyMap<string, string>;

/**
 * Reads the body of a form that one of our pages sent.
 * @param csrf what the page put into the form
 * @throws Problem malformed-request, or forbidden for a form of somebody else
 */
export async function readPageForm({ context }: Visit, csrf: string): Promise<Fields> {
  const mediaType = context.req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const body = await readBody(context.req, FORM_LIMIT);
  if (mediaType !== 'application/x-www-form-urlencoded' || body === 'too-large') {
    throw new Problem('malformed-request', 'This address takes a form.', {
      headers: { Connection: 'close' },
    });
  }
  const fields = readFields(Buffer.from(body.bytes).toString('utf8'));
  // Fetch Metadata: a browser that says where the form stood is believed.
  const site = context.req.headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin' || !isSame(fields.get('csrf') ?? '', csrf)) {
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

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
