import { AccountError, isUserId } from '../../access/accounts/account-ids.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { User, UserRole } from '../../access/accounts/users.js';
import type { PageParts } from '../../http/app-parts.js';
import { needed, optional, type Acting } from './section.js';

/** Says what each role opens. */
export const rolesOf = (accounts: Accounts): string =>
  `${accounts.isOpenToClinicians() ? 'Clinicians open every record in this container, and people the records given to them' : 'People and clinicians open the records given to them'}. Analysts ask questions over all records, and admins use these pages; neither can open a record.`;

/** What somebody can do in a role, besides opening the records given to them. */
const abilities = (accounts: Accounts): Readonly<Record<UserRole, string>> => ({
  person: '',
  clinician: accounts.isOpenToClinicians()
    ? 'open every record in this container'
    : 'open records that name them as giving care, and any record in an emergency',
  analyst: 'ask questions over all records',
  admin: 'use these pages, which decide who opens what',
});

const AS: Readonly<Record<UserRole, string>> = {
  ...{ person: 'a person', clinician: 'a clinician', analyst: 'an analyst', admin: 'an admin' },
};

/** Says what somebody becomes, gains and loses by a role; '' for one who is new and gains nothing. */
function roleChange(accounts: Accounts, who: string, role: UserRole, before: User | undefined): string {
  if (role === before?.role || (!before && role === 'person')) return '';
  const can = abilities(accounts);
  const kept = before?.records.length ?? 0;
  const lost = opensGiven(role) ? 0 : recordsOpen(before).length;
  return [
    `${who} becomes ${AS[role]}.`,
    can[role] && `They can ${can[role]}.`,
    before?.role === 'clinician' &&
      role === 'person' &&
      kept > 0 &&
      'They can see who looked at the records given to them, and close parts of these.',
    before && can[before.role] && `They can no longer ${can[before.role]}.`,
    before?.role === 'analyst' && 'Their tokens end.',
    lost > 0 && `They lose the ${lost === 1 ? 'record' : `${lost} records`} given to them.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns the records that were given to a user and that their role opens. */
export const recordsOpen = (user: User | undefined): readonly string[] =>
  user && opensGiven(user.role) ? user.records : [];

/** Says who gains or loses what by a change, if anybody does. */
export async function whoGetsWhat(
  { flow: { accounts, hasRecord }, people }: PageParts,
  { id, fields, request }: Acting,
  { role, records, name = id }: { role: UserRole; records: readonly string[]; name?: string },
): Promise<string | undefined> {
  const before = accounts.user(id);
  const had = recordsOpen(before);
  const more = opensGiven(role) ? records.filter((each) => !had.includes(each)) : [];
  const who = `${name} (${id || needed(fields, 'user', 'the user name')})`;
  const said = more.map(async (each) =>
    (await hasRecord(each))
      ? `the record of ${(await people.holder(request, each))?.name ?? each} (${each})`
      : `record ${each}, which does not exist yet`,
  );
  const named = (await Promise.all(said)).join(' and ');
  const sees = `${who} will see everything in ${named}, and let apps into ${more.length === 1 ? 'it' : 'them'}.`;
  const parts = [roleChange(accounts, who, role, before), more.length > 0 && sees].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : undefined;
}

/** Returns the name to sign in with that was typed for a new user. @throws AccountError for one that cannot be used */
export function newUserName({ flow }: Pick<PageParts, 'flow'>, { fields }: Pick<Acting, 'fields'>): string {
  const id = needed(fields, 'user', 'the user name');
  if (!isUserId(id))
    throw new AccountError(
      'A user name has at most 64 characters: letters without accents, digits and . _ ~ @ + -, but no spaces.',
    );
  if (flow.accounts.user(id)) throw new AccountError(`The user name “${id}” is taken.`);
  return id;
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
