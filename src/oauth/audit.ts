import type { Logger } from 'pino';

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

/** Writes one structured line for a decision. */
export type Audit = (decision: Decision, facts: DecisionFacts) => void;

/** The audit log of a container: lines of its log that have the key `audit`. */
export function auditTo(log: Logger): Audit {
  return (decision, facts) => {
    log.info({ audit: decision, ...facts }, 'audit');
  };
}
