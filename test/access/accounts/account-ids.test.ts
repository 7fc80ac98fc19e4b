import { describe, expect, it } from 'vitest';
import { isAppId, isRecordId, isUserId } from '../../../src/access/accounts/account-ids.js';

const long = 'a'.repeat(64);

describe('ids of apps, records and users', () => {
  // text, as record, as user and app
  it.each<[string, boolean, boolean]>([
    ['1032702', true, true],
    ['a.b_c~d-E9', true, true],
    [long, true, true],
    [`${long}a`, false, false],
    ['', false, false],
    ['.', false, false],
    ['..', false, false],
    ['...', true, true],
    ['search', false, false],
    ['manifests', false, false],
    ['Search', true, true],
    ['demo-ui@apps.example.org', false, true],
    ['a+b', false, true],
    ['a/b', false, false],
    ['a%2Fb', false, false],
    ['a b', false, false],
    ['a\n', false, false],
    ['a>', false, false],
    ['é', false, false],
  ])('%j is a record id: %s; a user and app id: %s', (text, record, account) => {
    expect([isRecordId(text), isUserId(text), isAppId(text)]).toEqual([record, account, account]);
  });
});
