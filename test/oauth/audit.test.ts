import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { AccessLogError } from '../../src/access-log/access-log-error.js';
import { auditTo } from '../../src/oauth/audit.js';
import { entriesOf, openedLog } from '../access-log/opened-log.js';

const silent = pino({ level: 'silent' });

describe('a decision about access', () => {
  test('is in the access log when the call returns, with where the request came from', async () => {
    const { log } = await openedLog();
    const audit = auditTo(silent, log, { address: '192.0.2.7', requestId: 'abc' });
    audit('access-token.issued', { app: 'a', user: 'u', record: '1', token_id: 't' });
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

  test('that cannot be recorded is an error for whoever decides', () => {
    const full = {
      recordNow: () => {
        throw new AccessLogError('full');
      },
    };
    expect(() => auditTo(silent, full)('access.allowed', {})).toThrow(AccessLogError);
  });
});
