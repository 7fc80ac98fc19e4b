import { ACCOUNT_ID_RULE, isAccountId, isRecordId, RECORD_ID_RULE } from '../records/identifiers.js';
import { UsageError } from './command-errors.js';

/** A record id from the command line. Throws UsageError with the rule it breaks. */
export function recordId(text: string): string {
  if (isRecordId(text)) return text;
  throw new UsageError(`${JSON.stringify(text)} cannot be a record id. ${RECORD_ID_RULE}`);
}

/** A user or app id from the command line. Throws UsageError with the rule it breaks. */
export function accountId(text: string): string {
  if (isAccountId(text)) return text;
  throw new UsageError(`${JSON.stringify(text)} cannot be the id of a user or an app. ${ACCOUNT_ID_RULE}`);
}

/** Collects the values of an option that may be repeated or take several: `--record 1 2 --record 3`. */
export function recordIds(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, recordId(text)];
}

/** The number of --limit. Throws UsageError for anything else. */
export function limitNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new UsageError(`--limit must be a whole number from 1, not ${JSON.stringify(text)}.`);
}
