import { mayOpen, type User } from '../../../accounts/users.js';
import type { CallModel } from '../../../ontology/model.js';
import { Problem } from '../../../problem.js';
import { isRecordId } from '../../../records/identifiers.js';
import { recordHolder, type RecordHolder } from '../../../records/people.js';
import type { Answer } from '../../answer.js';
import type { Site } from '../../app-parts.js';
import { traceOf } from '../../request-context.js';
import type { PageHandler, PageRequest } from '../page-request.js';
import { refusalAnswer } from '../refusals.js';
import { signInFirst } from '../sign-in-first.js';
import type { Visitor } from '../visitor.js';
import type { RecordParts } from './record-reads.js';

/** A record and whoever sees a page of it. */
export interface OpenedRecord {
  readonly user: User;
  readonly holder: RecordHolder;
}

/** Whether a user sees a page of a record. */
export type MaySee = (user: User, record: string) => boolean;

/** Who sees who looked at a record: the person whose it is, and administrators. */
export const maySeeAccesses: MaySee = (user, record) =>
  user.role === 'admin' || (user.role === 'person' && user.records.includes(record));

const noSuchRecord = (): Problem => new Problem('not-found', 'There is no such record.');

/**
 * What somebody is told who may not see a page: administrators and whoever opens the record anyway, why not. To
 * everybody else it is as if there were no such record, so that nobody learns of one.
 */
function refused(visitor: Visitor, user: User, record: string): Answer {
  if (user.role === 'admin') return refusalAnswer(visitor, 'adminRecord');
  // Who looked at a record is all that is kept from somebody who opens it.
  if (mayOpen(user, record)) return refusalAnswer(visitor, 'accesses');
  throw noSuchRecord();
}

/** Notes the access to a record that a page gives, with the call that it makes for the person, where it is one. */
export function noteAccess({ context }: Pick<PageRequest, 'context'>, call?: CallModel): void {
  traceOf(context).access = { call };
}

/**
 * Makes the handler of a page of a record: who is not signed in signs in first. What somebody may not see is refused
 * before it is looked whether the record is there. Every page that is shown or refused is an access to the record.
 */
export function forRecord(
  site: Site,
  { store }: Pick<RecordParts, 'store'>,
  handler: (request: PageRequest, opened: OpenedRecord) => Promise<Answer> | Answer,
  maySee: MaySee = mayOpen,
): PageHandler {
  return async (request) => {
    const { visitor, path, target, route } = request;
    const { user } = visitor;
    if (!user) {
      const isRead = route.method === 'GET';
      const here = isRead ? target.raw : `${site.basePath}${target.path ?? '/'}`;
      return signInFirst(site, here, isRead ? 302 : 303);
    }
    noteAccess(request);
    const record = path['record_id'] ?? '';
    if (!isRecordId(record)) throw noSuchRecord();
    if (!maySee(user, record)) return refused(visitor, user, record);
    const holder = await recordHolder(store, record);
    if (!holder) throw noSuchRecord();
    return handler(request, { user, holder });
  };
}
