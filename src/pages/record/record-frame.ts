import type { WhyOpen } from '../../access/accounts/care.js';
import type { User } from '../../access/accounts/users.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { type RecordFrame, recordPage, type RecordTab } from './frame.js';
import type { PathOf } from './statement-list.js';
import { sp } from '../../rdf/vocabulary.js';
import { dayOf, readableAge, readableMinute } from '../../http/html/readable.js';
import { kindsOf, type Kind } from '../shown/statement-kinds.js';
import { html, type Html } from '../../http/html/html.js';
import type { FramedAnswer, Answer } from '../../http/answer.js';
import { framedPage } from '../../http/sign-in/page-answer.js';
import {
  pagePath,
  type PageRequest,
  type PageHandler,
  signInFirst,
} from '../../http/sign-in/page-request.js';
import { RecordReads, type RecordParts } from './record-reads.js';
import { alertStrip, readAlerts } from './alert-strip.js';
import { Problem } from '../../model/problem.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import type { Site } from '../../http/app-parts.js';
import { refusalAnswer } from '../../http/sign-in/refusals.js';
import type { Visitor } from '../../http/sign-in/visitor.js';

type Seen = Pick<OpenedRecord, 'user' | 'holder' | 'why' | 'closed' | 'data'>;

/** What of a record surrounds its pages. */
export function frameOf(opened: Seen, ontology: Ontology, now = Date.now()): RecordFrame {
  const { user, holder, why, closed } = opened;
  const isOpen = why !== undefined;
  const isWithoutNotes = isOpen && notesClosed(opened, ontology);
  return {
    // Who may not open the record learns no more than its number.
    holder: isOpen ? holder : { record: holder.record, name: '', birthday: '', gender: '' },
    age: isOpen ? readableAge(holder.birthday, holder.died ?? new Date(now).toISOString()) : '',
    isOpen,
    why: whyInWords(user, why),
    closed,
    isWithoutNotes,
    seesAccesses: maySeeAccesses(user, holder.record),
    writesNotes: isOpen && noteCall(ontology) !== undefined && !isWithoutNotes,
  };
}

/** Says why a reader who is not the record's person sees the page; '' to that person. */
function whyInWords({ role }: User, why: WhyOpen | undefined): string {
  if (role === 'person') return '';
  switch (why?.because) {
    case 'given':
      return 'You may open this record because you were given access to it.';
    case 'all':
      return 'You may open this record because clinicians here may open every record.';
    case 'emergency':
      return `You may open this record until ${readableMinute(why.until)} because you opened it in an emergency.`;
    case 'care':
      return `You may open this record until ${dayOf(why.until)} because it says that you give care to the patient.`;
    case undefined:
      return 'You may see this page because you are an administrator. The record itself is not open to you.';
  }
}

/** Whether notes are closed to the reader, who can write none then. */
export function notesClosed({ data }: Pick<OpenedRecord, 'data'>, ontology: Ontology): boolean {
  const model = ontology.classes.get(noteCall(ontology)?.target ?? '');
  return model !== undefined && data.isClosed(model);
}

export function noteCall({ calls }: Ontology): CallModel | undefined {
  return calls.find(
    ({ method, scope, target, answer }) =>
      method === 'POST' && scope === 'record' && target === sp.ClinicalNote && answer === 'rdf',
  );
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
  readonly emergencies?: RecordFrame['emergencies'];
  /** Whether the content has the strip of warnings already. */
  readonly hasStrip?: boolean;
  draw(reads: RecordReads): Promise<Html>;
}

/** Draws what every page of a record shows. */
export async function stripOf(
  { base, basePath }: Site,
  { ontology }: RecordParts,
  reads: RecordReads,
): Promise<Html> {
  const pathOfKind = ({ call }: Kind): string =>
    basePath + pagePath(PathTemplate.of(call.path).fill({ record_id: reads.data.record }));
  const alerts = await readAlerts(ontology, reads, pathOfKind);
  return alertStrip(ontology, alerts, pathsOfStatements(ontology, base, basePath), reads.data.isPartClosed);
}

/** Makes a record's page. The content is drawn once per state of the record and day, inside a frame for each reader. */
export function recordAnswer(
  site: Site,
  parts: RecordParts,
  { visitor, resource }: Pick<PageRequest, 'visitor' | 'resource'>,
  opened: OpenedRecord,
  content: RecordContent,
): FramedAnswer {
  const { tab, title, parameters = [], besides, photograph, emergencies, hasStrip, draw } = content;
  const today = new Date().toISOString().slice(0, 10);
  const shown = JSON.stringify(besides ?? null);
  return framedPage(visitor.page, {
    key: JSON.stringify([resource, ...parameters]),
    // The day decides what is past.
    state: () => `${opened.data.state()} ${today} ${shown}`,
    draw: async () => {
      const reads = new RecordReads(parts, opened.data);
      return hasStrip ? draw(reads) : html`${await stripOf(site, parts, reads)} ${await draw(reads)}`;
    },
    page: (drawn) =>
      recordPage(
        visitor.page,
        { ...frameOf(opened, parts.ontology), photograph, emergencies },
        { tab, title, content: drawn },
      ),
  });
}

type MaySee = (user: User, record: string) => boolean;

/** The record's person, and administrators. */
export const maySeeAccesses: MaySee = (user, record) =>
  user.role === 'admin' || (user.role === 'person' && user.records.includes(record));

const noSuchRecord = (): Problem => new Problem('not-found', 'No such record.');

/** Explains a refusal, whether or not the record exists; to a person the record seems missing. */
function refused(visitor: Visitor, user: User, isOpen: boolean): Answer {
  if (user.role === 'admin') return refusalAnswer(visitor, 'adminRecord');
  // Only the access list is closed to users who may open a record.
  if (isOpen) return refusalAnswer(visitor, 'accesses');
  if (user.role === 'clinician') return refusalAnswer(visitor, 'notRelated');
  throw noSuchRecord();
}

/** Wraps a record's page: refuses visitors before the record is read. @param call that the page makes, if any */
export function forRecord(
  site: Site,
  { people }: Pick<RecordParts, 'people'>,
  handler: (request: PageRequest, opened: OpenedRecord) => Promise<Answer> | Answer,
  { call, maySee }: { readonly call?: CallModel | undefined; readonly maySee?: MaySee } = {},
): PageHandler {
  return async (request) => {
    const { visitor, path, target, route } = request;
    const { user } = visitor;
    if (!user) {
      const isRead = route.method === 'GET';
      const here = isRead ? target.raw : `${site.basePath}${target.path ?? '/'}`;
      return signInFirst(site, here, isRead ? 302 : 303);
    }
    const record = path['record_id'] ?? '';
    const opened = await people.open(request, { user, record, call }, maySee);
    if (opened === 'refused') return refused(visitor, user, people.mayOpen(user, record));
    if (!opened) throw noSuchRecord();
    return handler(request, opened);
  };
}
