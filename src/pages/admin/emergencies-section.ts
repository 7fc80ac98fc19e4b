import { readableMinute } from '../../http/html/readable.js';
import { AccountError } from '../../access/accounts/account-ids.js';
import { namedRecord, namedUser, recordsFound } from './user-meant.js';
import { optional, type MakeSection } from './section.js';

/** Records that clinicians opened in an emergency. */
export const emergenciesSection: MakeSection = ({ administration, people, flow: { accounts } }) => {
  const openNow = () =>
    accounts.listEmergencies().map((each) => ({ ...each, id: `${each.user} ${each.record}` }));
  return {
    name: 'emergencies',
    title: 'Emergency access',
    one: 'emergency access',
    about:
      'Records that clinicians have opened in an emergency, for eight hours. Open one to end it. Past ones are in the access log.',
    none: 'No record is open in an emergency now.',
    titleColumn: 1,
    columns: ['User', 'Name', 'Record', 'Reason', 'Until'],
    list: async (request, fields) => {
      const asked = optional(fields, 'q');
      const all = openNow();
      const users = asked === undefined ? [] : await people.usersNamed(request, asked);
      const records = await recordsFound(
        { people },
        request,
        asked,
        all.map(({ record }) => record),
      );
      return all.map(({ id, user, record, reason, until }) => ({
        id,
        isFound: users.includes(user) || records.has(record),
        cells: [
          user,
          () => people.userName(request, user),
          () => namedRecord({ people }, request, record),
          reason,
          readableMinute(until),
        ],
      }));
    },
    rowForms: [
      {
        act: 'end',
        decision: 'emergency.ended',
        title: 'End emergency access',
        hint: 'If they may also open the record for another reason, it stays open to them.',
        button: 'End access',
        isDanger: true,
        ends: true,
        about: ({ id }) => {
          const [user, record] = id.split(' ');
          return { user, record };
        },
        asks: async ({ id, request }) => {
          const [user = '', record = ''] = id.split(' ');
          return `The emergency access of ${await namedUser({ people }, request, user)} to ${await namedRecord({ people }, request, record)} will end at once, and so will that of the apps they let in.`;
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
