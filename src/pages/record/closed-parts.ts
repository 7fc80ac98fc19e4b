import { AccountError } from '../../access/accounts/account-ids.js';
import type { ClosedTo } from '../../access/accounts/closed-classes.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { Answer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { dayOf } from '../../http/html/readable.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import { flowOf } from '../../http/request-context.js';
import { pageAnswer, redirect } from '../../http/sign-in/page-answer.js';
import { readFields, readPageForm, type PageRequest } from '../../http/sign-in/page-request.js';
import type { ClassModel } from '../../model/ontology/model.js';
import { closableClasses } from '../../records/closable.js';
import { closedPage, type Named } from './closed-page.js';
import { recordPaths } from './frame.js';
import { frameOf } from './record-frame.js';
import type { RecordParts } from './record-reads.js';

const ALL: Named<ClosedTo> = ['all', 'everybody but the patient'];
const DONE: Readonly<Record<string, string>> = { close: 'It is closed.', open: 'It is open again.' };

const nameOf = ({ heading, plural }: ClassModel): string => heading ?? plural;

/** `/account/closed/{record_id}`: the patient, or an administrator for them, sees and changes what is closed. */
export async function closedParts(
  flow: Flow,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
  problem?: string,
): Promise<Answer> {
  const { people, ontology } = parts;
  const { accounts, manifestOf } = flow;
  const { user, holder } = opened;
  const { page } = request.visitor;
  const named = async (to: ClosedTo): Promise<Named<ClosedTo>> => {
    const [kind, id = ''] = to.split(' ');
    if (kind === 'all') return ALL;
    if (kind === 'user') return [to, await people.userName(request, id)];
    return [to, `the app ${(await manifestOf(id))?.name ?? id}`];
  };
  const labelOf = (iri: string): string => {
    const model = ontology.classes.get(iri);
    return model ? nameOf(model) : iri;
  };
  const clinicians = accounts
    .listUsers()
    .filter(({ id, role }) => role === 'clinician' && accounts.mayOpen(id, holder.record));
  const others: ClosedTo[] = [
    ...clinicians.map(({ id }): ClosedTo => `user ${id}`),
    ...accounts.listApps().map(({ id }): ClosedTo => `app ${id}`),
  ];
  const closures = accounts.closures(holder.record).map(async ({ class: iri, to, at }) => ({
    of: [iri, labelOf(iri)] as const,
    to: await named(to),
    since: dayOf(at),
  }));
  const classes = closableClasses(ontology).map((model): Named => [model.iri, nameOf(model)]);
  const shown = {
    frame: frameOf(opened, ontology),
    isPatient: user.role === 'person',
    closures: await Promise.all(closures),
    classes: classes.sort(([, a], [, b]) => (a < b ? -1 : 1)),
    others: [ALL, ...(await Promise.all(others.map(named)))],
    done: DONE[readFields(request.target.query).get('done') ?? ''],
    problem,
  };
  return pageAnswer(page, closedPage(page, shown), { status: problem === undefined ? 200 : 400 });
}

/** Closes or opens what the form says. The access log has it first, so that the patient sees who did it. */
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
  return redirect(`${recordPaths(basePath, holder.record).closed}?done=${isClosing ? 'close' : 'open'}`, 303);
}
