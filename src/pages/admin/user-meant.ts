import { AccountError } from '../../access/accounts/account-ids.js';
import type { PageParts } from '../../http/app-parts.js';
import type { PageRequest } from '../../http/sign-in/page-request.js';

type People = Pick<PageParts, 'people'>;

/** The most patients that a search of a list finds. */
const MOST_FOUND = 500;
/** The most people of one name that a sentence lists. */
export const MOST_NAMED = 5;

/** Names a user with what they sign in with, since two may have one name. */
export async function namedUser({ people }: People, request: PageRequest, id: string): Promise<string> {
  return `${await people.userName(request, id)} (${id})`;
}

/** Names a record with its patient. */
export async function namedRecord({ people }: People, request: PageRequest, id: string): Promise<string> {
  const name = (await people.holder(request, id))?.name ?? '';
  return name === '' ? `record ${id}` : `${name} (${id})`;
}

/** Returns which of some records have a number or a patient whom a search asks for. */
export async function recordsFound(
  { people }: People,
  request: PageRequest,
  asked: string | undefined,
  among: readonly (string | undefined)[],
): Promise<ReadonlySet<string>> {
  const records = [...new Set(among.filter((each) => each !== undefined))];
  if (asked === undefined || records.length === 0) return new Set();
  const { holders } = await people.recordsNamed(request, asked, MOST_FOUND, records);
  const numbered = records.filter((each) => each.includes(asked));
  return new Set([...holders.map(({ record }) => record), ...numbered]);
}

/** Returns who is meant by what they sign in with, or by a name; undefined for nobody. @throws AccountError for several */
export async function userMeant(
  parts: Pick<PageParts, 'flow' | 'people'>,
  request: PageRequest,
  typed: string,
): Promise<string | undefined> {
  if (parts.flow.accounts.user(typed)) return typed;
  const [found, ...others] = await parts.people.usersNamed(request, typed);
  if (found === undefined || others.length === 0) return found;
  const first = [found, ...others].slice(0, MOST_NAMED);
  throw severalUsers(
    others.length + 1,
    await Promise.all(first.map((each) => namedUser(parts, request, each))),
  );
}

/** @param named the first of them, each with the user name in parentheses */
export function severalUsers(total: number, named: readonly string[]): AccountError {
  const shown = named.slice(0, MOST_NAMED);
  const more = total > shown.length ? ` and ${total - shown.length} more` : '';
  return new AccountError(
    `Several users have this name: ${shown.join('; ')}${more}. Type the user name in the parentheses of the one you mean.`,
  );
}
