import type { Logger } from 'pino';
import type { AccessEntry, Outcome } from '../log/access-entry.js';
import type { AccessLog } from '../log/access-log.js';

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
  'emergency.opened': 'done',
  'emergency.refused': 'refused',
  'emergency.ended': 'done',
  'administration.refused': 'refused',
  // An administrator did in a page what these commands do.
  'user add': 'done',
  'user change': 'done',
  'user password': 'done',
  'user second-factor': 'done',
  'user grant': 'done',
  'user ungrant': 'done',
  'user remove': 'done',
  'record close': 'done',
  'record open': 'done',
  'app add': 'done',
  'app remove': 'done',
  'token issue': 'done',
  'token revoke': 'done',
  'subscription replay': 'done',
  'subscription remove': 'done',
  'export end': 'done',
  'query end': 'done',
  audit: 'done',
} as const satisfies Record<string, Outcome>;

export type SignInOutcome = 'accepted' | 'refused' | 'throttled';

export type Decision = keyof typeof outcomes;

const signIns: Readonly<Partial<Record<Decision, SignInOutcome>>> = {
  'sign-in.accepted': 'accepted',
  'sign-in.refused': 'refused',
  'sign-in.throttled': 'throttled',
};

/** Holds ids only; a token is named by the id that `token list` shows. */
export interface DecisionFacts {
  readonly app?: string | undefined;
  readonly user?: string | undefined;
  readonly record?: string | undefined;
  readonly token_id?: string | undefined;
  /** Only in the access log. */
  readonly purpose?: string | undefined;
  readonly reason?: string | undefined;
  /** Where it is not that of every such decision: an act of an administrator begins, and may fail. */
  readonly outcome?: 'begun' | 'failed';
}

type RequestOrigin = Pick<AccessEntry, 'address' | 'requestId'>;

/**
 * Records a decision; the operating system has the entry when it returns.
 * @throws AccessLogError: then the request must not be answered
 */
export type Audit = (decision: Decision, facts: DecisionFacts, origin?: RequestOrigin) => void;

/** Records decisions in the access log and in the container's log (key `audit`), and counts sign-ins. */
export function auditTo(
  log: Logger,
  accessLog: Pick<AccessLog, 'recordNow'>,
  metrics: { signIn(outcome: SignInOutcome): void },
): Audit {
  return (decision, facts, origin = {}) => {
    const { purpose, ...logged } = facts;
    const { token_id: tokenId, ...others } = logged;
    accessLog.recordNow({
      ...origin,
      ...others,
      purpose,
      tokenId,
      action: decision,
      outcome: facts.outcome ?? outcomes[decision],
    });
    const signIn = signIns[decision];
    if (signIn) metrics.signIn(signIn);
    log.info({ audit: decision, ...logged }, 'audit');
  };
}
