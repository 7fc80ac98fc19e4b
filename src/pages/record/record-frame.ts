import { mayOpen, type User } from '../../access/accounts/users.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { type RecordFrame, recordPage, type RecordTab } from './frame.js';
import type { PathOf } from './statement-list.js';
import { sp } from '../../rdf/vocabulary.js';
import type { RecordHolder } from '../../records/people.js';
import { readableAge } from '../../http/html/readable.js';
import { kindsOf, type Kind } from '../shown/statement-kinds.js';
import { html, type Html } from '../../http/html/html.js';
import type { FramedAnswer, Answer } from '../../http/answer.js';
import { framedPage } from '../../http/sign-in/page-answer.js';
import {
  noteAccess,
  pagePath,
  type PageRequest,
  type PageHandler,
  signInFirst,
  readHolder,
} from '../../http/sign-in/page-request.js';
import { RecordReads, type RecordParts } from './record-reads.js';
import { alertStrip, readAlerts } from './alert-strip.js';
import { Problem } from '../../model/problem.js';
import { isRecordId } from '../../records/identifiers.js';
import type { Site } from '../../http/app-parts.js';
import { refusalAnswer } from '../../http/sign-in/refusals.js';
import type { Visitor } from '../../http/sign-in/visitor.js';

export function frameOf({ user, holder }: OpenedRecord, ontology: Ontology, now = Date.now()): RecordFrame {
  const isOpen = mayOpen(user, holder.record);
  return {
    holder: seenHolder(user, holder),
    age: isOpen ? readableAge(holder.birthday, holder.died ?? new Date(now).toISOString()) : '',
    isOpen,
    seesAccesses: maySeeAccesses(user, holder.record),
    writesNotes: isOpen && noteCall(ontology) !== undefined,
  };
}

export function noteCall({ calls }: Ontology): CallModel | undefined {
  return calls.find(
    ({ method, scope, target, answer }) =>
      method === 'POST' && scope === 'record' && target === sp.ClinicalNote && answer === 'rdf',
  );
}

/** Reduces the holder to the record id for users who may not open it. */
export function seenHolder(user: User, holder: RecordHolder): RecordHolder {
  return mayOpen(user, holder.record)
    ? holder
    : { record: holder.record, name: '', birthday: '', gender: '' };
}

/** Returns the paths of the pages of statements, if a call reads them. */
export function pathsOfStatements(ontology: Ontology, base: string, basePath: string): PathOf {
  const templates = kindsOf(ontology).map(({ call, item }) => PathTemplate.of((item ?? call).path));
  return (iri) => {
    if (!iri.startsWith(`${base}/`)) return undefined;
    const path = iri.slice(base.length);
    return templates.some((template) => template.match(path)) ? basePath + pagePath(path) : undefined;
  };
}

interface RecordContent {
  readonly tab: RecordTab;
  readonly title: string;
  readonly parameters?: readonly (string | number | undefined)[];
  readonly besides?: unknown;
  readonly photograph?: string | undefined;
  /** Whether the content has the strip of warnings already. */
  readonly hasStrip?: boolean;
  draw(reads: RecordReads): Promise<Html>;
}

/** Draws what every page of a record shows. */
export async function stripOf(
  { base, basePath }: Site,
  { ontology }: RecordParts,
  reads: RecordReads,
  record: string,
): Promise<Html> {
  const pathOfKind = ({ call }: Kind): string =>
    basePath + pagePath(PathTemplate.of(call.path).fill({ record_id: record }));
  const alerts = await readAlerts(ontology, reads, pathOfKind);
  return alertStrip(ontology, alerts, pathsOfStatements(ontology, base, basePath));
}

/** Makes a record's page. The content is drawn once per state of the record and day, inside a frame for each reader. */
export function recordAnswer(
  site: Site,
  parts: RecordParts,
  { visitor, resource }: Pick<PageRequest, 'visitor' | 'resource'>,
  opened: OpenedRecord,
  content: RecordContent,
): FramedAnswer {
  const { tab, title, parameters = [], besides, photograph, hasStrip, draw } = content;
  const { record } = opened.holder;
  const shown = JSON.stringify(besides ?? null);
  return framedPage(visitor.page, {
    key: JSON.stringify([resource, ...parameters]),
    state: () => `${recordState(parts, record)} ${shown}`,
    draw: async () => {
      const reads = new RecordReads(parts, record);
      return hasStrip ? draw(reads) : html`${await stripOf(site, parts, reads, record)} ${await draw(reads)}`;
    },
    page: (drawn) =>
      recordPage(
        visitor.page,
        { ...frameOf(opened, parts.ontology), photograph },
        { tab, title, content: drawn },
      ),
  });
}

/** Returns the state of all that calls about a record read, and the day, which decides what is past. */
function recordState({ primary }: RecordParts, record: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return primary.directory.read(
    () =>
      `${primary.directory.epoch} ${primary.revision('/ontology')} ${primary.revision(`/records/${record}`)} ${today}`,
  );
}

export interface OpenedRecord {
  readonly user: User;
  readonly holder: RecordHolder;
}

type MaySee = (user: User, record: string) => boolean;

/** The record's person, and administrators. */
export const maySeeAccesses: MaySee = (user, record) =>
  user.role === 'admin' || (user.role === 'person' && user.records.includes(record));

const noSuchRecord = (): Problem => new Problem('not-found', 'There is no such record.');

/** Explains a refusal to administrators and those who open the record; to others the record seems missing. */
function refused(visitor: Visitor, user: User, record: string): Answer {
  if (user.role === 'admin') return refusalAnswer(visitor, 'adminRecord');
  // Only the access list is closed to users who may open a record.
  if (mayOpen(user, record)) return refusalAnswer(visitor, 'accesses');
  throw noSuchRecord();
}

/** Wraps a record's page: refuses visitors before the record is read. Every page, shown or refused, is an access. */
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
    const holder = await readHolder(request, store, record);
    if (!holder) throw noSuchRecord();
    return handler(request, { user, holder });
  };
}
