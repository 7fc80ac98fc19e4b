import { ACCOUNT_ID_RULE, isAccountId, isRecordId, RECORD_ID_RULE } from '../records/identifiers.js';
import { CommandError, UsageError } from './command-errors.js';
import { readFileSync } from 'node:fs';

/** Reads a record id. @throws UsageError that names the violated rule */
export function recordId(text: string): string {
  if (isRecordId(text)) return text;
  throw new UsageError(`${JSON.stringify(text)} cannot be a record id. ${RECORD_ID_RULE}`);
}

/** Reads a user or app id. @throws UsageError that names the violated rule */
export function accountId(text: string): string {
  if (isAccountId(text)) return text;
  throw new UsageError(`${JSON.stringify(text)} cannot be the id of a user or an app. ${ACCOUNT_ID_RULE}`);
}

/** Collects the values of a repeatable option: `--record 1 2 --record 3`. */
export function recordIds(text: string, earlier: readonly string[] | false = []): string[] {
  return [...(earlier || []), recordId(text)];
}

/** Collects the values of a repeatable option: `--user a b --user c`. */
export function accountIds(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, accountId(text)];
}

export function limitNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new UsageError(`--limit must be a whole number from 1, not ${JSON.stringify(text)}.`);
}

/** Parses JSON. @param name for messages @throws CommandError, or another error on request */
export function parseJson(
  text: string,
  name: string,
  Fault: new (message: string) => Error = CommandError,
): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault(`${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Reads a file. Node.js names a file that it cannot open, but not a directory that it cannot read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}
