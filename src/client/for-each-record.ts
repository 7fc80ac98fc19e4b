import { percentEncode } from '../access/oauth/percent.js';
import { postForm, tokenOf, type App, type TokenPair } from './authorization.js';
import { ChartgraphError } from './chartgraph-error.js';

/** A record with a token for it; spread it into the settings of a client. */
export interface RecordAccess extends TokenPair {
  readonly recordId: string;
}

/**
 * Visits all records of a container in the order of their ids, as a background app: it gets a token for each without
 * a person.
 * @param visit handles a record; the next one is requested when it is done
 * @param options.signal ends the walk between two records, or during a request
 * @returns the number of records
 * @throws ChartgraphError as calls do, and whatever `visit` throws, which ends the walk
 */
export async function forEachRecord(
  app: App & { readonly consumerKey: string },
  visit: (access: RecordAccess) => Promise<void> | void,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<number> {
  const records = `/apps/${percentEncode(app.consumerKey)}/tokens/records`;
  let count = 0;
  for (let step = 'first'; ; count++) {
    const access = await take(app, `${records}/${step}`, signal);
    if (!access) return count;
    await visit(access);
    signal?.throwIfAborted();
    step = `${percentEncode(access.recordId)}/next`;
  }
}

async function take(app: App, address: string, signal?: AbortSignal): Promise<RecordAccess | undefined> {
  const call = 'forEachRecord';
  try {
    const answer = await postForm({ call, address, signal }, app);
    const recordId = answer.get('smart_record_id');
    if (recordId === undefined) throw new ChartgraphError('answer', call, 'the answer names no record.');
    return { recordId, ...tokenOf(call, answer) };
  } catch (error) {
    if (error instanceof ChartgraphError && error.status === 404) return undefined;
    throw error;
  }
}
