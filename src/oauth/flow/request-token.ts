import { isRecordId } from '../../accounts/account-ids.js';
import { Problem } from '../../problem.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordIri } from '../../records/resource-paths.js';
import type { Parameter } from '../percent.js';
import type { Principal } from '../principal.js';
import type { Flow, TokenAnswer } from './flow.js';

/** The two names of the record that an app asks for; they mean the same. */
const RECORD_NAMES: ReadonlySet<string> = new Set(['smart_record_id', 'container_record_id']);

/**
 * Issues a request token (RFC 5849 §2.1) to an app that proved itself.
 * The browser goes where the manifest of the app says, so a callback that is sent along is that one or `oob`.
 * @param parameters everything that the signature covers
 * @throws Problem forbidden for a background app or a request with a token, invalid-parameter for two records
 * or for another callback
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
    // RFC 5849 §2.1: must be there and true.
    ['oauth_callback_confirmed', 'true'],
  ];
}

/** RFC 5849 §2.1: `oob` where the callback was agreed on before. Some signers send none. */
async function isOwnCallback(
  { store }: Flow,
  app: string,
  parameters: readonly Parameter[],
): Promise<boolean> {
  const sent = parameters.filter(([name]) => name === 'oauth_callback').map(([, value]) => value);
  const foreign = sent.filter((value) => value !== '' && value !== 'oob');
  if (foreign.length === 0) return true;
  const own = (await storedManifest(store, app))?.oauth_callback;
  return foreign.every((value) => value === own);
}

/** A record that does not exist is passed over, as real containers do; the person then chooses one. */
async function knownRecord({ store, base }: Flow, record: string): Promise<string | undefined> {
  return isRecordId(record) && (await store.has(recordIri(base, record))) ? record : undefined;
}
