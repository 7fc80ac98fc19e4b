import { mayOpen } from '../../accounts/users.js';
import { SignatureRefusal, unauthorized } from '../signature-refusal.js';
import type { Principal } from '../principal.js';
import type { Flow, TokenAnswer } from './flow.js';

/** The parameters of a request token exchange that is proved: who signs, with which token and verifier. */
export interface Exchange {
  readonly principal: Principal;
  readonly token: string;
  readonly verifier: string | undefined;
}

/**
 * Exchanges an approved request token for an access token (RFC 5849 §2.3), in one transaction: of two exchanges
 * at once one finds the request token gone.
 * @throws Problem unauthorized, the same as for a wrong signature, when there is nothing to exchange
 */
export async function exchangeRequestToken(
  flow: Flow,
  { principal: { app }, token, verifier }: Exchange,
): Promise<TokenAnswer> {
  const { directory, accounts, grants, tokenLifetime: lifetime } = flow;
  const exchanged = await directory.transact((tx) => {
    const approved = verifier === undefined ? undefined : grants.takeApproved(tx, token, app, verifier);
    // Roles and records may have changed since the page was shown.
    const user = approved && accounts.user(approved.user);
    if (!approved || !user || !mayOpen(user, approved.record)) return undefined;
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
  // Real clients make attributes of all other names, so there are no more than these two.
  return [
    ['oauth_token', exchanged.token],
    ['oauth_token_secret', exchanged.secret],
    ['record_id', record],
    ['user_id', user],
  ];
}
