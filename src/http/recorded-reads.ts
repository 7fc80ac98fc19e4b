import type { Accounts } from '../access/accounts/accounts.js';
import type { WhyOpen } from '../access/accounts/care.js';
import type { User } from '../access/accounts/users.js';
import type { CallModel } from '../model/ontology/model.js';
import { isRecordId } from '../records/identifiers.js';
import { readList, type ListRequest } from '../records/lists/list.js';
import {
  findRecord,
  recordHolder,
  searchRecords,
  searchUsers,
  userName,
  userNames,
  type KnownPatient,
  type RecordHolder,
  type RecordTerms,
} from '../records/people.js';
import { isPublic } from './handlers/graph-answer.js';
import { construct, listRequestOf, type Addressed } from './handlers/reads.js';
import type { ClosedViews } from './closed-view.js';
import { RecordData, type RecordDataParts } from './record-data.js';
import { traceOf, type RequestContext } from './request-context.js';

/** The request for which something is read. */
export type Reading = Pick<RequestContext, 'context'>;

/** A record that a user may see. */
export interface OpenedRecord {
  readonly user: User;
  readonly holder: RecordHolder;
  readonly data: RecordData;
  /** Why the user may read the record; undefined where they only see who did. */
  readonly why: WhyOpen | undefined;
  /** Whether parts of it are closed to the user, or would be without an emergency. */
  readonly closed: ReturnType<Accounts['partClosed']>;
}

export interface RecordedParts extends RecordDataParts {
  readonly accounts: Pick<
    Accounts,
    'mayOpen' | 'whyOpen' | 'openRecords' | 'partClosed' | 'user' | 'removedUser'
  >;
  readonly closedViews: ClosedViews;
}

/**
 * All that pages can read of people. Each read first notes in the trace of the request what it reads, and the access
 * log has it before the answer leaves. Pages get no store, so that none can read without an entry.
 */
export class RecordedReads {
  readonly #parts: RecordedParts;

  constructor(parts: RecordedParts) {
    this.#parts = parts;
  }

  mayOpen(user: User, record: string): boolean {
    return this.#parts.accounts.mayOpen(user.id, record);
  }

  /** Whether something of a record is closed to a clinician, or was and is open in an emergency. */
  partClosed(user: User, record: string): ReturnType<Accounts['partClosed']> {
    return this.#parts.accounts.partClosed(record, user.id);
  }

  /** Searches the records that a user may open, as the call does. @throws Problem as searchRecords */
  search(
    { context }: Reading,
    user: User,
    terms: RecordTerms,
    page: { readonly limit: number; readonly offset: number },
  ): ReturnType<typeof searchRecords> {
    traceOf(context).access = { call: this.#parts.ontology.callByName.get('search_records') };
    return searchRecords(this.#parts, terms, page, this.#parts.accounts.openRecords(user.id));
  }

  /** Finds the only record of a patient whom the reader knows; names nobody else. */
  async find({ context }: Reading, patient: KnownPatient): Promise<string | undefined> {
    traceOf(context).access = { call: this.#parts.ontology.callByName.get('search_records') };
    return findRecord(this.#parts, patient);
  }

  /**
   * Finds patients by a name or its beginning, without regard to who may open their records: for administrators.
   * @param records the only ones to find
   */
  async recordsNamed(
    { context }: Reading,
    name: string,
    limit: number,
    records?: readonly string[],
  ): ReturnType<typeof searchRecords> {
    const trace = traceOf(context);
    trace.access = { call: this.#parts.ontology.callByName.get('search_records') };
    const words = name.trim().split(/\s+/u);
    const [first = '', last = ''] = [words.length > 1 ? words[0] : '', words.at(-1)];
    const search = (terms: RecordTerms) => searchRecords(this.#parts, terms, { limit, offset: 0 }, records);
    const byFamily = await search({ given_name: first, family_name: last });
    const found = byFamily.total > 0 || first !== '' ? byFamily : await search({ given_name: last });
    for (const { record } of found.holders) (trace.holders ??= new Set()).add(record);
    return found;
  }

  /** Reads whose a record is; undefined if there is no such record. */
  async holder({ context }: Reading, record: string): Promise<RecordHolder | undefined> {
    const trace = traceOf(context);
    const holder = await recordHolder(this.#parts.store, record);
    if (!holder) return undefined;
    trace.access ??= {};
    (trace.holders ??= new Set()).add(record);
    return holder;
  }

  /** Returns the users who are called by a name, or its beginning. */
  usersNamed({ context }: Reading, name: string): Promise<string[]> {
    traceOf(context).access = { call: this.#parts.ontology.callByName.get('search_users') };
    return searchUsers(this.#parts, name);
  }

  /** Returns the full name of a user, else their id. */
  userName(reading: Reading, user: string): Promise<string> {
    this.#noteUser(reading, user);
    return userName(this.#parts.store, user);
  }

  /** Returns what who had a user name at a time was called, else the user name. @param time milliseconds since 1970 */
  async userThen(
    reading: Reading,
    user: string,
    time: number,
  ): Promise<{ readonly name: string; readonly isRemoved: boolean }> {
    this.#noteUser(reading, user);
    const { accounts, store } = this.#parts;
    const removed = accounts.removedUser(user, time);
    if (removed) return { name: removed.name || user, isRemoved: true };
    return { name: await userName(store, user), isRemoved: !accounts.user(user) };
  }

  /** Returns the names of a user by property. */
  userNames(reading: Reading, user: string): ReturnType<typeof userNames> {
    this.#noteUser(reading, user);
    return userNames(this.#parts.store, user);
  }

  /**
   * Opens the record of a page for a user. Whether it is opened, refused or not there, this is an access.
   * @param call that the page makes, if any
   * @returns undefined if there is no such record, 'refused' if the user may not see it
   */
  async open(
    reading: Reading,
    {
      user,
      record,
      call,
    }: { readonly user: User; readonly record: string; readonly call?: CallModel | undefined },
    maySee?: (user: User, record: string) => boolean,
  ): Promise<OpenedRecord | 'refused' | undefined> {
    traceOf(reading.context).access = { call };
    if (!isRecordId(record)) return undefined;
    const why = this.#parts.accounts.whyOpen(user.id, record);
    if (!(maySee ? maySee(user, record) : why)) return 'refused';
    const holder = await this.holder(reading, record);
    const view = this.#parts.closedViews(record, { user: user.id });
    const closed = why && this.partClosed(user, record);
    const isEmergency = why?.because === 'emergency' || typeof closed === 'object';
    Object.assign(traceOf(reading.context), { view: why && view, isEmergency });
    return holder && { user, holder, why, closed, data: new RecordData({ ...this.#parts, ...view }, record) };
  }

  /** Notes that a call is made, and returns a function that counts what it answers. */
  counting({ context }: Reading, call: CallModel, user: User) {
    if (!isPublic(call)) traceOf(context).access = { call };
    const { ontology, queue } = this.#parts;
    return (asked: Omit<Addressed, 'call'>, given: ListRequest['given']) =>
      queue.run(call.iri, async () => {
        const view = this.#parts.closedViews(asked.path['record_id'], { user: user.id });
        const parts = { ...this.#parts, ...view };
        const start = performance.now();
        const addressed = { ...asked, call };
        const { quads, total } =
          call.cardinality === 'multiple'
            ? await readList(parts.store, ontology, listRequestOf(parts, addressed, given))
            : { quads: await construct(parts, addressed), total: undefined };
        return { triples: quads.length, total, ms: performance.now() - start };
      });
  }

  #noteUser({ context }: Reading, user: string): void {
    const trace = traceOf(context);
    if (user === trace.visitor?.user?.id) return;
    trace.access ??= {};
    (trace.users ??= new Set()).add(user);
  }
}
