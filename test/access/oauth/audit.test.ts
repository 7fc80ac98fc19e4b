import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { AccessLogError } from '../../../src/access/log/access-entry.js';
import { noMetrics } from '../../services/metrics/no-metrics.js';
import { auditTo } from '../../../src/access/oauth/audit.js';
import { entriesOf, openedLog } from '../log/opened-log.js';

const silent = pino({ level: 'silent' });

describe('a decision about access', () => {
  test('is in the access log when the call returns, with where the request came from', async () => {
    const { log } = await openedLog();
    const audit = auditTo(silent, log, noMetrics);
    const origin = { address: '192.0.2.7', requestId: 'abc' };
    audit('access-token.issued', { app: 'a', user: 'u', record: '1', token_id: 't' }, origin);
    audit('sign-in.throttled', { reason: 'too many tries' });
    expect(await entriesOf(log)).toMatchObject([
      {
        action: 'access-token.issued',
        outcome: 'done',
        app: 'a',
        user: 'u',
        record: '1',
        tokenId: 't',
        address: '192.0.2.7',
        requestId: 'abc',
      },
      { action: 'sign-in.throttled', outcome: 'refused', reason: 'too many tries' },
    ]);
  });

  test('is counted where it is about a sign-in', async () => {
    const { log } = await openedLog();
    const counted: string[] = [];
    const audit = auditTo(silent, log, { signIn: (outcome) => counted.push(outcome) });
    audit('sign-in.accepted', { user: 'u' });
    audit('sign-in.refused', {});
    audit('sign-in.throttled', {});
    audit('sign-out', { user: 'u' });
    expect(counted).toEqual(['accepted', 'refused', 'throttled']);
  });

  test('that cannot be recorded is an error for whoever decides', () => {
    const full = {
      recordNow: () => {
        throw new AccessLogError('full');
      },
    };
    expect(() => auditTo(silent, full, noMetrics)('access.allowed', {})).toThrow(AccessLogError);
  });
});
