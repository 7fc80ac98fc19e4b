import { DATE_PROBLEM, typedDate } from '../html/typed-date.js';
import { Problem } from '../../model/problem.js';
import type { User } from '../../access/accounts/users.js';
import type { AppManifest } from '../../access/accounts/manifest.js';
import { recordsPage, type RecordChoice, type RecordSearch } from '../html/records-page.js';
import { isRecordId } from '../../records/identifiers.js';
import type { RecordHolder, RecordTerms } from '../../records/people.js';
import type { PlainAnswer } from '../answer.js';
import type { Reading, RecordedReads } from '../recorded-reads.js';
import type { Fields, PageRequest } from './page-request.js';
import { pageAnswer } from './page-answer.js';

const PAGE = 20;

export interface Listing {
  readonly user: User;
  readonly fields: Fields;
}

/** The app to choose a record for, and the parameters that the page's address must keep. */
export interface Choosing extends Listing {
  readonly manifest: AppManifest;
  readonly action: string;
  readonly kept: Readonly<Record<string, string>>;
}

export async function chooseRecord(
  people: RecordedReads,
  request: PageRequest,
  choosing: Choosing,
): Promise<PlainAnswer> {
  const { manifest, action, kept } = choosing;
  const choice: RecordChoice = {
    app: manifest.name,
    action,
    kept,
    ...(await listRecords(people, request, choosing)),
  };
  return pageAnswer(request.visitor.page, recordsPage(choice));
}

/** Returns the records of a person, or the result of a clinician's search. */
export async function listRecords(
  people: RecordedReads,
  reading: Reading,
  listing: Listing,
): Promise<{ readonly holders: RecordHolder[]; readonly search?: RecordSearch }> {
  const { user } = listing;
  return user.role === 'clinician'
    ? search(people, reading, listing)
    : { holders: await given(people, reading, user) };
}

async function given(people: RecordedReads, reading: Reading, { records }: User): Promise<RecordHolder[]> {
  const holders = await Promise.all(records.map((record) => people.holder(reading, record)));
  return holders.filter((holder) => holder !== undefined);
}

async function search(people: RecordedReads, reading: Reading, { user, fields }: Listing) {
  const term = (name: string): string => fields.get(name)?.slice(0, 100) ?? '';
  const terms = {
    family_name: term('family_name'),
    given_name: term('given_name'),
    date_of_birth: term('date_of_birth'),
    medical_record_number: term('medical_record_number'),
  };
  const asked = { ...terms, date_of_birth: typedDate(terms.date_of_birth) };
  const offset = /^\d{1,9}$/.test(term('offset')) ? Number(term('offset')) : 0;
  const page = { limit: PAGE, offset };
  try {
    const { holders, total } = await people.search(reading, user, asked, page);
    const named = offset === 0 ? await namedRecord(people, reading, user, terms) : undefined;
    if (!named || holders.some(({ record }) => record === named.record))
      return { holders, search: { terms, total, ...page } };
    return { holders: [named, ...holders], search: { terms, total: Math.max(1, total), ...page } };
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid-parameter') throw error;
    return { holders: [], search: { terms, total: 0, ...page, problem: DATE_PROBLEM } };
  }
}

/** If only a number was typed, returns the record with this id. */
async function namedRecord(
  people: RecordedReads,
  reading: Reading,
  user: User,
  { medical_record_number: number = '', ...others }: RecordTerms,
): Promise<RecordHolder | undefined> {
  const id = number.trim();
  const isAll = Object.values(others).every((text) => text.trim() === '');
  return isAll && isRecordId(id) && people.mayOpen(user, id) ? people.holder(reading, id) : undefined;
}
