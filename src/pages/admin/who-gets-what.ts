import { AccountError } from '../../access/accounts/account-ids.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { UserRole } from '../../access/accounts/users.js';
import type { PageParts } from '../../http/app-parts.js';
import { needed, optional, type Acting } from './section.js';

/** Says what each role opens. */
export const rolesOf = (accounts: Accounts): string =>
  `${accounts.isOpenToClinicians() ? 'Clinicians open every record in this container, and people the records given to them' : 'People and clinicians open the records given to them'}. Analysts ask questions over all records, and admins use these pages; neither can open a record.`;

/** Says who gets what by a change, if they get anything that they did not have. */
export async function whoGetsWhat(
  { flow: { accounts, hasRecord }, people }: PageParts,
  { id, fields, request }: Acting,
  { role, records, name = id }: { role: UserRole; records: readonly string[]; name?: string },
): Promise<string | undefined> {
  const before = accounts.user(id);
  const isNew = role !== before?.role;
  const more = opensGiven(role) ? records.filter((each) => isNew || !before.records.includes(each)) : [];
  const who = `${name} (${id || needed(fields, 'user', 'the name to sign in with')})`;
  const said = more.map(async (each) =>
    (await hasRecord(each))
      ? `the record of ${(await people.holder(request, each))?.name ?? each} (${each})`
      : `record ${each}, which does not exist yet`,
  );
  const getsRole =
    isNew && role !== 'person' ? `${who} gets the role ${role}. ${rolesOf(accounts)}` : undefined;
  if (more.length === 0) return getsRole;
  const sees = `${who} will see everything in ${(await Promise.all(said)).join(' and ')}, and let apps into it.`;
  return [getsRole, sees].filter(Boolean).join(' ');
}

/** Returns the records that were typed, once each. A future patient's number is given to nobody. @throws AccountError */
export async function recordsTyped(
  { flow }: Pick<PageParts, 'flow'>,
  { fields }: Pick<Acting, 'fields'>,
): Promise<string[]> {
  const typed = [...new Set(optional(fields, 'records')?.split(/[\s,]+/u))].filter((each) => each !== '');
  const there = await Promise.all(typed.map((each) => flow.hasRecord(each)));
  const missing = typed.filter((_, at) => !there[at]);
  if (missing.length === 0) return typed;
  const named = missing.length === 1 ? 'record' : 'records';
  throw new AccountError(`There ${missing.length === 1 ? 'is' : 'are'} no ${named} ${missing.join(', ')}.`);
}

export const opensGiven = (role: UserRole): boolean => role === 'person' || role === 'clinician';
