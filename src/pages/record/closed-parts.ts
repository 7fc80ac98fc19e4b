import { AccountError } from '../../access/accounts/account-ids.js';
import type { ClosedTo } from '../../access/accounts/closed-classes.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { Answer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { dayOf, uncapital } from '../../http/html/readable.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import { flowOf } from '../../http/request-context.js';
import { pageAnswer, redirect } from '../../http/sign-in/page-answer.js';
import { readFields, readPageForm, type PageRequest } from '../../http/sign-in/page-request.js';
import type { ClassModel } from '../../model/ontology/model.js';
import { besideClosed, closableClasses } from '../../records/closable.js';
import { closedPage, closingQuestion, type Named } from './closed-page.js';
import { recordPaths } from './frame.js';
import { frameOf } from './record-frame.js';
import type { RecordParts } from './record-reads.js';

const ALL: Named<ClosedTo> = ['all', 'all clinicians and apps'];

const nameOf = ({ heading, plural }: ClassModel): string => heading ?? plural;

/** `/account/closed/{record_id}`: the patient, or an administrator for them, sees and changes what is closed. */
export async function closedParts(
  flow: Flow,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
  problem?: string,
): Promise<Answer> {
  const { ontology } = parts;
  const { accounts } = flow;
  const { user, holder, data } = opened;
  const { page } = request.visitor;
  const named = (to: ClosedTo): Promise<Named<ClosedTo>> => toWhom(flow, parts, request, to);
  const labelOf = (iri: string): string => {
    const model = ontology.classes.get(iri);
    return model ? nameOf(model) : iri;
  };
  const clinicians = accounts
    .listUsers()
    .filter(({ id, role }) => role === 'clinician' && accounts.mayOpen(id, holder.record));
  const others: ClosedTo[] = [
    'all',
    ...clinicians.map(({ id }): ClosedTo => `user ${id}`),
    ...accounts.listApps().map(({ id }): ClosedTo => `app ${id}`),
  ];
  const all = accounts.closures(holder.record);
  const closures = all.map(async ({ class: iri, to, at }) => ({
    of: [iri, labelOf(iri)] as const,
    to: await named(to),
    since: dayOf(at),
  }));
  const closable = closableClasses(ontology);
  const isPatient = user.role === 'person';
  // Not for an administrator, who does not see what the record has.
  const isLast = ({ basePath }: ClassModel): boolean =>
    isPatient && basePath !== undefined && data.wasNever(basePath.split('/')[3] ?? '');
  const byName = closable.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const sorted = byName.sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  const classes = sorted.map((model): Named => [model.iri, nameOf(model)]);
  const query = readFields(request.target.query);
  const [act, iri = '', to = ''] = ['done', 'class', 'to'].map((name) => query.get(name));
  const ofClass = all.filter((each) => each.class === iri);
  const isClosed = ofClass.some((each) => each.to === to);
  const isKnown = closable.some((model) => model.iri === iri) && others.some((each) => each === to);
  const [name, whom] = isKnown ? [uncapital(labelOf(iri)), (await named(to as ClosedTo))[1]] : [];
  const rest = ofClass.length > 0 ? '; what is listed below stays closed' : '';
  // The address says what was done, and the page only what holds.
  const done =
    isKnown && isClosed === (act === 'close')
      ? `You have ${isClosed ? `closed ${name} to ${whom}` : `opened ${name} to ${whom} again${rest}`}.`
      : undefined;
  const shown = {
    frame: frameOf(opened, ontology),
    isPatient,
    closures: await Promise.all(closures),
    classes,
    others: await Promise.all(others.map(async (to) => withRole(await named(to)))),
    done,
    problem,
  };
  return pageAnswer(page, closedPage(page, shown), { status: problem === undefined ? 200 : 400 });
}

/** Says of a user what they are: only clinicians are named. */
const withRole = ([to, name]: Named<ClosedTo>): Named<ClosedTo> => [
  to,
  to.startsWith('user ') ? `${name}, clinician` : name,
];

/** Names whom a part is closed to. */
async function toWhom(
  { manifestOf }: Flow,
  { people }: RecordParts,
  request: PageRequest,
  to: ClosedTo,
): Promise<Named<ClosedTo>> {
  const [kind, id = ''] = to.split(' ');
  if (kind === 'user') return [to, await people.userName(request, id)];
  return kind === 'app' ? [to, `the app ${(await manifestOf(id))?.name ?? id}`] : ALL;
}

async function question(
  flow: Flow,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
  model: ClassModel,
  to: ClosedTo,
): Promise<Answer> {
  const { ontology } = parts;
  const { page } = request.visitor;
  const { closed, linked } = besideClosed(ontology, model);
  const already = flow.accounts.closures(opened.holder.record);
  const isClosed = (iri: string): boolean =>
    already.some((each) => each.class === iri && (each.to === to || each.to === 'all'));
  const asked = closingQuestion(page, {
    frame: frameOf(opened, ontology),
    isPatient: opened.user.role === 'person',
    of: [model.iri, nameOf(model)],
    to: await toWhom(flow, parts, request, to),
    alsoClosed: closed.map(nameOf),
    linked: linked.filter(({ iri }) => !isClosed(iri)).map(nameOf),
  });
  return pageAnswer(page, asked);
}

/** Closes or opens what the form says, and asks before it closes. The access log has it first, so that the patient sees who did it. */
export async function changeClosed(
  { basePath }: Site,
  flow: Flow,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<Answer> {
  const fields = readPageForm(request);
  const { user, holder, data } = opened;
  const [act, iri = '', to = ''] = ['do', 'class', 'to'].map((name) => fields.get(name));
  const closing = { classes: [iri], to: [to as ClosedTo] };
  const model = parts.ontology.classes.get(iri);
  const isClosing = act === 'close';
  const by = user.role === 'admin' ? { reason: `by ${user.id}` } : { user: user.id };
  if (isClosing && (iri === '' || to === ''))
    return closedParts(flow, parts, request, opened, 'Choose what to close, and to whom.');
  if (isClosing && fields.get('confirmed') !== 'yes') {
    const asked = closableClasses(parts.ontology).find((each) => each.iri === iri);
    if (asked) return question(flow, parts, request, opened, asked, to as ClosedTo);
  }
  flowOf(flow, request.context).audit(isClosing ? 'record close' : 'record open', {
    ...{ ...by, record: holder.record },
    purpose: `${model ? nameOf(model) : 'Something that is no class'}, to ${to}`,
  });
  try {
    if (isClosing) await data.close(flow.accounts, closing);
    else await data.open(flow.accounts, closing);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    return closedParts(flow, parts, request, opened, error.message);
  }
  const done = new URLSearchParams({ done: isClosing ? 'close' : 'open', class: iri, to });
  return redirect(`${recordPaths(basePath, holder.record).closed}?${done}`, 303);
}
