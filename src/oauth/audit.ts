import type { Logger } from 'pino';
import type { AccessLog } from '../access-log/access-log.js';

/** What was decided about access. */
export type Decision =
  | 'request-token.issued'
  | 'request-token.refused'
  | 'request-token.opened'
  | 'request-token.not-opened'
  | 'access.allowed'
  | 'access.allowed-before'
  | 'access.denied'
  | 'access.refused'
  | 'access-token.issued'
  | 'access-token.refused'
  | 'background-token.issued'
  | 'background-token.refused'
  | 'access.revoked'
  | 'app.launched'
  | 'sign-in.accepted'
  | 'sign-in.refused'
  | 'sign-in.throttled'
  | 'sign-out';

/** Whom and what a decision is about: ids only. A token is named by the id that `token list` shows. */
export interface DecisionFacts {
  readonly app?: string | undefined;
  readonly user?: string | undefined;
  readonly record?: string | undefined;
  readonly token_id?: string | undefined;
  readonly reason?: string | undefined;
}

/** Records a decision, before anything comes of it. @throws AccessLogError when it cannot be recorded */
export type Audit = (decision: Decision, facts: DecisionFacts) => void;

/** What a decision came to, by the end of its name. */
const refused = /\.(?:refused|denied|not-opened|throttled)$/;

/** Records decisions in the access log, and as lines of the log that have the key `audit`. */
export function auditTo(log: Logger, accessLog: Pick<AccessLog, 'recordNow'>): Audit {
  return (decision, facts) => {
    const { app, user, record, token_id: tokenId, reason } = facts;
    const outcome = refused.test(decision) ? 'refused' : 'done';
    accessLog.recordNow({ action: decision, outcome, app, user, record, tokenId, reason });
    log.info({ audit: decision, ...facts }, 'audit');
  };
}
