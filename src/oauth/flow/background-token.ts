import { isRecordId } from '../../accounts/account-ids.js';
import { Problem } from '../../problem.js';
import { recordAfter } from '../../records/record-order.js';
import { recordIri } from '../../records/resource-paths.js';
import type { Principal } from '../principal.js';
import type { Flow, TokenAnswer } from './flow.js';

/** A background app asks again each time it walks through the records, so its tokens live a day at most. */
const LONGEST = 24 * 60 * 60 * 1000;

/** Which record a background app asks for: the first, one by its id, or the one after it. */
export type WantedRecord = { readonly first: true } | { readonly id: string } | { readonly after: string };

/**
 * Issues an access token for a record to a background app.
 * @param appId the app that the path names
 * @throws Problem forbidden for another app or an app for people, not-found where there is no further record
 */
export async function issueBackgroundToken(
  flow: Flow,
  { app, token }: Principal,
  appId: string,
  wanted: WantedRecord,
): Promise<TokenAnswer> {
  const { accounts } = flow;
  const reason = token
    ? 'token'
    : accounts.app(app)?.mode !== 'background'
      ? 'mode'
      : app !== appId
        ? 'app'
        : undefined;
  if (reason !== undefined) {
    flow.audit('background-token.refused', { app, reason });
    throw new Problem(
      'forbidden',
      'These tokens are for the background app of this path, signing without a token.',
    );
  }
  const record = await find(flow, wanted);
  if (record === undefined) {
    flow.audit('background-token.refused', { app, reason: 'no record' });
    throw new Problem('not-found', 'There is no further record.');
  }
  const lifetime = Math.min(flow.tokenLifetime, LONGEST);
  const issued = await accounts.issueToken({ app, record, lifetime });
  flow.audit('background-token.issued', { app, record, token_id: issued.id });
  return [
    ['oauth_token', issued.token],
    ['oauth_token_secret', issued.secret],
    ['smart_record_id', record],
  ];
}

async function find({ directory, store, base }: Flow, wanted: WantedRecord): Promise<string | undefined> {
  if ('first' in wanted) return recordAfter(directory, undefined);
  if ('after' in wanted) return isRecordId(wanted.after) ? recordAfter(directory, wanted.after) : undefined;
  const exists = isRecordId(wanted.id) && (await store.has(recordIri(base, wanted.id)));
  return exists ? wanted.id : undefined;
}
