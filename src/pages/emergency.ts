import type { User } from '../access/accounts/users.js';
import type { Flow } from '../access/oauth/flow.js';
import type { PlainAnswer } from '../http/answer.js';
import type { Site } from '../http/app-parts.js';
import { DATE_PROBLEM, typedDate } from '../http/html/typed-date.js';
import type { RecordedReads } from '../http/recorded-reads.js';
import {
  readFields,
  signedInForm,
  signInFirst,
  type Fields,
  type PageMethods,
  type PageRequest,
} from '../http/sign-in/page-request.js';
import { pageAnswer, redirect } from '../http/sign-in/page-answer.js';
import { Problem } from '../model/problem.js';
import type { KnownPatient } from '../records/people.js';
import { emergencyPage } from './emergency-page.js';

const LONGEST_REASON = 500;

const NOT_FOUND =
  'No record matches. Check the number, or both names and the date of birth as they are in the record.';

/**
 * `/account/emergency`: a clinician opens the record of a patient who is not theirs, or what is closed to them of one who
 * is, with a reason, for eight hours.
 */
export function emergencyPages(site: Site, flow: Flow, people: RecordedReads): PageMethods {
  const here = `${site.basePath}/account/emergency`;
  const { accounts, audit } = flow;

  /** @throws Problem forbidden, recorded */
  const requireClinician = (user: User): void => {
    if (user.role === 'clinician') return;
    audit('emergency.refused', { user: user.id, reason: `role ${user.role}` });
    throw new Problem('forbidden', 'Only clinicians open a record in an emergency.');
  };
  const drawn = ({ visitor }: PageRequest, typed: Fields, problem?: string): PlainAnswer =>
    pageAnswer(visitor.page, emergencyPage(visitor.page, typed, problem), {
      status: problem === undefined ? 200 : 400,
    });

  return {
    GET: (request) => {
      const { user } = request.visitor;
      if (!user) return signInFirst(site, request.target.raw);
      requireClinician(user);
      return drawn(request, readFields(request.target.query));
    },
    POST: signedInForm(site, here, async (request, user, fields) => {
      requireClinician(user);
      const reason = fields.get('reason')?.trim() ?? '';
      const patient = patientIn(fields);
      if (reason === '' || reason.length > LONGEST_REASON)
        return drawn(
          request,
          fields,
          `Write why you open the record, in at most ${LONGEST_REASON} characters.`,
        );
      if (!patient) return drawn(request, fields, 'Fill in a number, or both names and the date of birth.');
      if ('birthday' in patient && !/^\d{4}-\d\d-\d\d$/u.test(patient.birthday))
        return drawn(request, fields, DATE_PROBLEM);
      const record = await people.find(request, patient).catch(missing);
      if (record === undefined) {
        audit('emergency.refused', { user: user.id, purpose: reason, reason: 'no record' });
        return drawn(request, fields, NOT_FOUND);
      }
      if (!people.mayOpen(user, record) || people.partClosed(user, record) === 'closed') {
        // What the patient is to see must stand in the log before anything of the record is seen.
        audit('emergency.opened', { user: user.id, record, purpose: reason });
        await accounts.openInEmergency(user.id, record, reason);
      }
      return redirect(`${site.basePath}/account/records/${record}`, 303);
    }),
  };
}

/** A date that cannot be one finds nobody. */
function missing(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== 'invalid-parameter') throw error;
}

function patientIn(fields: Fields): KnownPatient | undefined {
  const text = (name: string): string => fields.get(name)?.trim().slice(0, 100) ?? '';
  const number = text('number');
  if (number !== '') return { number };
  const [given, family, birthday] = [text('given_name'), text('family_name'), text('date_of_birth')];
  return [given, family, birthday].includes('')
    ? undefined
    : { given, family, birthday: typedDate(birthday) };
}
