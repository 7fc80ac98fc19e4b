import { readableMinute } from '../../http/html/readable.js';
import { AccountError } from '../../access/accounts/account-ids.js';
import { namedUser } from './user-meant.js';
import type { MakeSection } from './section.js';

/** Records that clinicians opened in an emergency. */
export const emergenciesSection: MakeSection = ({ administration, people, flow: { accounts } }) => {
  const openNow = () =>
    accounts.listEmergencies().map((each) => ({ ...each, id: `${each.user} ${each.record}` }));
  return {
    name: 'emergencies',
    title: 'Emergency access',
    one: 'emergency access',
    about:
      'Records that clinicians opened in an emergency, for eight hours, without being given them. Open one to end it. The access log keeps past ones.',
    none: 'No record is open in an emergency now.',
    titleColumn: 1,
    columns: ['User', 'Name', 'Record', 'Reason', 'Until'],
    list: (request) =>
      openNow().map(({ id, user, record, reason, until }) => ({
        id,
        cells: [user, () => people.userName(request, user), record, reason, readableMinute(until)],
      })),
    rowForms: [
      {
        act: 'end',
        decision: 'emergency.ended',
        title: 'End emergency access',
        hint: 'What they were given of their own, or have as the patient’s clinician, stays open to them.',
        button: 'End access',
        isDanger: true,
        ends: true,
        about: ({ id }) => {
          const [user, record] = id.split(' ');
          return { user, record };
        },
        asks: async ({ id, request }) => {
          const [user = '', record = ''] = id.split(' ');
          return `The emergency access of ${await namedUser({ people }, request, user)} to record ${record} ends at once, and with it that of the apps they let in.`;
        },
        run: async ({ id }) => {
          const [user = '', record = ''] = id.split(' ');
          if (!(await administration.endEmergency(user, record)))
            throw new AccountError('This emergency access has already ended.');
        },
        done: 'Their emergency access has ended.',
      },
    ],
  };
};
