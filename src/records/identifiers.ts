export { isRecordId, isUserId as isAccountId } from '../accounts/account-ids.js';

/** The rule of record ids, and of the ids of statements, in one sentence for whoever broke it. */
export const RECORD_ID_RULE =
  'A record id has 1 to 64 of the characters A-Z a-z 0-9 . _ ~ - and is not ".", "..", "search" or "manifests".';

/** The rule of user and app ids in one sentence. */
export const ACCOUNT_ID_RULE =
  'A user or app id has 1 to 64 of the characters A-Z a-z 0-9 . _ ~ - @ + and is not ".", "..", "search" or "manifests".';
