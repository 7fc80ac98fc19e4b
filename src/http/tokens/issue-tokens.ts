import { isRecordId } from '../../access/accounts/account-ids.js';
import { Problem } from '../../model/problem.js';
import { recordAfter } from '../../records/record-order.js';
import type { Parameter } from '../../access/oauth/percent.js';
import { SignatureRefusal, unauthorized } from '../../access/oauth/signature-refusal.js';
import type { Principal } from '../../access/oauth/verify.js';
import type { Flow, TokenAnswer } from '../../access/oauth/flow.js';

const RECORD_NAMES: ReadonlySet<string> = new Set(['smart_record_id', 'container_record_id']);

/**
 * Issues a request token (RFC 5849 §2.1). The manifest of the app determines where the browser returns to, so a
 * callback in the request must be the same or `oob`.
 * @param parameters everything that the signature covers
 * @throws Problem forbidden for a background app or a request with a token, invalid-parameter for two records or
 * another callback
 */
export async function issueRequestToken(
  flow: Flow,
  { app, token }: Principal,
  parameters: readonly Parameter[],
): Promise<TokenAnswer> {
  const refuse = (kind: 'forbidden' | 'invalid-parameter', reason: string, detail: string): Problem => {
    flow.audit('request-token.refused', { app, reason });
    return new Problem(kind, detail);
  };
  if (token)
    throw refuse('forbidden', 'token', 'A request token is asked for by the app alone, without a token.');
  if (flow.accounts.app(app)?.mode === 'background') {
    throw refuse(
      'forbidden',
      'mode',
      'A background app takes its tokens from /apps/{app_id}/tokens/records/first.',
    );
  }
  if (!(await isOwnCallback(flow, app, parameters))) {
    throw refuse(
      'invalid-parameter',
      'callback',
      'The oauth_callback is not the one of the app’s manifest; send that one or oob.',
    );
  }
  const asked = parameters.filter(([name]) => RECORD_NAMES.has(name));
  const names = new Set(asked.map(([name]) => name));
  const records = new Set(asked.map(([, value]) => value));
  if (names.size < asked.length || records.size > 1) {
    throw refuse('invalid-parameter', 'record twice', 'Name one record, once.');
  }
  const record = await knownRecord(flow, asked[0]?.[1] ?? '');
  const issued = await flow.grants.issueRequest({ app, ...(record === undefined ? {} : { record }) });
  flow.audit('request-token.issued', { app, record });
  return [
    ['oauth_token', issued.token],
    ['oauth_token_secret', issued.secret],
    // RFC 5849 §2.1: must be present and true.
    ['oauth_callback_confirmed', 'true'],
  ];
}

/** RFC 5849 §2.1: `oob` if the callback was agreed before. Some signers send none. */
async function isOwnCallback(
  { manifestOf }: Flow,
  app: string,
  parameters: readonly Parameter[],
): Promise<boolean> {
  const sent = parameters.filter(([name]) => name === 'oauth_callback').map(([, value]) => value);
  const foreign = sent.filter((value) => value !== '' && value !== 'oob');
  if (foreign.length === 0) return true;
  const own = (await manifestOf(app))?.oauth_callback;
  return foreign.every((value) => value === own);
}

/** Drops an unknown record, as other containers do; the person then chooses one. */
async function knownRecord({ hasRecord }: Flow, record: string): Promise<string | undefined> {
  return isRecordId(record) && (await hasRecord(record)) ? record : undefined;
}

/**
 * Exchanges an approved request token for an access token (RFC 5849 §2.3). In one transaction, so that a second,
 * simultaneous exchange fails.
 * @throws Problem unauthorized, the same as for a wrong signature
 */
export async function exchangeRequestToken(
  flow: Flow,
  {
    principal: { app },
    token,
    verifier,
  }: { readonly principal: Principal; readonly token: string; readonly verifier: string | undefined },
): Promise<TokenAnswer> {
  const { directory, accounts, grants } = flow;
  const { tokenLifetime: lifetime } = flow.settings;
  const exchanged = await directory.transact((tx) => {
    const approved = verifier === undefined ? undefined : grants.takeApproved(tx, token, app, verifier);
    // Roles and records may have changed since the page was shown.
    const user = approved && accounts.user(approved.user);
    if (!approved || !user || !accounts.mayOpen(user.id, approved.record)) return undefined;
    const { record, allowed } = approved;
    const issued = accounts.putToken(tx, { app, user: user.id, record, allowed, lifetime });
    grants.putConsent(tx, approved, issued.id);
    return { ...issued, user: user.id, record };
  });
  if (!exchanged) {
    flow.audit('access-token.refused', { app, reason: 'verifier' });
    throw unauthorized(new SignatureRefusal('verifier'), flow.base);
  }
  const { record, user } = exchanged;
  flow.audit('access-token.issued', { app, user, record, token_id: exchanged.id });
  // Deployed clients read all other names as attributes.
  return [
    ['oauth_token', exchanged.token],
    ['oauth_token_secret', exchanged.secret],
    ['record_id', record],
    ['user_id', user],
  ];
}

/** A background app requests tokens again each time it goes through the records, so they live a day at most. */
const MAX_LIFETIME = 24 * 60 * 60 * 1000;

/** The first record, the one with an id, or the one after it. */
export type WantedRecord = { readonly first: true } | { readonly id: string } | { readonly after: string };

/**
 * Issues an access token for a record to a background app.
 * @param appId from the path
 * @throws Problem forbidden for another app or an app for people, not-found if there is no further record
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
  const lifetime = Math.min(flow.settings.tokenLifetime, MAX_LIFETIME);
  const issued = await accounts.issueToken({ app, record, lifetime });
  flow.audit('background-token.issued', { app, record, token_id: issued.id });
  return [
    ['oauth_token', issued.token],
    ['oauth_token_secret', issued.secret],
    ['smart_record_id', record],
  ];
}

async function find({ directory, hasRecord }: Flow, wanted: WantedRecord): Promise<string | undefined> {
  if ('first' in wanted) return recordAfter(directory, undefined);
  if ('after' in wanted) return isRecordId(wanted.after) ? recordAfter(directory, wanted.after) : undefined;
  const exists = isRecordId(wanted.id) && (await hasRecord(wanted.id));
  return exists ? wanted.id : undefined;
}
