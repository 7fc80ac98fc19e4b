// What is asked: paths of lists by record, and the one list whose bytes are nearest to a size.
import { request } from 'node:http';
import { signRequest } from '../../dist/access/oauth/sign-request.js';
import { FIRST, lists } from './data.mjs';
import { credentials } from './servers.mjs';

/** The ids of the records of a directory: the small ones, then the large ones. */
export function recordIds({ patients, large = 0 }) {
  const ids = (from, count) => Array.from({ length: count }, (_, index) => String(from + index));
  return { small: ids(FIRST, patients), large: ids(FIRST + patients, large) };
}

export const pathOf = (call, record) => call.path.replace('{record_id}', record);

/** Fails loudly: a benchmark of refusals would be fast and worthless. */
export function expectAll(result, status = 200) {
  const { statuses } = result;
  const others = Object.keys(statuses).filter((each) => Number(each) !== status);
  if (others.length > 0) throw new Error(`expected ${status}, got ${JSON.stringify(statuses)}`);
  return result;
}

/** The list of a large record whose RDF/XML is nearest to a size. @returns { path, record, bytes, etag, body } */
export async function listOfSize({ data, url, client, size }) {
  const { large } = recordIds(data);
  const tokens = await credentials(data.dir, large);
  let best;
  for (const record of large) {
    for (const call of lists) {
      const path = pathOf(call, record);
      const result = expectAll(await client.run(url, [{ path, as: tokens.get(record) }], { connections: 1 }));
      if (!best || Math.abs(result.bytes - size) < Math.abs(best.bytes - size)) {
        best = { path, record, bytes: result.bytes, as: tokens.get(record), name: call.name };
      }
    }
  }
  return best;
}

/** One signed GET. @returns { body, etag } */
export function get(base, path, as) {
  const url = base + path;
  return new Promise((resolve, reject) => {
    request(url, { headers: { Authorization: signRequest({ method: 'GET', url, ...as }) } }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve({ body: Buffer.concat(parts), etag: response.headers.etag }));
    })
      .on('error', reject)
      .end();
  });
}
