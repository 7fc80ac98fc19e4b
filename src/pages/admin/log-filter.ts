import { AccountError, isRecordId } from '../../access/accounts/account-ids.js';
import type { RecordedEntry } from '../../access/log/access-entry.js';
import type { AccessFilter } from '../../access/log/read-entries.js';
import type { PageParts } from '../../http/app-parts.js';
import { dayOf } from '../../http/html/readable.js';
import { DATE_PROBLEM, typedDate } from '../../http/html/typed-date.js';
import type { Fields, PageRequest } from '../../http/sign-in/page-request.js';
import { isLogKind } from './log-sentences.js';
import { optional } from './section.js';
import { MOST_NAMED, namedUser, severalUsers } from './user-meant.js';

const DAY = 24 * 60 * 60 * 1000;
const LATELY = 30 * DAY;

export interface LogFilter extends AccessFilter {
  readonly isMeant: (entry: RecordedEntry) => boolean;
}

/** Returns what the fields ask the log for. @throws AccountError for what is not clear */
export async function logFilter(parts: PageParts, request: PageRequest, fields: Fields): Promise<LogFilter> {
  const [since, last] = [firstDay(fields), optional(fields, 'until')].map(dayIn);
  if (since !== undefined && last !== undefined && since > last)
    throw new AccountError('“From day” is after “To day”.');
  return {
    ...(await userAsked(parts, request, optional(fields, 'user'))),
    app: await appAsked(parts, optional(fields, 'app')),
    record: await recordAsked(parts, request, optional(fields, 'record')),
    since,
    before: Math.min(last === undefined ? Infinity : last + DAY, Number(fields.get('at')) || Infinity),
  };
}

/** Returns the day to begin with: by kind alone, the whole log would be read for the rare ones. */
export function firstDay(fields: Fields): string | undefined {
  const named = ['user', 'app', 'record', 'until'].some((name) => optional(fields, name) !== undefined);
  const latest = named || !isLogKind(fields.get('kind') ?? '') ? undefined : Date.now() - LATELY;
  return (
    optional(fields, 'since') ??
    (latest === undefined ? undefined : new Date(latest).toISOString().slice(0, 10))
  );
}

/** Returns the first millisecond of a day that a person typed. @throws AccountError for what is no day */
function dayIn(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/u.test(typedDate(typed)) ? Date.parse(typedDate(typed)) : NaN;
  if (Number.isNaN(time)) throw new AccountError(DATE_PROBLEM);
  return time;
}

/** Finds users by user name, operators by account, and both users and those who were removed by name. */
async function userAsked(
  parts: PageParts,
  request: PageRequest,
  typed: string | undefined,
): Promise<Pick<LogFilter, 'user' | 'isMeant'>> {
  const { accounts } = parts.flow;
  const asTyped = { user: typed, isMeant: () => true };
  const wereRemoved = accounts.listRemovedUsers();
  if (typed === undefined || accounts.user(typed) || wereRemoved.some(({ id }) => id === typed))
    return asTyped;
  const now = (await parts.people.usersNamed(request, typed)).map((id) => ({ id, until: undefined }));
  const removed = wereRemoved.filter(({ name }) => isNamed(name, typed));
  const [found, ...others] = [...now, ...removed];
  if (!found) return asTyped;
  if (others.length > 0)
    throw severalUsers(now.length + removed.length, [
      ...(await Promise.all(now.slice(0, MOST_NAMED).map(({ id }) => namedUser(parts, request, id)))),
      ...removed.map(({ id, name, until }) => `${name} (${id}, removed ${dayOf(until)})`),
    ]);
  const { id, until } = found;
  // Somebody else may have had the same user name.
  const isMeant = ({ time }: RecordedEntry): boolean =>
    accounts.removedUser(id, Date.parse(time))?.until === until;
  return { user: id, isMeant };
}

/** As a search for users does. */
function isNamed(name: string, typed: string): boolean {
  const last = typed.toLowerCase().split(/\s+/u).at(-1) ?? '';
  return name
    .toLowerCase()
    .split(/\s+/u)
    .some((word) => word.startsWith(last));
}

/** Finds a record by its number, or by the name of the patient. @throws AccountError for several */
async function recordAsked(
  parts: PageParts,
  request: PageRequest,
  typed: string | undefined,
): Promise<string | undefined> {
  if (typed === undefined || (isRecordId(typed) && (await parts.flow.hasRecord(typed)))) return typed;
  const { holders, total } = await parts.people.recordsNamed(request, typed, MOST_NAMED);
  if (total <= 1) return holders[0]?.record ?? typed;
  const named = holders.map(
    ({ name, birthday, record }) =>
      `${name}${birthday && `, born ${dayOf(Date.parse(birthday))}`} (${record})`,
  );
  const more = total > holders.length ? ` and ${total - holders.length} more` : '';
  throw new AccountError(
    `Several patients have this name: ${named.join('; ')}${more}. Type the number in the parentheses of the one you mean.`,
  );
}

/** Whether a text is the number of a record rather than the name of a patient. */
export const isNumber = (text: string): boolean => isRecordId(text) && /\d/u.test(text);

/** @throws AccountError for a user, app or record that does not exist; of one that is gone the log may have entries */
export async function requireKnown(
  parts: PageParts,
  fields: Fields,
  { user, app, record }: LogFilter,
): Promise<void> {
  const { accounts, hasRecord } = parts.flow;
  const typed = (name: string): string => optional(fields, name) ?? '';
  const wasUser = accounts.listRemovedUsers().some(({ id }) => id === user);
  if (user !== undefined && !accounts.user(user) && !wasUser)
    throw new AccountError(`There is no user “${typed('user')}”.`);
  if (app !== undefined && !accounts.app(app))
    throw new AccountError(`There is no app “${typed('app')}” now. Of one that was removed, type the id.`);
  if (record !== undefined && !(await hasRecord(record)))
    throw new AccountError(
      isNumber(record) ? `There is no record ${record}.` : `There is no patient “${typed('record')}”.`,
    );
}

/** Finds an app by its id or name. @throws AccountError for several */
async function appAsked({ flow }: PageParts, typed: string | undefined): Promise<string | undefined> {
  if (typed === undefined || flow.accounts.app(typed)) return typed;
  const manifests = await Promise.all(flow.accounts.listApps().map(({ id }) => flow.manifestOf(id)));
  const found = manifests.filter((each) => each?.name.toLowerCase() === typed.toLowerCase());
  const ids = found.flatMap((each) => each?.id ?? []);
  if (ids.length > 1)
    throw new AccountError(
      `Several apps have this name: ${ids.join('; ')}. Type the id of the one you mean.`,
    );
  return ids[0] ?? typed;
}
