import { Problem } from '../../problem.js';
import type { User } from '../../accounts/users.js';
import type { AppManifest } from '../../accounts/manifest.js';
import { recordsPage, type RecordChoice, type RecordSearch } from '../../pages/records-page.js';
import { isRecordId } from '../../records/identifiers.js';
import {
  recordHolder,
  searchRecords,
  type People,
  type RecordHolder,
  type RecordTerms,
} from '../../records/people.js';
import type { PlainAnswer } from '../answer.js';
import type { Fields } from './form.js';
import { pageAnswer } from './page-answer.js';
import type { Visitor } from './visitor.js';

/** How many records the page shows at once. */
const PAGE = 20;

/** What the call says of a date that is none, for people. */
const DATE_PROBLEM = 'Type the date as 1990-02-01.';

/** Whose records are listed, by which search. */
export interface Listing {
  readonly user: User;
  readonly fields: Fields;
}

/** What the page is for, and what has to stay in its address. */
export interface Choosing extends Listing {
  readonly manifest: AppManifest;
  readonly action: string;
  readonly kept: Readonly<Record<string, string>>;
}

/** Shows the records that a user may open: those given to a person, a search to a clinician. */
export async function chooseRecord(
  people: People,
  { page }: Visitor,
  choosing: Choosing,
): Promise<PlainAnswer> {
  const { manifest, action, kept } = choosing;
  const choice: RecordChoice = {
    app: manifest.name,
    action,
    kept,
    ...(await listRecords(people, choosing)),
  };
  return pageAnswer(page, recordsPage(choice));
}

/** The records that a user may open: those given to a person, a search for a clinician. */
export async function listRecords(
  people: People,
  listing: Listing,
): Promise<{ readonly holders: RecordHolder[]; readonly search?: RecordSearch }> {
  const { user } = listing;
  return user.role === 'clinician' ? search(people, listing) : { holders: await given(people, user) };
}

async function given({ store }: People, { records }: User): Promise<RecordHolder[]> {
  const holders = await Promise.all(records.map((record) => recordHolder(store, record)));
  return holders.filter((holder) => holder !== undefined);
}

async function search(
  people: People,
  { fields }: Listing,
): Promise<{ holders: RecordHolder[]; search: RecordSearch }> {
  const term = (name: string): string => fields.get(name)?.slice(0, 100) ?? '';
  const terms = {
    family_name: term('family_name'),
    given_name: term('given_name'),
    date_of_birth: term('date_of_birth'),
    medical_record_number: term('medical_record_number'),
  };
  const offset = /^\d{1,9}$/.test(term('offset')) ? Number(term('offset')) : 0;
  const page = { limit: PAGE, offset };
  try {
    const { holders, total } = await searchRecords(people, terms, page);
    const named = offset === 0 ? await namedRecord(people, terms) : undefined;
    if (!named || holders.some(({ record }) => record === named.record))
      return { holders, search: { terms, total, ...page } };
    return { holders: [named, ...holders], search: { terms, total: Math.max(1, total), ...page } };
  } catch (error) {
    // The names take any text, so it is the date.
    if (!(error instanceof Problem) || error.kind !== 'invalid-parameter') throw error;
    return { holders: [], search: { terms, total: 0, ...page, problem: DATE_PROBLEM } };
  }
}

/** The record of a number that is all that was typed: it stands beside the name of everybody who was found. */
async function namedRecord(
  { store }: People,
  { medical_record_number: number = '', ...others }: RecordTerms,
): Promise<RecordHolder | undefined> {
  const id = number.trim();
  const isAll = Object.values(others).every((text) => text.trim() === '');
  return isAll && isRecordId(id) ? recordHolder(store, id) : undefined;
}
