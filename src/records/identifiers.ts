export { isRecordId, isUserId as isAccountId } from '../access/accounts/account-ids.js';

export const RECORD_ID_RULE =
  'A record id has 1 to 64 of the characters A-Z a-z 0-9 . _ ~ - and is not ".", "..", "search" or "manifests".';

export const ACCOUNT_ID_RULE =
  'A user or app id has 1 to 64 of the characters A-Z a-z 0-9 . _ ~ - @ + and is not ".", "..", "search" or "manifests".';
