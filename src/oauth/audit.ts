import type { Logger } from 'pino';
import type { AccessEntry, Outcome } from '../access-log/access-entry.js';
import type { AccessLog } from '../access-log/access-log.js';
import type { Metrics, SignInOutcome } from '../metrics/container-metrics.js';

/** What was decided about access, and how that ends in the access log. */
const outcomes = {
  'request-token.issued': 'done',
  'request-token.refused': 'refused',
  'request-token.opened': 'done',
  'request-token.not-opened': 'refused',
  'access.allowed': 'done',
  'access.allowed-before': 'done',
  'access.denied': 'refused',
  'access.refused': 'refused',
  'access-token.issued': 'done',
  'access-token.refused': 'refused',
  'background-token.issued': 'done',
  'background-token.refused': 'refused',
  'access.revoked': 'done',
  'app.launched': 'done',
  'sign-in.accepted': 'done',
  'sign-in.refused': 'refused',
  'sign-in.throttled': 'refused',
  'password.changed': 'done',
  'password.refused': 'refused',
  'second-factor.set-up': 'done',
  'second-factor.removed': 'done',
  'second-factor.refused': 'refused',
  'query-token.issued': 'done',
  'query-token.ended': 'done',
  'saved-query.shared': 'done',
  'session.ended': 'done',
  'sign-out': 'done',
} as const satisfies Record<string, Outcome>;

export type Decision = keyof typeof outcomes;

/** The decisions that are counted, with what they are counted as. */
const signIns: Readonly<Partial<Record<Decision, SignInOutcome>>> = {
  'sign-in.accepted': 'accepted',
  'sign-in.refused': 'refused',
  'sign-in.throttled': 'throttled',
};

/** Whom and what a decision is about: ids only. A token is named by the id that `token list` shows. */
export interface DecisionFacts {
  readonly app?: string | undefined;
  readonly user?: string | undefined;
  readonly record?: string | undefined;
  readonly token_id?: string | undefined;
  readonly reason?: string | undefined;
}

/** Where a request comes from. */
export type RequestOrigin = Pick<AccessEntry, 'address' | 'requestId'>;

/**
 * Records a decision; when it returns, the entry has been handed to the operating system.
 * @param origin of the request that is decided about
 * @throws AccessLogError when it cannot be recorded: then nothing of it may be answered
 */
export type Audit = (decision: Decision, facts: DecisionFacts, origin?: RequestOrigin) => void;

/**
 * Records decisions in the access log, and as lines of the container's log that have the key `audit`; counts tries to
 * sign in.
 */
export function auditTo(
  log: Logger,
  accessLog: Pick<AccessLog, 'recordNow'>,
  metrics: Pick<Metrics, 'signIn'>,
): Audit {
  return (decision, facts, origin = {}) => {
    const { token_id: tokenId, ...others } = facts;
    accessLog.recordNow({ ...origin, ...others, tokenId, action: decision, outcome: outcomes[decision] });
    const signIn = signIns[decision];
    if (signIn) metrics.signIn(signIn);
    log.info({ audit: decision, ...facts }, 'audit');
  };
}
